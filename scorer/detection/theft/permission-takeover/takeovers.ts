/**
 * Takeovers of accounts by permission updates: an update makes a stranger the only owner of an account, which can then do nothing
 * without the stranger's key, and the account's assets go to the stranger. Thieves who obtained a key do so before its owner can
 * move anything (semantics 2.8).
 *
 * Legitimate updates: owners move accounts to new keys of their own, firms share them among signers, and accounts are sold. In those cases
 * account and new key had earlier dealings, the account keeps a key, or its coins stay. An account that gives itself away can
 * name anyone as its owner, so only takers who acted are convicted: they paid for the accounts' fees.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { networksWith } from '../../../../schema/networks/capabilities.ts'
import type { Network } from '../../../../schema/networks.ts'
import type { Amount } from '../../../../schema/records/explained/explanations.ts'
import { ASSETS } from '../../../../schema/registry/contracts.ts'
import { isContract, type WalletFeatures } from '../../../ledger/features/wallet.ts'
import { amountOf } from '../../../ledger/prices/amounts.ts'
import { groupedBy, inPieces, type LoadContext, walletsWhere } from '../../context.ts'
import { keepMatching, type Others } from '../../detector.ts'
import { loadDealings } from '../../shared/dealings/dealings.ts'
import { loadOrganicActivity } from '../../shared/organic-activity.ts'
import { KNOWN_SHARE } from '../../shared/outflows/outflows.ts'
import { firstSeenDays, loadFunded, type Stranger, unrelated } from '../../shared/strangers/strangers.ts'
import { usdThresholds } from '../../shared/usd-thresholds.ts'

const HANDED_OVER = readSql(import.meta.url, './handed-over.sql')
const ACCOUNT_KEYS = readSql(import.meta.url, './account-keys.sql')
const OWN_ACTS = readSql(import.meta.url, './own-acts.sql')
const TAKEN = readSql(import.meta.url, './taken.sql')

/** Minimum number of accounts: as many as for approval drains. */
export const MIN_ACCOUNTS = 3
/** The taker may prepare the update by payments within this time before it, s. With earlier dealings it is no stranger. */
const PREPARED_S = 86_400
/**
 * Maximum time from the update until the account is emptied, s. Staked coins are free 14 days after the request (TRON documentation,
 * Stake 2.0), so assets left in an account that was sold leave later.
 */
const EMPTIED_WITHIN_S = 7 * 86_400
/** Minimum share of an asset that was taken, as for key sweeps. */
const EMPTIED_SHARE = 0.95
/** Minimum loss of an account, US dollars, so that trifles frame nobody. Our choice. */
const LEAST_USD = 100
/** Takers that deal with more parties are services. */
const MAX_PARTIES = 5_000
/** Accounts examined per taker. */
const MAX_ACCOUNTS = 200

/** An account that was taken over by a stranger and then emptied. */
export type TakenAccount = {
  account: string
  /** Time (Unix seconds) and transaction of the takeover. */
  time: number
  update: string
  emptiedAt: number
  amounts: Amount[]
  transactions: string[]
  /** Whether the taker signed something for the account: paid its fees, or lent it resources to pay them. */
  acted: boolean
  firstSeenDay: number
}

/** How takeovers depend on the past of others: funders, ages and holdings of the accounts must be known. */
export const TAKEN_OVER: Others<TakenAccount[]> = {
  concerns: (wallet) => mayTake(wallet),
  parties: (accounts) => accounts.map(({ account }) => account),
  proven: (accounts, known, taker) =>
    known(taker) ? keepMatching(accounts, ({ account }) => known(account)) : undefined,
}

/** Whether the accounts convict their taker: it acted, and they were first seen on enough different days. */
export const provesThief = (accounts: readonly TakenAccount[]): boolean =>
  firstSeenDays(accounts.filter(({ acted }) => acted)) >= MIN_ACCOUNTS

const mayTake = (wallet: WalletFeatures): boolean =>
  !isContract(wallet) &&
  wallet.in_counterparties > 0 &&
  wallet.in_partners <= MAX_PARTIES &&
  wallet.out_partners <= MAX_PARTIES

type AccountKey = { account: string; key: string; detail: string; tx_hash: string; time: number }
type Update = { account: string; taker: string; time: number; tx_hash: string }
type Taken = {
  account: string
  taker: string
  asset: string
  given: string
  lent: number
  back: number
  left_over: number
  emptied_at: number
  transactions: string[]
}

const WEIGHT = /^(owner|active) (\d+)\/(\d+)$/

/**
 * Updates that gave sole power to one foreign key: it reaches the owner threshold, and no other owner or active key counts. So that key
 * signed everything that left the account afterwards.
 */
const takeovers = (keys: readonly AccountKey[]): Update[] =>
  [...groupedBy(keys, ({ account, tx_hash }) => `${account} ${tx_hash}`).values()].flatMap((given) => {
    const counting = given.flatMap((one) => {
      const [, permission = '', weight = '0', threshold = '0'] = WEIGHT.exec(one.detail) ?? []
      return BigInt(weight) > 0n ? [{ ...one, permission, alone: BigInt(weight) >= BigInt(threshold) }] : []
    })
    const [only, ...others] = counting.filter(({ permission }) => permission === 'owner')
    if (only === undefined || others.length > 0 || !only.alone || only.key === only.account) return []
    if (counting.some(({ key }) => key !== only.key)) return []
    const { account, key: taker, time, tx_hash } = only
    return [{ account, taker, time, tx_hash }]
  })

const pair = ({ taker, account }: { taker: string; account: string }) => `${taker} ${account}`

