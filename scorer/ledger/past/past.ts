/**
 * Whether an account did anything before the first block its network covers. Nothing is asked of a node: the tables show it, or
 * it stays open (docs/adr/0015-coverage-of-wallets.md). What was fetched on demand is in the tables too
 * (docs/adr/0016-pasts-on-demand.md).
 *
 * * `whole`: the index begins with the chain, or everything it did before was fetched.
 * * `fresh`: its first transaction ever was seen, and it spent no coins that nobody saw come. So it signed nothing before. Whether
 *   it had received something stays open. An account is as good as fresh when all it signed was fetched, and so is a contract whose
 *   creation was seen: contracts sign nothing.
 * * `unknown`: everything else, of which `why` says more.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { familyOf, type Network } from '../../../schema/networks.ts'
import { createTieredStore } from '../reading/tiers.ts'
import { type FetchedPast, type FetchedPasts, hasRows, isWhole, loadFetched, NONE_FETCHED } from './fetched.ts'

const FIRST_COVERED = readSql(import.meta.url, './sql/first-covered.sql')
const LIVES = readSql(import.meta.url, './sql/lives.sql')
const FIRST_SIGNED = readSql(import.meta.url, './sql/first-signed.sql')

/** Block 0 has no transactions, so an index that begins at block 1 has all of them. */
const FIRST_WITH_TRANSACTIONS = 1
/** Accounts of one question. */
const AT_ONCE = 1_000
/** Part of what came in that rounding may hide: sums are floats. */
const ROUNDING = 1e-9

/** `signed`: transactions it had signed before the first that is stored, where that one shows it. */
export type Past = { kind: 'whole' } | { kind: 'fresh' | 'unknown'; why: string; signed?: number }

/** The past of every account where the index begins with the chain. */
export const WHOLE: Past = { kind: 'whole' }

/** How the reason of an answer that an unknown past keeps from being given begins. */
export const PAST_IS_UNKNOWN = 'the past of the wallet is not known'
const AGE_IS_UNKNOWN = `status: ${PAST_IS_UNKNOWN}`

/** A wallet that looks new may be old where blocks are missing. */
export const openAge = (past: Past): string[] => (past.kind === 'whole' ? [] : [`${AGE_IS_UNKNOWN} (${past.why})`])

/** Whether a verdict leaves open how old its wallet is. */
export const isAgeOpen = (unknowns: readonly string[]): boolean =>
  unknowns.some((unknown) => unknown.startsWith(AGE_IS_UNKNOWN))

/** The same of an answer that hangs on the past of others. */
export const PAST_OF_OTHERS = 'the past of those concerned is not known'

/** The same of money that came over others, where the index begins late. */
export const PAST_OF_PAYERS = 'the past of those who paid it is not known'

/** What all have in common where they stand in a record: the flag comes before them. */
export const PAST_OF = ': the past of '

/** What tells since when an account exists. Amounts in any unit, all in the same. */
export type Life = {
  address: string
  created: number
  /** Unix seconds; `null` where it signed nothing. */
  sent_first: number | null
  native_in: number
  native_out: number
  fees: number
}

/** `undefined` while the index holds nothing. */
const loadFirst = async (store: Store, network: Network): Promise<number | undefined> => {
  const [row] = await store.query<{ first: number }>(FIRST_COVERED, { network }, { route: 'first_covered' })
  return row?.first
}

/** First covered block `first` of an index that does not begin with the chain; `undefined` for others, and while it holds nothing. */
export const lateStart = (first: number | undefined): number | undefined =>
  first !== undefined && first > FIRST_WITH_TRANSACTIONS ? first : undefined

/** Reads where a late index begins. */
export const loadLateStart = async (store: Store, network: Network): Promise<number | undefined> =>
  lateStart(await loadFirst(store, network))

/** Whether the index holds every block that has transactions up to its head. */
export const beginsWithChain = async (store: Store, network: Network): Promise<boolean> => {
  const first = await loadFirst(store, network)
  return first !== undefined && first <= FIRST_WITH_TRANSACTIONS
}

/** Whether more coins went than came. */
const spentMore = ({ native_in, native_out, fees }: Life): boolean => native_out + fees > native_in * (1 + ROUNDING)

/**
 * @param signed how many transactions it had signed before the first that was seen; `undefined` where that does not show it
 * @param fetched what was fetched of its past, where that was read with the rest
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
  // Where a contract will be is known before it is there (EIP-1014, and CREATE too), so anybody can have paid it before.
  if (life && life.created > 0) {
    const received = spentMore(life) ? 'it spent coins that it received' : 'it may have received something'
    return { kind: 'fresh', why: `${received} before it was created, before block ${first}` }
  }
  // With a part of what it signed, its first transaction may be there and later ones missing.
  if (fetched && hasRows(fetched))
    return { kind: fetched.sent && fetched.to_block >= first - 1 ? 'fresh' : 'unknown', why: fetched.why }
  const before = `before block ${first}`
  if (!life || life.sent_first === null) {
    return { kind: 'unknown', why: `nothing shows that it did not exist ${before}` }
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

/** How many transactions accounts had signed before the first that is stored, as its number shows. */
const loadSigned = async (store: Store, network: Network, lives: Iterable<Life>): Promise<Map<string, number>> => {
  const found = new Map<string, number>()
  if (!familyOf(network).countsTransactions) return found
  const signers = [...lives].flatMap(({ address, created, sent_first }) =>
    created > 0 || sent_first === null ? [] : [{ address, time: sent_first }],
  )
  for (let at = 0; at < signers.length; at += AT_ONCE) {
    const some = signers.slice(at, at + AT_ONCE)
    const rows = await store.query<{ address: string; before: number }>(
      FIRST_SIGNED,
      { network, addresses: some.map(({ address }) => address), times: [...new Set(some.map(({ time }) => time))] },
      { route: 'first_signed' },
    )
    for (const { address, before } of rows) found.set(address, before)
  }
  return found
}

/**
 * Pasts of accounts whose lives are loaded. `first`: first covered block of a network whose index begins late. `fetched`: what was
 * fetched of them, where `store` reads it.
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

/** What is known of the past of one wallet now, in any tier, and what was fetched of it. */
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

/** Lives of any accounts, by address; those without a row are left out. */
export const loadLives = async (
  store: Store,
  network: Network,
  accounts: Iterable<string>,
): Promise<Map<string, Life>> => {
  const all = [...new Set(accounts)]
  const found = new Map<string, Life>()
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const rows = await store.query<Life>(
      LIVES,
      { network, addresses: all.slice(at, at + AT_ONCE) },
      { route: 'account_lives' },
    )
    for (const row of rows) found.set(row.address, row)
  }
  return found
}
