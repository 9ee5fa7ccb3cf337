/**
 * Contracts created more than once at one address with different code (semantics row 7). Since Cancun (EIP-6780), only a self-destruct in
 * the creating transaction removes code; before, any self-destruct did.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { networkInfo } from '../../../../schema/networks.ts'
import type { LoadContext } from '../../context.ts'
import { byWallet, type OwnContract } from '../../shared/contracts/own-contracts.ts'

const CODE_EVENTS = readSql(import.meta.url, './creations.sql')

type CodeEvent = { contract: string; event: 'create' | 'destroy'; code_hash: string; tx_hash: string; time: number }

/** A contract redeployed with other code. `time` of the last redeployment, Unix seconds. */
export type Redeployed = {
  contract: string
  /** Hashes of the code before and after, without metadata. */
  before: string
  after: string
  /** Creation, destruction, second creation. */
  transactions: string[]
  time: number
}

/** The last redeployment. `events` of one contract are in chain order. */
const redeployment = (events: readonly CodeEvent[], eip6780From: number | null): Redeployed | undefined => {
  let created: CodeEvent | undefined
  let destroyed: CodeEvent | undefined
  let found: Redeployed | undefined
  for (const event of events) {
    if (event.event === 'destroy') {
      const wasRemoved =
        created !== undefined && (eip6780From === null || event.time < eip6780From || event.tx_hash === created.tx_hash)
      if (wasRemoved) destroyed = event
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

/** Loads redeployments by maker. Reads only contracts with several creations, usually none. */
export const loadRedeployed = async (
  { store, network }: LoadContext,
  own: readonly OwnContract[],
): Promise<Map<string, Redeployed[]>> => {
  const contracts = [...new Set(own.filter(({ created }) => created > 1).map(({ contract }) => contract))]
  if (contracts.length === 0) return new Map()
  const events = await store.query<CodeEvent>(CODE_EVENTS, { network, contracts }, { route: 'code_events' })
  const found = new Map<string, Redeployed>()
  for (const contract of contracts) {
    const last = redeployment(
      events.filter((event) => event.contract === contract),
      networkInfo(network).eip6780From,
    )
    if (last) found.set(contract, last)
  }
  return byWallet(own, found)
}
