/** Contracts created by an account, and their verdicts. */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { loadFetched } from '../past/fetched.ts'
import { readSettled } from '../reading/settled.ts'
import { createTieredStore, loadTiers } from '../reading/tiers.ts'

const NEWEST = readSql(import.meta.url, './sql/newest.sql')
const VERDICTS = readSql(import.meta.url, './sql/verdicts.sql')

type Row = { contract: string; created: number; code_hash: string; total: number }
type ContractVerdict = {
  address: string
  status: 'Fraud' | 'Not Fraud'
  probability: number
  risk_score: number
  honeypot: 0 | 1
  dead: 0 | 1
  /** Unix seconds. */
  computed: number
}
/** A contract created by the account, directly or through factories. */
export type Creation = {
  contract: string
  /** Unix seconds. */
  created: number
  /** Empty if the code was not visible. */
  code_hash: string
  /** `undefined` if it was never analysed. */
  verdict: ContractVerdict | undefined
}

/**
 * Loads the `most` newest contracts of an account from one state of the tables.
 * @throws RetryableError as `readSettled` does.
 */
export const loadCreations = (
  store: Store,
  network: Network,
  address: string,
  most: number,
): Promise<{ height: number; total: number; creations: Creation[] }> =>
  readSettled(store, network, async (heights) => {
    const [{ hot }, fetched] = await Promise.all([
      loadTiers(store, network, [address], heights),
      loadFetched(store, network, [address]),
    ])
    const tiered = createTieredStore(store, fetched.size > 0 ? 'whole' : hot.size > 0 ? 'all' : 'final')
    const rows = await tiered.query<Row>(NEWEST, { network, address, most }, { route: 'newest_creations' })
    const addresses = rows.map(({ contract }) => contract)
    const found =
      addresses.length > 0
        ? await store.query<ContractVerdict>(VERDICTS, { network, addresses }, { route: 'verdicts_of_creations' })
        : []
    const verdicts = new Map(found.map((verdict) => [verdict.address, verdict]))
    return {
      height: heights.head,
      total: rows[0]?.total ?? 0,
      creations: rows.map(({ contract, created, code_hash }) => ({
        contract,
        created,
        code_hash,
        verdict: verdicts.get(contract),
      })),
    }
  })
