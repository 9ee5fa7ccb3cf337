/**
 * Decides whether the verdicts of a network have caught up with its tables. Wallets scored while blocks or logs were missing are
 * scored again; until then, a stored verdict may change without new events.
 *
 *     behind ---> blocks and logs are there ---> what is queued by then is scored ---> no verdict rests on half a log: settled
 *        ^                                                                                                       |
 *        +------------------------------------- behind again ----------------------------------------------------+
 */
import type { Bus } from '../../../platform/bus/bus.ts'
import type { Context } from '../../../platform/context/context.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { topics } from '../../../schema/topics.ts'
import { LOG_IS_INCOMPLETE } from '../../../scorer/ledger/authorities/coverage.ts'
import { scoringGroupOf } from '../../../scorer/rescore/stream.ts'

const UNSURE = readSql(import.meta.url, './sql/unsure.sql')

/** Check whether verdicts have caught up with the tables. */
export type Verdicts = {
  /**
   * Why verdicts of a network are not reliable yet; `undefined` if they are. Once they are, nothing is queried any more.
   * @param behind whether blocks or logs are missing
   * @param logsKnown whether its authority logs are complete, so that no verdict has to leave them open
   */
  missing: (network: Network, behind: boolean, logsKnown: boolean) => Promise<string | undefined>
}

/**
 * Maximum time for which one wallet delays its network, ms. A wallet whose scoring always fails would delay it forever; its record
 * still names what is unknown.
 */
const STUCK_MS = 15 * 60_000

/**
 * State of a network that is not behind. `until` is the sum of the end offsets of the queue when it had caught up; `unsure` is the
 * first wallet whose verdict is based on an incomplete log, and since when it is the first, ms since the epoch.
 */
type State = { until: bigint; unsure?: { address: string; since: number } } | 'settled'

/** Creates the check. It queries bus and store only until verdicts have caught up. */
export const createVerdicts = (
  { clock, log }: Pick<Context, 'clock' | 'log'>,
  bus: Pick<Bus, 'offsets' | 'lag'>,
  store: Pick<Store, 'query'>,
): Verdicts => {
  const states = new Map<Network, State>()

  const queueOf = async (network: Network) => {
    const topic = topics.rescore(network)
    const places = await bus.offsets(topic)
    const sent = places.reduce((sum, { next }) => sum + next, 0n)
    return { sent, scored: sent - (await bus.lag(scoringGroupOf(network), topic)) }
  }

  const unsureOf = async (network: Network): Promise<string | undefined> => {
    const params = { network, words: LOG_IS_INCOMPLETE }
    const [row] = await store.query<{ address: string }>(UNSURE, params, { route: 'unsure_verdicts' })
    return row?.address
  }

  return {
    missing: async (network, behind, logsKnown) => {
      if (behind) {
        states.delete(network)
        return undefined
      }
      const state = states.get(network)
      if (state === 'settled') return undefined
      const { sent, scored } = await queueOf(network)
      const until = state?.until ?? sent
      states.set(network, { ...state, until })
      if (scored < until) return 'is scoring what it has read'
      const address = logsKnown ? await unsureOf(network) : undefined
      if (address !== undefined) {
        const before = state?.unsure
        const unsure = before?.address === address ? before : { address, since: clock.now() }
        states.set(network, { until, unsure })
        if (clock.now() - unsure.since < STUCK_MS) return 'is scoring again what it judged before it knew all logs'
        log.warn(
          { network, address },
          'a verdict from before all logs were known is not scored again, going on without it',
        )
      }
      states.set(network, 'settled')
      return undefined
    },
  }
}
