/** Incoming transfers of accounts: from the tables when there are some, else from logs of the node. */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Store } from '../../../../platform/store/store.ts'
import type { Network } from '../../../../schema/networks.ts'
import type { ChainReader } from '../../chain/chain.ts'
import { ZERO } from '../../chain/simulator/script.ts'
import { addressOf } from '../../code/abstract/facts.ts'
import { wordAt } from '../../market/market.ts'
import { LOG_BLOCKS } from '../events.ts'
import type { Inflow, OriginsDeps } from './origins.ts'

const INFLOWS = readSql(import.meta.url, './sql/inflows.sql')
/** `Transfer(address,address,uint256)`. */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** Maximum number of mint transactions whose signer is requested, largest first. */
const MAX_MINTS = 100

/** Source of inflows of one kind of asset: the tables, or the newest logs when those have none. */
export type InflowsDeps = {
  chain: ChainReader
  network: Network
  store: Store | undefined
  /** Tokens, or managers of position NFTs, of one kind: their amounts are summed. */
  assets: readonly string[]
  /** Token ids to include of ERC-1155 tokens; none by default. */
  numbers?: readonly string[]
  /** Unix seconds from which transfers count. */
  since: number
}

const fromLogs = async ({ chain, assets }: InflowsDeps, accounts: readonly string[]): Promise<Inflow[]> => {
  const receivers = accounts.map((account) => `0x${account.slice(2).padStart(64, '0')}`)
  const fromBlock = Math.max(0, chain.height - LOG_BLOCKS)
  const found = await Promise.all(
    assets.map((address) => chain.logs({ address, topics: [TRANSFER, null, receivers], fromBlock })),
  )
  const inflows = found.flatMap((logs) =>
    (logs ?? []).map(({ topics, data, transactionHash }) => {
      const [, from = '0x0', to = '0x0', nft] = topics
      const amount = nft === undefined ? (wordAt(data, 0) ?? 0n) : 1n
      return { to: addressOf(BigInt(to)), from: addressOf(BigInt(from)), amount, transactionHash }
    }),
  )
  const mints = inflows
    .filter(({ from }) => from === ZERO)
    .sort((a, b) => (a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0))
  const hashes = [...new Set(mints.map(({ transactionHash }) => transactionHash))].slice(0, MAX_MINTS)
  const signers = await Promise.all(
    hashes.map(async (hash) => [hash, (await chain.transaction(hash))?.from ?? ''] as const),
  )
  const signerOf = new Map(signers)
  return inflows.map(({ transactionHash, ...inflow }) => ({
    ...inflow,
    signer: inflow.from === ZERO ? (signerOf.get(transactionHash) ?? '') : '',
  }))
}

/** Creates the source of inflows of one kind of asset. */
export const inflowsOf = (deps: InflowsDeps): OriginsDeps => {
  const { chain, network, store, assets, numbers = [], since } = deps
  return {
    isContract: async (account) => (await chain.code(account)).length > 2,
    inflowsTo: async (accounts) => {
      if (assets.length === 0) return []
      const rows =
        (await store?.query<{ to: string; from: string; signer: string; amount: string }>(
          INFLOWS,
          { network, accounts, assets: [...assets], numbers: [...numbers], since },
          { route: 'contract_gifts' },
        )) ?? []
      if (rows.length === 0) return fromLogs(deps, accounts)
      return rows.map((row) => ({ ...row, from: row.from || ZERO, amount: BigInt(row.amount) }))
    },
  }
}
