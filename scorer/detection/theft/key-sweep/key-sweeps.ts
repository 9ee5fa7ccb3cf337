/**
 * Sweeps of stolen keys: several unrelated accounts give everything they have, in transactions they signed, to one address that just sent
 * them the gas for it (semantics row 13).
 *
 * Exchanges collect from deposit addresses in the same way, people from their own old wallets, and airdrop farmers from wallets created in
 * series. Victims differ: they were active on their own, nothing links them, they were first seen on different days, and none was
 * funded by another, by the sweeper or by a common funder. A custodian that moves used wallets of its users still looks the same,
 * so a sweep proves a theft only if a mixer funded it or received the proceeds. Otherwise it is a suspicion.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { ASSETS, MIXER_POOLS } from '../../../../schema/registry/contracts.ts'
import { isContract, type WalletFeatures } from '../../../ledger/features/wallet.ts'
import { readByTier } from '../../../ledger/reading/tiers.ts'
import { groupedBy, type LoadContext, walletsWhere } from '../../context.ts'
import type { Others } from '../../detector.ts'
import { dustOf } from '../../shared/dust.ts'
import { loadOrganicActivity } from '../../shared/organic-activity.ts'
import { KNOWN_SHARE } from '../../shared/outflows/outflows.ts'
import { eligible, firstSeenDays, loadFunded, type Stranger, unrelated } from '../../shared/strangers/strangers.ts'

const PARTNERS = readSql(import.meta.url, './two-way-partners.sql')
const RELATIONS = readSql(import.meta.url, './short-relations.sql')
const EMPTIED = readSql(import.meta.url, './emptied-accounts.sql')
const MIXING = readSql(import.meta.url, '../../shared/sql/mixer-transfers.sql')

/** Minimum number of unrelated accounts (semantics row 13). */
export const MIN_EMPTIED = 5
/** Minimum share of each asset that was taken (semantics row 13: 95 %). */
const EMPTIED_SHARE = 0.95
/** Maximum time between the first and the last account emptied, s: "within minutes". */
const WITHIN_S = 30 * 60
/** Maximum time from the gas to the sweep, s. */
const RELATION_S = 3_600
/** Maximum time from the last account emptied to the deposit in a mixer, and from a withdrawal to the first gas, s. Our choice. */
const MIXED_WITHIN_S = 30 * 86_400
/** Wallets with more partners are services. */
const MAX_PARTIES = 5_000

/** Accounts that one sink emptied together. Times in Unix seconds. */
export type KeySweep = {
  /** Mixer transactions that make the sweep a theft: withdrawals that paid its gas, deposits of the proceeds. */
  mixed: string[]
  accounts: { account: string; gasAt: number; emptiedAt: number; assets: string[]; transactions: string[] }[]
}

/** How sweeps depend on the past of others: funders, ages and holdings of the accounts must be known, and the past of the sink. */
export const SWEPT: Others<KeySweep> = {
  concerns: (wallet) => mayCollect(wallet),
  parties: ({ accounts }) => accounts.map(({ account }) => account),
  proven: (sweep, known, sink) => {
    const accounts = sweep.accounts.filter(({ account }) => known(account))
    if (!known(sink) || accounts.length < MIN_EMPTIED) return undefined
    return accounts.length === sweep.accounts.length ? sweep : { ...sweep, accounts }
  },
}

type Relation = { sink: string; account: string; first_seen: number; last_seen: number }
type Emptied = {
  account: string
  sink: string
  asset: string
  given: number
  lent: number
  left_over: number
  transactions: string[]
}

const mayCollect = (wallet: WalletFeatures): boolean =>
  !isContract(wallet) &&
  wallet.sent - wallet.sent_zero >= MIN_EMPTIED &&
  wallet.native_out_count >= MIN_EMPTIED &&
  wallet.in_partners >= MIN_EMPTIED &&
  wallet.out_counterparties >= MIN_EMPTIED &&
  // Use partners, because anybody can name thousands of counterparties in events of his own token.
  wallet.in_partners <= MAX_PARTIES &&
  wallet.out_partners <= MAX_PARTIES

/**
 * Maximal runs of relations whose ends are within WITHIN_S. Relations are in the order of their ends. All runs count, because a thief could
 * hide a real one by emptying more accounts of his own on another day.
 */
const runsOf = <R extends Relation>(relations: readonly R[]): R[][] => {
  const runs: R[][] = []
  let [from, to] = [0, 0]
  for (const first of relations) {
    const before = to
    while ((relations[to]?.last_seen ?? Number.POSITIVE_INFINITY) <= first.last_seen + WITHIN_S) to++
    if (to > before && to - from >= MIN_EMPTIED) runs.push(relations.slice(from, to))
    from++
  }
  return runs
}

/** Whether nearly everything was taken. Leftover gas from the sink and dust of assets it did not take may remain. */
const isEmptied = (rows: readonly Emptied[], fees: number, dust: ReadonlyMap<string, bigint>): boolean =>
  rows.some(({ asset, given, lent }) => given > (asset === '' ? lent : 0)) &&
  rows.every(({ asset, given, lent, left_over }) => {
    const remainder = asset === '' ? Math.max(0, left_over - fees) : left_over
    const isTaken =
      remainder - lent <= (1 - EMPTIED_SHARE) * (given + remainder) && given + remainder >= KNOWN_SHARE * given
    return isTaken || (given === 0 && remainder <= (dust.get(asset) ?? 0))
  })

