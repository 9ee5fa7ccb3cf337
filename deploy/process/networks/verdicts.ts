/**
 * Whether the verdicts of a network have caught up with its tables. What was scored while blocks or logs were missing is scored again
 * once they are there; until that is done, a stored verdict may turn without anything new.
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

/** Whether verdicts have caught up with tables. */
export type Verdicts = {
  /**
   * What keeps the verdicts of a network, of which blocks and logs are there or not (`behind`), from being relied on; `undefined`
   * when nothing does. Nothing is asked once that is so.
   * @param logsKnown whether its logs of authorities are complete, so that no verdict has to leave them open
   */
  missing: (network: Network, behind: boolean, logsKnown: boolean) => Promise<string | undefined>
}

/**
 * How long the same wallet holds up its network, ms. One whose scoring fails again and again would do so for ever; its record goes on
 * naming what it leaves open.
 */
const STUCK_MS = 15 * 60_000

/**
 * Of a network that is not behind: `until` is the sum of the offsets behind what was queued when it no longer was, `unsure` the first
 * wallet whose verdict rests on half a log, and since when it is the first (ms since the epoch).
 */
type State = { until: bigint; unsure?: { address: string; since: number } } | 'settled'

/** Asks bus and store only while it is open whether verdicts have caught up. */
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