type Dealt = { strangers: (update: Update) => boolean; acted: (update: Update) => boolean }

/** Whether taker and account had no earlier dealings, and whether the taker acted for the account. */
const dealtWith = async (context: LoadContext, updates: readonly Update[]): Promise<Dealt> => {
  const { store, network } = context
  const takers = [...new Set(updates.map(({ taker }) => taker))]
  const asked = (accounts: string[]) => ({ network, takers, accounts })
  const accounts = updates.map(({ account }) => account)
  const [between, acts] = await Promise.all([
    loadDealings(
      context,
      updates.map(({ account, taker }) => [account, taker]),
    ),

    inPieces(accounts, (piece) =>
      store.query<{ taker: string; account: string; first: number; last: number }>(OWN_ACTS, asked(piece), {
        route: 'own_acts',
      }),
    ),
  ])
  const signed = new Map(acts.map((row) => [pair(row), row]))
  return {
    strangers: (update) => {
      const first = Math.min(
        between(update.account, update.taker)?.since ?? update.time,
        signed.get(pair(update))?.first ?? update.time,
      )
      return first >= update.time - PREPARED_S
    },
    acted: (update) => {
      const act = signed.get(pair(update))
      return act !== undefined && act.first <= update.time + EMPTIED_WITHIN_S
    },
  }
}

/** Whether nearly all of a valuable asset was taken. Fees are paid from the native coin. */
const wasEmptied = (network: Network, { asset, given, lent, left_over }: Taken, fees: number): boolean => {
  const amount = Number(given)
  const left = asset === '' ? Math.max(0, left_over - fees) : left_over
  const minimum = usdThresholds(network, LEAST_USD).get(asset) ?? Number.POSITIVE_INFINITY
  return (
    amount - lent >= minimum && left <= (1 - EMPTIED_SHARE) * (amount + left) && amount + left >= KNOWN_SHARE * amount
  )
}

/** Whether the taker later returned value, as buyers of accounts and custodians do. */
const paidBack = (network: Network, { asset, back }: Taken): boolean =>
  back >= (usdThresholds(network, LEAST_USD).get(asset) ?? Number.POSITIVE_INFINITY)

const accountOf = (
  network: Network,
  { account, time, tx_hash, fees, firstSeenDay }: Stranger<Update & { first_seen: number }>,
  rows: readonly Taken[],
  acted: boolean,
): TakenAccount[] => {
  const emptied = rows.filter((row) => wasEmptied(network, row, fees))
  if (emptied.length === 0 || rows.some((row) => paidBack(network, row))) return []
  return [
    {
      account,
      time,
      update: tx_hash,
      emptiedAt: Math.max(...emptied.map(({ emptied_at }) => emptied_at)),
      amounts: emptied.map(({ asset, given }) => amountOf(network, asset, BigInt(given))),
      transactions: [...new Set(emptied.flatMap(({ transactions }) => transactions))].sort(),
      acted,
      firstSeenDay,
    },
  ]
}

/** Loads accounts that were taken over and emptied, by taker, oldest first. */
export const loadTakeovers = async (context: LoadContext): Promise<Map<string, TakenAccount[]>> => {
  const { store, network, wallets } = context
  const found = new Map<string, TakenAccount[]>()
  if (!networksWith('account-permissions').includes(network)) return found
  const handed = await inPieces(walletsWhere(context, mayTake), (addresses) =>
    store.query<{ taker: string; account: string }>(
      HANDED_OVER,
      { network, addresses, most: MAX_ACCOUNTS },
      { route: 'handed_over' },
    ),
  )
  if (handed.length === 0) return found
  const keys = await inPieces(
    handed.map(({ account }) => account),
    (accounts) => store.query<AccountKey>(ACCOUNT_KEYS, { network, accounts }, { route: 'account_keys' }),
  )
  // Only the first update counts, because the taker controls the account afterwards.
  const first = new Map(
    takeovers(keys)
      .toReversed()
      .filter(({ taker }) => wallets.has(taker))
      .map((update) => [pair(update), update]),
  )
  const updates = [...first.values()]
  if (updates.length === 0) return found
  const accounts = updates.map(({ account }) => account)
  const [{ strangers, acted }, activity, funded] = await Promise.all([
    dealtWith(context, updates),
    loadOrganicActivity(context, accounts),
    loadFunded(context, accounts),
  ])
  const byTaker = groupedBy(updates.filter(strangers), ({ taker }) => taker)
  const victims = [...byTaker].flatMap(([taker, of]) =>
    unrelated(
      taker,
      of.map((update) => ({ ...update, first_seen: update.time })),
      activity,
      funded,
    ),
  )
  if (victims.length === 0) return found
  const taken = groupedBy(
    await inPieces(victims, (piece) =>
      store.query<Taken>(
        TAKEN,
        {
          network,
          accounts: piece.map(({ account }) => account),
          takers: piece.map(({ taker }) => taker),
          since: piece.map(({ time }) => time),
          until: piece.map(({ time }) => time + EMPTIED_WITHIN_S),
          assets: ['', ...ASSETS[network].keys()],
        },
        { route: 'taken_over' },
      ),
    ),
    pair,
  )
  for (const victim of victims.toSorted((a, b) => a.time - b.time || (a.account < b.account ? -1 : 1))) {
    const accounts = accountOf(network, victim, taken.get(pair(victim)) ?? [], acted(victim))
    if (accounts.length > 0) found.set(victim.taker, [...(found.get(victim.taker) ?? []), ...accounts])
  }
  return found
}
