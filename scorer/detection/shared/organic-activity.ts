/**
 * Whether accounts led lives of their own before something happened to them. It is what separates victims from deposit
 * addresses of an exchange and from the many wallets of one owner: those never signed anything, or paid the same parties.
 */
import { readSql } from '../../../platform/store/sql.ts'
import { groupedBy, inPieces, type LoadContext } from '../context.ts'

const OWN_LIVES = readSql(import.meta.url, './sql/own-payments.sql')

/** Parties an account paid itself, beyond those that others of the same group paid too. Our choice: two are no accident. */
const OWN_PARTIES = 2
/** A party paid by more of the group than this, and by more than this part, is shared: a hot wallet, a popular contract. */
const SHARED_BY = 2
const SHARED_PART = 0.1

/** Whom an account paid itself, and since when (Unix seconds). */
type Payee = { address: string; counterparty: string; first_seen: number }
export type Lives = ReadonlyMap<string, readonly Payee[]>

/** The lives of some accounts, all of them at once: what they paid themselves. */
export const loadLives = async ({ store, network }: LoadContext, accounts: Iterable<string>): Promise<Lives> => {
  const rows = await inPieces(accounts, (addresses) =>
    store.query<Payee>(OWN_LIVES, { network, addresses }, { route: 'own_lives' }),
  )
  return groupedBy(rows, ({ address }) => address)
}

/**
 * Of the accounts, those that signed payments to parties of their own before the given time (Unix seconds): to `least` parties
 * beside the `sinks`. To pay who is `open` to everybody is a sign of life too, however many of the group did.
 */
export const independent = (
  lived: Lives,
  group: ReadonlyMap<string, number>,
  sinks: ReadonlySet<string>,
  { least = OWN_PARTIES, open = new Map() }: { least?: number; open?: ReadonlyMap<string, unknown> } = {},
): Set<string> => {
  const rows = [...group.keys()].flatMap((address) => lived.get(address) ?? [])
  const earlier = rows.filter(
    ({ address, counterparty, first_seen }) => !sinks.has(counterparty) && first_seen < (group.get(address) ?? 0),
  )
  const payers = new Map<string, Set<string>>()
  for (const { address, counterparty } of earlier) {
    payers.set(counterparty, (payers.get(counterparty) ?? new Set()).add(address))
  }
  const few = Math.max(SHARED_BY, SHARED_PART * group.size)
  const lives = new Map<string, number>()
  for (const { address, counterparty } of earlier) {
    const shared = group.has(counterparty) || (!open.has(counterparty) && (payers.get(counterparty)?.size ?? 0) > few)
    if (!shared) lives.set(address, (lives.get(address) ?? 0) + 1)
  }
  return new Set([...lives].filter(([, parties]) => parties >= least).map(([address]) => address))
}
