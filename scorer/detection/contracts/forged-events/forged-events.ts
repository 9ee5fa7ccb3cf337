/**
 * Tokens whose events are made up (semantics row 11): a token whose whole life is indexed moves value out of addresses that never had
 * any, in transactions they did not sign and without their allowance. What only calls would show belongs to the contract analysis.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { inPieces, type LoadContext } from '../../context.ts'
import { byWallet, type OwnContract } from '../../shared/contracts/own-contracts.ts'

const FORGED = readSql(import.meta.url, './forged-transfers.sql')
const WHOLE_SINCE = readSql(import.meta.url, './whole-since.sql')

/** Distinct owners named in forged transfers. One may be a pre-minted treasury that no event announced. */
const MIN_OWNERS = 5
/** Contracts with more callers are public (semantics 2.2: services) and too large to recount. */
const MAX_CALLERS = 10_000

/** A token with forged transfers: how many owners it named, some of them, and transactions that show it. */
export type ForgedEvents = { contract: string; owners: number; named: string[]; transactions: string[] }

/**
 * Forgeries by the wallet that made the token. A token is left out unless every block since its first one is covered: a
 * receipt that is not indexed yet would look forged.
 */
export const loadForgedEvents = async (
  { store, network }: LoadContext,
  own: readonly OwnContract[],
): Promise<Map<string, ForgedEvents[]>> => {
  const tokens = own.filter(({ symbol, name, callers }) => symbol + name !== '' && callers <= MAX_CALLERS)
  const rows = await inPieces(
    tokens.map(({ contract }) => contract),
    (some) =>
      store.query<ForgedEvents & { since: number }>(
        FORGED,
        { network, tokens: some, least: MIN_OWNERS },
        { route: 'forged_transfers' },
      ),
  )
  if (rows.length === 0) return new Map()
  // A receipt may sit in a block that is not indexed yet; then nothing can be said.
  const since = Math.min(...rows.map((row) => row.since))
  const [blocks] = await store.query<{ since: number }>(WHOLE_SINCE, { network, since }, { route: 'whole_since' })
  const whole = rows.filter((row) => blocks !== undefined && row.since >= blocks.since)
  return byWallet(own, new Map(whole.map(({ since: _, ...row }) => [row.contract, row])))
}
