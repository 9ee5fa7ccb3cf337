/** What is known of the logs of authorities, as the API finds it in the tables. */
import { steadyTime } from '../../../platform/context/clock.ts'
import type { Context } from '../../../platform/context/context.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { AUTHORITY_LISTS } from '../../../schema/registry/authorities.ts'
import { type LogCoverage, loadLogCoverage } from '../../../scorer/ledger/authorities/coverage.ts'

/** How much of the logs of one network is read. */
export type AuthorityState = LogCoverage['progress'] & {
  /** Why lists are not known from their first block on. */
  missing: Record<string, string>
  /** What stands between the network and its callers, for `/ready`. */
  reasons: string[]
}

/** State of the logs of every network, read when it is asked for. A complete one is looked at again after a minute. */
export type AuthorityLogs = { read: () => Promise<ReadonlyMap<Network, AuthorityState>> }

/** What an operator can do about logs that no endpoint has: waiting does not bring them. */
const WAY_OUT =
  'Add an endpoint that has the whole history and restart the indexer, or set ASSAY_AUTHORITY_LOGS=optional: the network then answers, and what rests on these logs is unknown (docs/verdicts/coverage.md)'

/** How long a network whose logs are complete is not looked up, ms. */
const COMPLETE_FOR_MS = 60_000

const missingOf = (coverage: LogCoverage): [string, string][] =>
  AUTHORITY_LISTS.flatMap((list): [string, string][] => {
    const why = coverage.missing(list)
    return why === undefined ? [] : [[list, why]]
  })

/** @param required whether a network without all logs of its authorities is not ready. */
export const createAuthorityLogs = (
  { metrics, clock }: Pick<Context, 'metrics' | 'clock'>,
  store: Store,
  networks: readonly Network[],
  required: boolean,
): AuthorityLogs => {
  const time = steadyTime(clock.now)
  const complete = metrics.gauge(
    'assay_authority_logs_complete',
    'Logs of authorities known from their first block on',
    ['network'],
  )
  const registered = metrics.gauge('assay_authority_logs_registered', 'Logs of authorities that have to be known', [
    'network',
  ])
  const known = new Map<Network, { at: number; state: AuthorityState }>()
  /** A log that is complete stays so: it is looked up again now and then only. */
  const recall = (network: Network): AuthorityState | undefined => {
    const { at, state } = known.get(network) ?? { at: 0, state: undefined }
    return state && state.complete === state.logs && time() - at < COMPLETE_FOR_MS ? state : undefined
  }
  const look = async (network: Network): Promise<AuthorityState> => {
    const coverage = await loadLogCoverage(store, network)
    const { progress } = coverage
    const missing = missingOf(coverage)
    const left = progress.leftSeconds > 0 ? `, about ${progress.leftSeconds} s left` : ''
    const read = `${Math.floor(progress.part * 100)} % read${left}`
    const unread = `${network} does not know all logs of its authorities (${read}): ${missing[0]?.[1] ?? ''}${progress.stuck ? `. ${WAY_OUT}` : ''}`
    // Elsewhere nodes cannot be asked for the logs of a contract: its flags stay unknown, and waiting would not help.
    const readable = networkInfo(network).dialect !== null
    const lacking = required && readable && progress.complete < progress.logs
    complete.set({ network }, progress.complete)
    registered.set({ network }, progress.logs)
    const state = { ...progress, missing: Object.fromEntries(missing), reasons: lacking ? [unread] : [] }
    known.set(network, { at: time(), state })
    return state
  }

  return {
    read: async () =>
      new Map(
        await Promise.all(
          networks.map(async (network) => [network, recall(network) ?? (await look(network))] as const),
        ),
      ),
  }
}
