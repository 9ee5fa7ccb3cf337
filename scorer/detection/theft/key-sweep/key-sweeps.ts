/**
 * Sweeps of stolen keys: several unrelated accounts, in transactions they signed, give all they have to one address that just sent
 * them the gas for it (semantics row 13).
 *
 * Exchanges collect from deposit addresses in the same way, people from their own old wallets, and farmers of airdrops from wallets
 * made in series. Victims differ: they were active on their own, nothing links them, they were first seen on different days, and
 * none was funded by another, by the sweeper or by a party they share. A custodian that moves the used wallets of its users still
 * looks the same, so a sweep proves a theft only where mixers paid for it or received the proceeds; otherwise it is a suspicion.
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

/** Unrelated accounts (semantics row 13). */
export const MIN_EMPTIED = 5
/** Part of each asset that went (semantics row 13: 95 %). */
const EMPTIED_SHARE = 0.95
/** From the first to the last account emptied, s: "within minutes". */
const WITHIN_S = 30 * 60
/** From the gas to the sweep at most, s. */
const RELATION_S = 3_600
/** From the last account emptied until the proceeds have gone into a mixer, and from the first gas to the sweep, s. Our choice. */
const MIXED_WITHIN_S = 30 * 86_400
/** Wallets that deal with more partners than this are services. */
const MAX_PARTIES = 5_000

/** Accounts that one sink emptied together. Times of the accounts are in Unix seconds. */
export type KeySweep = {
  /** Transactions with mixers that make the sweep a theft: withdrawals that paid its gas, deposits of the proceeds. */
  mixed: string[]
  accounts: { account: string; gasAt: number; emptiedAt: number; assets: string[]; transactions: string[] }[]
}

/** Funders, ages and belongings of accounts are known where their past is; so is what the sink began with. */
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
  // Partners, as anybody can name thousands of counterparties in the events of a token of his own.
  wallet.in_partners <= MAX_PARTIES &&
  wallet.out_partners <= MAX_PARTIES

/**
 * Runs of relations whose ends lie within WITHIN_S of each other, none within another. Relations are in the order of their ends. All count:
 * a thief could empty more accounts of his own some other day.
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

/** Gas may be left over from what the sink lent, and dust of what it did not take; of everything else nearly all has to be gone. */
const isEmptied = (rows: readonly Emptied[], fees: number, dust: ReadonlyMap<string, bigint>): boolean =>
  rows.some(({ asset, given, lent }) => given > (asset === '' ? lent : 0)) &&
  rows.every(({ asset, given, lent, left_over }) => {
    const left = asset === '' ? Math.max(0, left_over - fees) : left_over
    const gone = left - lent <= (1 - EMPTIED_SHARE) * (given + left) && given + left >= KNOWN_SHARE * given
    return gone || (given === 0 && left <= (dust.get(asset) ?? 0))
  })

type Sweep = { sink: string; run: readonly Stranger<Relation>[] }

/** What the sinks did with mixers: coins they began with, before their sweeps, and what they put in soon after. */
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
      const telling = moves.filter(
        ({ address, pool, event, time }) =>
          address === sink &&
          (event === 'mixer_deposit'
            ? time >= began && time <= ended + MIXED_WITHIN_S
            : time <= began && time >= began - MIXED_WITHIN_S && pool === funder && MIXER_POOLS[network].has(pool)),
      )
      return [sweep, telling.map(({ tx_hash }) => tx_hash)]
    }),
  )
}

/**
 * Sweeps by the sink, one of each: one that mixers make a theft, else the run with most accounts. Only wallets with five partners in
 * both directions are read.
 */
export const loadKeySweeps = async (context: LoadContext): Promise<Map<string, KeySweep>> => {
  const { store, network } = context
  const found = new Map<string, KeySweep>()
  const addresses = walletsWhere(context, mayCollect)
  if (addresses.length === 0) return found
  // Few wallets have so many, and only theirs are worth reading movements for.
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