type Sweep = { sink: string; run: readonly Stranger<Relation>[] }

/** Mixer transactions of the sinks: withdrawals that funded them before their sweeps, and deposits soon after. */
const mixedBy = async (
  { store, network, wallets }: LoadContext,
  sweeps: readonly Sweep[],
): Promise<Map<Sweep, string[]>> => {
  const mixers = sweeps.filter(({ sink }) => {
    const wallet = wallets.get(sink)
    return wallet !== undefined && wallet.mixer_deposits + wallet.mixer_withdrawals > 0
  })
  if (mixers.length === 0) return new Map()
  const addresses = [...new Set(mixers.map(({ sink }) => sink))]
  const moves = await store.query<{ address: string; pool: string; event: string; tx_hash: string; time: number }>(
    MIXING,
    { network, addresses },
    { route: 'sweep_mixing' },
  )
  return new Map(
    mixers.map((sweep) => {
      const { sink, run } = sweep
      const began = Math.min(...run.map(({ first_seen }) => first_seen))
      const ended = Math.max(...run.map(({ last_seen }) => last_seen))
      const funder = wallets.get(sink)?.funder ?? ''
      const related = moves.filter(
        ({ address, pool, event, time }) =>
          address === sink &&
          (event === 'mixer_deposit'
            ? time >= began && time <= ended + MIXED_WITHIN_S
            : time <= began && time >= began - MIXED_WITHIN_S && pool === funder && MIXER_POOLS[network].has(pool)),
      )
      return [sweep, related.map(({ tx_hash }) => tx_hash)]
    }),
  )
}

/** Loads one sweep per sink: one with mixer use, otherwise the one with most accounts. Reads only wallets with five two-way partners. */
export const loadKeySweeps = async (context: LoadContext): Promise<Map<string, KeySweep>> => {
  const { store, network } = context
  const found = new Map<string, KeySweep>()
  const addresses = walletsWhere(context, mayCollect)
  if (addresses.length === 0) return found
  // Few wallets have that many two-way partners. Reading movements pays off only for those.
  const rows = await readByTier(store, context.tiers, addresses, async (tiered, addresses) => {
    const wide = await tiered.query<{ address: string }>(
      PARTNERS,
      { network, addresses, least: MIN_EMPTIED },
      { route: 'two_way_partners' },
    )
    if (wide.length === 0) return []
    const sinks = wide.map(({ address }) => address)
    return tiered.query<Relation>(
      RELATIONS,
      { network, addresses: sinks, assets: ['', ...ASSETS[network].keys()], within: RELATION_S },
      { route: 'short_relations' },
    )
  })
  const bySink = [...groupedBy(rows, ({ sink }) => sink)]
  const accounts = new Set(
    bySink.flatMap(([, relations]) =>
      runsOf(relations)
        .flat()
        .map(({ account }) => account),
    ),
  )
  const [activity, known] = await Promise.all([loadOrganicActivity(context, accounts), loadFunded(context, accounts)])
  const unlinked = bySink
    .flatMap(([sink, relations]) =>
      runsOf(eligible(sink, relations, activity, known)).map(
        (run): Sweep => ({ sink, run: unrelated(sink, run, activity, known) }),
      ),
    )
    .filter(({ run }) => firstSeenDays(run) >= MIN_EMPTIED)
  if (unlinked.length === 0) return found
  const all = [
    ...new Map(unlinked.flatMap(({ run }) => run.map((one) => [`${one.sink} ${one.account}`, one]))).values(),
  ]
  const [emptied, mixed] = await Promise.all([
    store.query<Emptied>(
      EMPTIED,
      {
        network,
        accounts: all.map(({ account }) => account),
        sinks: all.map(({ sink }) => sink),
        until: all.map(({ last_seen }) => last_seen),
        assets: ['', ...ASSETS[network].keys()],
      },
      { route: 'emptied' },
    ),
    mixedBy(context, unlinked),
  ])
  const dust = dustOf(network)
  for (const sweep of unlinked) {
    const { sink, run } = sweep
    const emptiedAccounts = run.filter(({ account, fees }) =>
      isEmptied(
        emptied.filter((row) => row.account === account && row.sink === sink),
        fees,
        dust,
      ),
    )
    if (firstSeenDays(emptiedAccounts) < MIN_EMPTIED) continue
    const accounts = emptiedAccounts.map(({ account, first_seen, last_seen }) => {
      const of = emptied.filter((row) => row.account === account && row.sink === sink)
      return {
        account,
        gasAt: first_seen,
        emptiedAt: last_seen,
        assets: of.filter(({ given }) => given > 0).map(({ asset }) => asset),
        transactions: [...new Set(of.flatMap(({ transactions }) => transactions))].sort(),
      }
    })
    const one: KeySweep = { mixed: mixed.get(sweep) ?? [], accounts }
    const best = found.get(sink)
    const weight = ({ mixed, accounts }: KeySweep) => (mixed.length > 0 ? 1e6 : 0) + accounts.length
    if (best === undefined || weight(one) > weight(best)) found.set(sink, one)
  }
  return found
}
