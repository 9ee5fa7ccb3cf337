/**
 * Tokens with forged events (semantics row 11): a token whose whole life is indexed moves value out of addresses that never had any, in
 * transactions they did not sign and without their approval. The contract analysis covers what only calls reveal.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { inPieces, type LoadContext } from '../../context.ts'
import { byWallet, type OwnContract } from '../../shared/contracts/own-contracts.ts'

const FORGED = readSql(import.meta.url, './forged-transfers.sql')
const WHOLE_SINCE = readSql(import.meta.url, './whole-since.sql')

/** Minimum number of distinct owners in forged transfers. A single one may be a pre-minted treasury. */
const MIN_OWNERS = 5
/** Contracts with more callers are services (semantics 2.2) and too large to recount. */
const MAX_CALLERS = 10_000

/** A token with forged transfers: number of owners, some of them, and transactions as evidence. */
export type ForgedEvents = { contract: string; owners: number; named: string[]; transactions: string[] }

/**
 * Loads forgeries by maker. Every block since the token's creation must be covered, because a missing receipt makes a transfer look
 * forged.
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
  // A block that is not indexed yet may contain a receipt, so tokens with missing blocks are dropped.
  const since = Math.min(...rows.map((row) => row.since))
  const [blocks] = await store.query<{ since: number }>(WHOLE_SINCE, { network, since }, { route: 'whole_since' })
  const whole = rows.filter((row) => blocks !== undefined && row.since >= blocks.since)
  return byWallet(own, new Map(whole.map(({ since: _, ...row }) => [row.contract, row])))
}
