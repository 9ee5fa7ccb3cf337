/**
 * Contracts created more than once at one address with different code (semantics row 7). Since Cancun (EIP-6780) code only
 * goes when it is destroyed in the transaction that created it; before, any self-destruct made room.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { networkInfo } from '../../../../schema/networks.ts'
import type { LoadContext } from '../../context.ts'
import { byWallet, type OwnContract } from '../../shared/contracts/own-contracts.ts'

const CODE_EVENTS = readSql(import.meta.url, './creations.sql')

type CodeEvent = { contract: string; event: 'create' | 'destroy'; code_hash: string; tx_hash: string; time: number }

/** A contract that came back at its address with other code. `time` is that of its return, Unix seconds. */
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
const redeployment = (events: readonly CodeEvent[], eip6780From: number | null): Redeployed | undefined => {
  let created: CodeEvent | undefined
  let destroyed: CodeEvent | undefined
  let found: Redeployed | undefined
  for (const event of events) {
    if (event.event === 'destroy') {
      const gone =
        created !== undefined && (eip6780From === null || event.time < eip6780From || event.tx_hash === created.tx_hash)
      if (gone) destroyed = event
      continue
    }
    if (
      created &&
      destroyed &&
      created.code_hash !== '' &&
      event.code_hash !== '' &&
      created.code_hash !== event.code_hash
    ) {
      found = {
        contract: event.contract,
        before: created.code_hash,
        after: event.code_hash,
        transactions: [created.tx_hash, destroyed.tx_hash, event.tx_hash],
        time: event.time,
      }
    }
    created = event
    destroyed = undefined
  }
  return found
}

/**
 * Redeployments by the wallet that made the contract. Only contracts with several creations are read: one query, mostly
 * none.
 */
export const loadRedeployed = async (
  { store, network }: LoadContext,
  own: readonly OwnContract[],
): Promise<Map<string, Redeployed[]>> => {
  const contracts = [...new Set(own.filter(({ created }) => created > 1).map(({ contract }) => contract))]
  if (contracts.length === 0) return new Map()
  const events = await store.query<CodeEvent>(CODE_EVENTS, { network, contracts }, { route: 'code_events' })
  const found = new Map<string, Redeployed>()
  for (const contract of contracts) {
    const back = redeployment(
      events.filter((event) => event.contract === contract),
      networkInfo(network).eip6780From,
    )
    if (back) found.set(contract, back)
  }
  return byWallet(own, found)
}
