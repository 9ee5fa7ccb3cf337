/**
 * Whether an account was active before the first covered block of its network. Only the tables decide; no node is asked
 * (docs/adr/0015-coverage-of-wallets.md). Pasts that were fetched on demand are in the tables too
 * (docs/adr/0016-pasts-on-demand.md).
 *
 * * `whole`: the index begins at genesis, or everything before the first covered block was fetched.
 * * `fresh`: the account signed nothing before, because its first transaction ever is known and it spent no coins of unknown origin. It
 *   may have received something. Accounts whose signed transactions were all fetched count as fresh, and so do contracts whose
 *   creation is known, because contracts sign nothing.
 * * `unknown`: everything else; `why` gives the reason.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { familyOf, type Network } from '../../../schema/networks.ts'
import { createTieredStore } from '../reading/tiers.ts'
import { type FetchedPast, type FetchedPasts, hasRows, isWhole, loadFetched, NONE_FETCHED } from './fetched.ts'

const FIRST_COVERED = readSql(import.meta.url, './sql/first-covered.sql')
const LIVES = readSql(import.meta.url, './sql/lives.sql')
const FIRST_SIGNED = readSql(import.meta.url, './sql/first-signed.sql')

/** Block 0 has no transactions, so an index that begins at block 1 is complete. */
const FIRST_WITH_TRANSACTIONS = 1
/** Accounts per query. */
const AT_ONCE = 1_000
/** Relative rounding error of sums, which are floats. */
const ROUNDING = 1e-9

/** `signed`: number of transactions signed before the first stored one, if that one shows it. */
export type Past = { kind: 'whole' } | { kind: 'fresh' | 'unknown'; why: string; signed?: number }

/** The past of every account if the index begins at genesis. */
export const WHOLE: Past = { kind: 'whole' }

/** Prefix of the reason for answers that an unknown past makes unknown. */
export const PAST_IS_UNKNOWN = 'the past of the wallet is not known'
const AGE_IS_UNKNOWN = `status: ${PAST_IS_UNKNOWN}`

/** A wallet that looks new may be old if blocks are missing. */
export const unknownAge = (past: Past): string[] => (past.kind === 'whole' ? [] : [`${AGE_IS_UNKNOWN} (${past.why})`])

/** Whether a verdict does not know the age of its wallet. */
export const isAgeOpen = (unknowns: readonly string[]): boolean =>
  unknowns.some((unknown) => unknown.startsWith(AGE_IS_UNKNOWN))

/** Like `PAST_IS_UNKNOWN`, for answers that depend on the past of others. */
export const PAST_OF_OTHERS = 'the past of the other parties is not known'

/** Like `PAST_IS_UNKNOWN`, for the origin of funds that came through others. */
export const PAST_OF_PAYERS = 'the past of its payers is not known'

/** Common part of these reasons in a record, where the field's name precedes it. */
export const PAST_OF = ': the past of '

/** Facts that show since when an account exists. Amounts in any single unit. */
export type Life = {
  address: string
  created: number
  /** Unix seconds; `null` if it signed nothing. */
  sent_first: number | null
  native_in: number
  native_out: number
  fees: number
}

/** First covered block; `undefined` while the index is empty. */
const loadFirst = async (store: Store, network: Network): Promise<number | undefined> => {
  const [row] = await store.query<{ first: number }>(FIRST_COVERED, { network }, { route: 'first_covered' })
  return row?.first
}

/** `first` if the index begins after genesis; `undefined` if it does not or is empty. */
export const lateStart = (first: number | undefined): number | undefined =>
  first !== undefined && first > FIRST_WITH_TRANSACTIONS ? first : undefined

/** Loads the first covered block if the index begins after genesis. */
export const loadLateStart = async (store: Store, network: Network): Promise<number | undefined> =>
  lateStart(await loadFirst(store, network))

/** Whether the index begins at genesis. */
export const beginsWithChain = async (store: Store, network: Network): Promise<boolean> => {
  const first = await loadFirst(store, network)
  return first !== undefined && first <= FIRST_WITH_TRANSACTIONS
}

/** Whether more coins left than arrived. */
const spentMore = ({ native_in, native_out, fees }: Life): boolean => native_out + fees > native_in * (1 + ROUNDING)

/**
 * @param signed number of transactions signed before the first stored one; `undefined` if not known
 * @param fetched its fetched past, if its rows were read too
 */
