/**
 * Profiles of wallets: /fraud/audit, /segmentation/wallet-segment and /users/credit-score in one computation. The fraud record comes
 * from rescore; everything else is read from one state of the tables. Ages and windows end at the newest block's time, so the same
 * data gives the same bytes, except for the check times of the fraud record.
 */
import type { Context } from '../../platform/context/context.ts'
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import { type Network, networkInfo } from '../../schema/networks.ts'
import { type FetchedPast, isWhole, loadFetched } from '../ledger/past/fetched.ts'
import { createPrices } from '../ledger/prices/prices.ts'
import { readSettled } from '../ledger/reading/settled.ts'
import { createTieredStore, loadTiers } from '../ledger/reading/tiers.ts'
import type { Rescore } from '../rescore/rescore.ts'
import type { Verdict } from '../scoring/verdict.ts'
import { assemble, type WalletProfile } from './assemble.ts'
import { createFacts, type ProfileFacts } from './facts.ts'
import { loadActions, noActions } from './load/actions.ts'
import { loadActivityTotals, NO_ACTIVITY } from './load/activity-totals.ts'
import { loadCreditHistory } from './load/credit-history.ts'
import { loadMoney, valueMoney } from './load/money.ts'
import { loadRanks } from './ranks.ts'

const COVERAGE = readSql(import.meta.url, './load/sql/coverage.sql')

/** Computes profiles. It neither stores nor looks up stored ones. */
export type Profiles = {
  /**
   * Profiles in the order of the canonical addresses, undefined for those never seen. `asOf` is the check time in ms since the epoch,
   * by default now.
   */
  profile: (
    network: Network,
    addresses: readonly string[],
    asOf?: number,
  ) => Promise<({ profile: WalletProfile; dataHeight: number } | undefined)[]>
}

type ProfilesDeps = {
  context: Pick<Context, 'metrics' | 'clock'>
  store: Store
  rescore: Pick<Rescore, 'rescore'>
  /** Facts about a network; by default from the registry. */
  facts?: (network: Network) => ProfileFacts
}

type Coverage = { first: number | null; time: number | null; sees_traces: 0 | 1 | null }

const NO_COVERAGE: Coverage = { first: null, time: null, sees_traces: null }

/** Fields that are counted over the covered blocks only. */
const HISTORY = ['history', 'wallet_age_days', 'transaction_count', 'experience']

const coverageUnknowns = ({ first, sees_traces }: Coverage, fetched: FetchedPast | undefined): string[] => [
  ...(first !== null && first > 1 && !(fetched && isWhole(fetched, first))
    ? HISTORY.map((what) => `${what}: blocks before ${first} are not indexed`)
    : []),
  ...(sees_traces === 0 ? ['internal transfers: the node provides no traces'] : []),
]

/** Caches facts and prices by network. Scores wallets first, then loads the profiles of a batch together. */
export const createProfiles = ({ context, store, rescore, facts = createFacts }: ProfilesDeps): Profiles => {
  const seconds = context.metrics.histogram('assay_profile_seconds', 'Duration of profiling wallets', ['network'])
  const known = new Map<Network, ProfileFacts>()
  const factsOf = (network: Network): ProfileFacts => {
    const cached = known.get(network) ?? facts(network)
    known.set(network, cached)
    return cached
  }
  const readPrices = createPrices(store)

  const profilesOf = async (network: Network, scored: readonly Verdict[]) =>
    readSettled(store, network, async (heights) => {
      const { head } = heights
      const addresses = [...new Set(scored.map(({ address }) => address))]
      const [[coverage], { hot }, fetched] = await Promise.all([
        store.query<Coverage>(COVERAGE, { network, head }, { route: 'profile_coverage' }),
        loadTiers(store, network, addresses, heights),
        loadFetched(store, network, addresses),
      ])
      const time = coverage?.time ?? 0
      const tiered = createTieredStore(store, fetched.size > 0 ? 'whole' : hot.size > 0 ? 'all' : 'final')
      const options = { store: tiered, facts: factsOf(network), addresses, head, time }
      const [totalsOf, actions, money, prices, ranks] = await Promise.all([
        loadActivityTotals(options),
        loadActions(options),
        loadMoney(options),
        readPrices(options.facts, head, time),
        loadRanks(store, network, addresses),
      ])
      const borrowers = addresses.filter((address) => actions.get(address)?.verbs.has('borrow'))
      const creditHistoryOf = networkInfo(network).operations.includes('credit_score')
        ? await loadCreditHistory({ ...options, prices, borrowers })
        : undefined
      const profiles = scored.map((one) => {
        const totals = totalsOf.get(one.address) ?? NO_ACTIVITY
        const { holdings, flows, activeMonths } = money(one.address)
        const valuation = valueMoney({
          facts: options.facts,
          prices,
          money: { holdings, flows, activeMonths },
          fees: totals.fees,
          time,
          firstSeen: totals.first_seen ?? time,
        })
        const profile = assemble({
          scored: one,
          totals,
          facts: options.facts,
          actions: actions.get(one.address) ?? noActions(),
          holdings,
          valuation: {
            ...valuation,
            unknowns: [...coverageUnknowns(coverage ?? NO_COVERAGE, fetched.get(one.address)), ...valuation.unknowns],
          },
          activeMonths,
          creditHistory: creditHistoryOf?.(one.address),
          rank: ranks.get(one.address) ?? 0,
          time,
        })
        return { profile, dataHeight: head }
      })
      return new Map(profiles.map((one) => [one.profile.scored.address, one]))
    })

  return {
    profile: async (network, addresses, asOf = context.clock.now()) => {
      const end = seconds.startTimer({ network })
      const scored = (await rescore.rescore(network, [...new Set(addresses)], asOf)).filter(({ seen }) => seen)
      const found = scored.length === 0 ? new Map<string, never>() : await profilesOf(network, scored)
      end()
      return addresses.map((address) => found.get(address))
    },
  }
}
