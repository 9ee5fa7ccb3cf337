/** Coverage of authority logs, read from the tables by the API. */
import { steadyTime } from '../../../platform/context/clock.ts'
import type { Context } from '../../../platform/context/context.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { AUTHORITY_LISTS } from '../../../schema/registry/authorities.ts'
import { type LogCoverage, loadLogCoverage } from '../../../scorer/ledger/authorities/coverage.ts'

/** Coverage of the authority logs of one network. */
export type AuthorityState = LogCoverage['progress'] & {
  /** Why lists are incomplete, by list. */
  missing: Record<string, string>
  /** Why the network is not ready, for `/ready`. */
  reasons: string[]
}

/** Coverage of every network, read on demand. A complete one is cached for a minute. */
export type AuthorityLogs = { read: () => Promise<ReadonlyMap<Network, AuthorityState>> }

/** Advice for logs that no endpoint has. */
const REMEDY =
  'Add an endpoint that has the whole history and restart the indexer, or set ASSAY_AUTHORITY_LOGS=optional: the network then answers, and what rests on these logs is unknown (docs/verdicts/coverage.md)'

/** Cache time of complete coverage, ms. */
const COMPLETE_FOR_MS = 60_000

const missingOf = (coverage: LogCoverage): [string, string][] =>
  AUTHORITY_LISTS.flatMap((list): [string, string][] => {
    const why = coverage.missing(list)
    return why === undefined ? [] : [[list, why]]
  })

/** @param required whether a network with incomplete authority logs is not ready */
export const createAuthorityLogs = (
  { metrics, clock }: Pick<Context, 'metrics' | 'clock'>,
  store: Store,
  networks: readonly Network[],
  required: boolean,
): AuthorityLogs => {
  const time = steadyTime(clock.now)
  const complete = metrics.gauge(
    'assay_authority_logs_complete',
    'Authority logs that are complete from their first block',
    ['network'],
  )
  const registered = metrics.gauge('assay_authority_logs_registered', 'Authority logs that have to be complete', [
    'network',
  ])
  const known = new Map<Network, { at: number; state: AuthorityState }>()
  /** Cached coverage if complete and recent. A complete log stays complete. */
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
    const unread = `${network} does not know all logs of its authorities (${read}): ${missing[0]?.[1] ?? ''}${progress.stuck ? `. ${REMEDY}` : ''}`
    // On other networks nodes cannot return the logs of a contract: its flags stay unknown, and waiting would not help.
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