export const pastOf = (
  life: Life | undefined,
  first: number,
  signed: number | undefined,
  fetched?: FetchedPast,
): Past => {
  const past = kindOf(life, first, signed, fetched)
  return past.kind === 'whole' || signed === undefined || signed === 0 ? past : { ...past, signed }
}

const kindOf = (
  life: Life | undefined,
  first: number,
  signed: number | undefined,
  fetched: FetchedPast | undefined,
): Past => {
  if (fetched && isWhole(fetched, first)) return WHOLE
  // The address of a contract is known before it exists (EIP-1014, and CREATE too), so anybody can have paid it before.
  if (life && life.created > 0) {
    const received = spentMore(life) ? 'it spent coins that it received' : 'it may have received something'
    return { kind: 'fresh', why: `${received} before it was created, before block ${first}` }
  }
  // If only a part of what it signed was fetched, its first transaction may be known and later ones missing.
  if (fetched && hasRows(fetched))
    return { kind: fetched.sent && fetched.to_block >= first - 1 ? 'fresh' : 'unknown', why: fetched.why }
  const before = `before block ${first}`
  if (!life || life.sent_first === null) {
    return { kind: 'unknown', why: `it may have existed ${before}` }
  }
  if (signed !== 0) {
    const what = signed === undefined ? 'it may have signed' : `it signed ${signed}`
    return { kind: 'unknown', why: `${what} transaction${signed === 1 ? '' : 's'} ${before}` }
  }
  if (spentMore(life)) {
    return { kind: 'unknown', why: `it spent coins that it received ${before}` }
  }
  return { kind: 'fresh', why: `it may have received something ${before}` }
}

/** Number of transactions that accounts signed before their first stored one, from its nonce. */
const loadSigned = async (store: Store, network: Network, lives: Iterable<Life>): Promise<Map<string, number>> => {
  const found = new Map<string, number>()
  if (!familyOf(network).countsTransactions) return found
  const signers = [...lives].flatMap(({ address, created, sent_first }) =>
    created > 0 || sent_first === null ? [] : [{ address, time: sent_first }],
  )
  for (let at = 0; at < signers.length; at += AT_ONCE) {
    const batch = signers.slice(at, at + AT_ONCE)
    const rows = await store.query<{ address: string; before: number }>(
      FIRST_SIGNED,
      { network, addresses: batch.map(({ address }) => address), times: [...new Set(batch.map(({ time }) => time))] },
      { route: 'first_signed' },
    )
    for (const { address, before } of rows) found.set(address, before)
  }
  return found
}

/**
 * Pasts of accounts whose lives are loaded. `first`: first covered block of an index that begins after genesis. `fetched`: fetched
 * pasts, if `store` reads their rows.
 */
export const loadPasts = async (
  store: Store,
  network: Network,
  first: number,
  lives: ReadonlyMap<string, Life>,
  fetched: FetchedPasts = NONE_FETCHED,
): Promise<(address: string) => Past> => {
  const signed = await loadSigned(store, network, lives.values())
  return (address) => pastOf(lives.get(address), first, signed.get(address), fetched.get(address))
}

/** Loads the past of one wallet from all tiers, and its fetched past. */
export const loadPast = async (
  untiered: Store,
  network: Network,
  address: string,
): Promise<{ past: Past; fetched: FetchedPast | undefined }> => {
  const first = await loadLateStart(untiered, network)
  if (first === undefined) return { past: WHOLE, fetched: undefined }
  const fetched = await loadFetched(untiered, network, [address])
  const store = createTieredStore(untiered, fetched.size > 0 ? 'whole' : 'all')
  const lives = await loadLives(store, network, [address])
  const pasts = await loadPasts(store, network, first, lives, fetched)
  return { past: pasts(address), fetched: fetched.get(address) }
}

/** Loads the lives of accounts. Accounts without a row are absent. */
export const loadLives = async (
  store: Store,
  network: Network,
  accounts: Iterable<string>,
): Promise<Map<string, Life>> => {
  const all = [...new Set(accounts)]
  const found = new Map<string, Life>()
  const { keyedContracts } = familyOf(network)
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const rows = await store.query<Life>(
      LIVES,
      { network, addresses: all.slice(at, at + AT_ONCE) },
      { route: 'account_lives' },
    )
    for (const row of rows)
      found.set(row.address, keyedContracts && row.sent_first !== null ? { ...row, created: 0 } : row)
  }
  return found
}
