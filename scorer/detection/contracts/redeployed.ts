/**
 * Contracts created more than once at one address with different code (semantics row 7). Since Cancun (EIP-6780) code only
 * goes when it is destroyed in the transaction that created it; before, any self-destruct made room.
 */
import { readSql } from '../../../platform/store/sql.ts'
import { networkInfo } from '../../../schema/networks.ts'
import type { LoadContext } from '../context.ts'
import { byWallet, type OwnContract } from './own.ts'

const LIVES = readSql(import.meta.url, '../sql/contract-lives.sql')

type Life = { contract: string; event: 'create' | 'destroy'; code_hash: string; tx_hash: string; time: number }

export type Redeployed = {
  contract: string
  /** Hashes of the code before and after, metadata stripped. */
  before: string
  after: string
  /** Creation, destruction, creation again. */
  transactions: string[]
  time: number
}

/** The newest time the contract came back as another. Events of one contract in chain order. */
const comeback = (lives: readonly Life[], eip6780From: number | null): Redeployed | undefined => {
  let created: Life | undefined
  let destroyed: Life | undefined
  let found: Redeployed | undefined
  for (const life of lives) {
    if (life.event === 'destroy') {
      const gone =
        created !== undefined && (eip6780From === null || life.time < eip6780From || life.tx_hash === created.tx_hash)
      if (gone) destroyed = life
      continue
    }
    if (
      created &&
      destroyed &&
      created.code_hash !== '' &&
      life.code_hash !== '' &&
      created.code_hash !== life.code_hash
    ) {
      found = {
        contract: life.contract,
        before: created.code_hash,
        after: life.code_hash,
        transactions: [created.tx_hash, destroyed.tx_hash, life.tx_hash],
        time: life.time,
      }
    }
    created = life
    destroyed = undefined
  }
  return found
}

export const loadRedeployed = async (
  { store, network }: LoadContext,
  own: readonly OwnContract[],
): Promise<Map<string, Redeployed[]>> => {
  const contracts = [...new Set(own.filter(({ created }) => created > 1).map(({ contract }) => contract))]
  if (contracts.length === 0) return new Map()
  const lives = await store.query<Life>(LIVES, { network, contracts }, { route: 'contract_lives' })
  const found = new Map<string, Redeployed>()
  for (const contract of contracts) {
    const back = comeback(
      lives.filter((life) => life.contract === contract),
      networkInfo(network).eip6780From,
    )
    if (back) found.set(contract, back)
  }
  return byWallet(own, found)
}
