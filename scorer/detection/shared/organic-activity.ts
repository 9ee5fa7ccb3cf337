/**
 * Whether accounts were active on their own before an event: whether they signed payments to parties that few others of the group
 * paid. It separates victims from deposit addresses of an exchange, which sign nothing, and from the wallets of one owner,
 * which pay the same parties.
 */
import { readSql } from '../../../platform/store/sql.ts'
import { wrappedNative } from '../../../schema/registry/index.ts'
import { groupedBy, inPieces, type LoadContext } from '../context.ts'

const OWN_PAYMENTS = readSql(import.meta.url, './sql/own-payments.sql')

/** Own parties an account must have paid, not counting those that the group shares. Our choice: two are no accident. */
const OWN_PARTIES = 2
/** A party paid by more than this many accounts of the group and by more than this share is shared: a hot wallet, a popular contract. */
const SHARED_BY = 2
const SHARED_PART = 0.1

/** A party that an account paid, and since when (Unix seconds). */
type Payee = { address: string; counterparty: string; first_seen: number }
/** Payments by account. Loaded once for all suspects of a batch, because judging a group also needs payments of its other members. */
export type OrganicActivity = ReadonlyMap<string, readonly Payee[]>

/** Loads the payments that accounts signed. Wrapping coins is not a payment. */
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
 * Accounts that signed payments to at least `least` own parties before the given time (Unix seconds), not counting `sinks`. Payments
 * to parties that are `open` to everybody count however many of the group made them.
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
  const maxSharing = Math.max(SHARED_BY, SHARED_PART * group.size)
  const ownParties = new Map<string, number>()
  for (const { address, counterparty } of earlier) {
    const shared =
      group.has(counterparty) || (!open.has(counterparty) && (payers.get(counterparty)?.size ?? 0) > maxSharing)
    if (!shared) ownParties.set(address, (ownParties.get(address) ?? 0) + 1)
  }
  return new Set([...ownParties].filter(([, parties]) => parties >= least).map(([address]) => address))
}
