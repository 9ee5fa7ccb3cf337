/**
 * Whether accounts were active on their own before something happened to them: whether they signed payments to parties that hardly any
 * other account of the group paid. It separates victims from deposit addresses of an exchange, which sign nothing, and from the
 * many wallets of one owner, which pay the same parties.
 */
import { readSql } from '../../../platform/store/sql.ts'
import { wrappedNative } from '../../../schema/registry/index.ts'
import { groupedBy, inPieces, type LoadContext } from '../context.ts'

const OWN_PAYMENTS = readSql(import.meta.url, './sql/own-payments.sql')

/** Parties an account paid itself, beyond those that others of the same group paid too. Our choice: two are no accident. */
const OWN_PARTIES = 2
/** A party paid by more of the group than this, and by more than this part, is shared: a hot wallet, a popular contract. */
const SHARED_BY = 2
const SHARED_PART = 0.1

/** Whom an account paid itself, and since when (Unix seconds). */
type Payee = { address: string; counterparty: string; first_seen: number }
/**
 * Payments by account. Loaded once for all suspects of a batch, because judging a group takes those of its other
 * members too.
 */
export type OrganicActivity = ReadonlyMap<string, readonly Payee[]>

/** What some accounts paid themselves, all of them at once. Coins that an account wraps stay its own: that is no payment. */
export const loadOrganicActivity = async (
  { store, network }: LoadContext,
  accounts: Iterable<string>,
): Promise<OrganicActivity> => {
  const rows = await inPieces(accounts, (addresses) =>
    store.query<Payee>(
      OWN_PAYMENTS,
      { network, addresses, wrapped: wrappedNative(network)?.address ?? '' },
      { route: 'own_payments' },
    ),
  )
  return groupedBy(rows, ({ address }) => address)
}

/**
 * Of the accounts, those that signed payments to parties of their own before the given time (Unix seconds): to `least` parties
 * beside the `sinks`. Payments to parties that are `open` to everybody count too, however many of the group made them.
 */
export const organicallyActive = (
  activity: OrganicActivity,
  group: ReadonlyMap<string, number>,
  sinks: ReadonlySet<string>,
  { least = OWN_PARTIES, open = new Map() }: { least?: number; open?: ReadonlyMap<string, unknown> } = {},
): Set<string> => {
  const rows = [...group.keys()].flatMap((address) => activity.get(address) ?? [])
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
