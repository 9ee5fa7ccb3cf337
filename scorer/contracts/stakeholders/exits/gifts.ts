/** Who gave accounts their tokens, from the tables where there are some, from logs of the node otherwise. */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Store } from '../../../../platform/store/store.ts'
import type { Network } from '../../../../schema/networks.ts'
import type { ChainReader } from '../../chain/chain.ts'
import { ZERO } from '../../chain/simulator/script.ts'
import { addressOf } from '../../code/abstract/facts.ts'
import { wordAt } from '../../market/market.ts'
import type { Gift, OriginsDeps } from './origins.ts'

const GIFTS = readSql(import.meta.url, './sql/gifts.sql')
/** `Transfer(address,address,uint256)`. */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** Blocks of logs asked of a node: what public endpoints grant. */
const LOG_BLOCKS = 9_000
/** Transactions asked for who made tokens, those that made most. */
const MOST_MINTS = 100

/** Where gifts of one kind of asset are looked up: in the tables, or in the newest logs where those have none. */
export type GiftsDeps = {
  chain: ChainReader
  network: Network
  store: Store | undefined
  /** Tokens, or managers of position NFTs, of one kind: their amounts are added. */
  assets: readonly string[]
  /** Of tokens that have numbers (ERC-1155), those that are looked at; none unless stated. */
  numbers?: readonly string[]
  /** Unix seconds before which nothing is looked at. */
  since: number
}

const fromLogs = async ({ chain, assets }: GiftsDeps, accounts: readonly string[]): Promise<Gift[]> => {
  const receivers = accounts.map((account) => `0x${account.slice(2).padStart(64, '0')}`)
  const fromBlock = Math.max(0, chain.height - LOG_BLOCKS)
  const found = await Promise.all(
    assets.map((address) => chain.logs({ address, topics: [TRANSFER, null, receivers], fromBlock })),
  )
  const gifts = found.flatMap((logs) =>
    (logs ?? []).map(({ topics, data, transactionHash }) => {
      const [, from = '0x0', to = '0x0', nft] = topics
      const amount = nft === undefined ? (wordAt(data, 0) ?? 0n) : 1n
      return { to: addressOf(BigInt(to)), from: addressOf(BigInt(from)), amount, transactionHash }
    }),
  )
  const mints = gifts
    .filter(({ from }) => from === ZERO)
    .sort((a, b) => (a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0))
  const hashes = [...new Set(mints.map(({ transactionHash }) => transactionHash))].slice(0, MOST_MINTS)
  const signers = await Promise.all(
    hashes.map(async (hash) => [hash, (await chain.transaction(hash))?.from ?? ''] as const),
  )
  const signerOf = new Map(signers)
  return gifts.map(({ transactionHash, ...gift }) => ({
    ...gift,
    signer: gift.from === ZERO ? (signerOf.get(transactionHash) ?? '') : '',
  }))
}

/** What origins of one kind of tokens are looked up in. */
export const giftsOf = (deps: GiftsDeps): OriginsDeps => {
  const { chain, network, store, assets, numbers = [], since } = deps
  return {
    isContract: async (account) => (await chain.code(account)).length > 2,
    giftsTo: async (accounts) => {
      if (assets.length === 0) return []
      const rows =
        (await store?.query<{ to: string; from: string; signer: string; amount: string }>(
          GIFTS,
          { network, accounts, assets: [...assets], numbers: [...numbers], since },
          { route: 'contract_gifts' },
        )) ?? []
      if (rows.length === 0) return fromLogs(deps, accounts)
      return rows.map((row) => ({ ...row, from: row.from || ZERO, amount: BigInt(row.amount) }))
    },
  }
}
