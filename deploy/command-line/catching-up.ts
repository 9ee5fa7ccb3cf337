/** Progress of networks that catch up, as a terminal shows it: blocks done, rate, time left and completion. */
import type { NetworkStatus } from '../../api/http/ops.ts'
import type { Config } from '../../platform/config/config.ts'
import { historyBlocksOf } from '../../platform/config/history.ts'
import type { Clock } from '../../platform/context/clock.ts'
import { networkInfo } from '../../schema/networks.ts'
import { dayOf, duration, grouped } from './text.ts'

const POLL_MS = 1_000
/** Interval of progress lines where output is not a terminal. */
const LINE_MS = 10_000

/** Where each network begins, and which settings change that. */
export const historyLines = (config: Config): string[] => [
  ...config.networks.map(({ network, startBlock }) => {
    if (startBlock !== undefined)
      return `${network}  indexes from block ${startBlock}, or continues where the last run stopped.`
    const blocks = historyBlocksOf(config, network)
    const by = config.ASSAY_HISTORY_BLOCKS === undefined ? 'ASSAY_HISTORY_HOURS' : 'ASSAY_HISTORY_BLOCKS'
    return `${network}  indexes from ${grouped(blocks)} blocks (${duration(blocks * networkInfo(network).blockTimeMs)}) behind the head, or continues where the last run stopped. To change this, set ${network}_START_BLOCK or ${by}.`
  }),
  ...(config.ASSAY_AUTHORITY_LOGS === 'off'
    ? []
    : ['Logs of sanctions lists, issuers and mixers are always read from their first block.']),
]

const blocksOf = ({ head, stored, indexedSince, catchingUp }: NetworkStatus): string | undefined => {
  if (head === undefined || stored === undefined || indexedSince === undefined || head <= indexedSince.block)
    return undefined
  const all = head - indexedSince.block
  const done = Math.min(all, Math.max(0, stored - indexedSince.block))
  const { blocksPerSecond: rate, secondsLeft: left } = catchingUp ?? {}
  const pace = rate ? `, ${grouped(rate)} blocks/s` : ''
  return `blocks ${grouped(done)} of ${grouped(all)} (${Math.floor((done * 100) / all)} %)${pace}${left === undefined ? '' : `, ${duration(left * 1_000)} left`}`
}

const logsOf = ({ authorities }: NetworkStatus): string | undefined => {
  if (!authorities || authorities.complete === authorities.logs) return undefined
  const left = authorities.leftSeconds > 0 ? `, ${duration(authorities.leftSeconds * 1_000)} left` : ''
  return `logs of authorities ${authorities.complete} of ${authorities.logs} (${Math.floor(authorities.part * 100)} %)${left}`
}

/** Progress of a network in one line. */
export const progressLine = (status: NetworkStatus): string => {
  const { network, error, reasons } = status
  const steps = [blocksOf(status), logsOf(status)].filter((step) => step !== undefined)
  const trouble = error ? [`waits: ${error.code}`] : []
  const rest =
    steps.length + trouble.length > 0 ? [] : reasons.slice(0, 1).map((reason) => reason.replace(`${network} `, ''))
  return `${network}  ${[...steps, ...trouble, ...rest].join('; ')}`
}

/** Last progress line of a network. It names the first indexed block, because verdicts know nothing before it. */
export const caughtUpLine = ({ network, stored, indexedSince }: NetworkStatus, tookMs: number): string => {
  const since = indexedSince ? ` Indexed since block ${indexedSince.block} (${dayOf(indexedSince.time)}).` : ''
  return `${network}  caught up at block ${stored ?? 0} after ${duration(tookMs)}.${since}`
}

/**
 * Where progress is read from and written to. Without a terminal (`isTTY`), lines are written less often and never
 * overwritten.
 */
export type CatchingUpOptions = {
  status: () => Promise<NetworkStatus[]>
  clock: Pick<Clock, 'now' | 'sleep'>
  signal: AbortSignal
  out: { write: (text: string) => unknown; isTTY?: boolean | undefined; columns?: number | undefined }
}

/** Shows progress until every network has caught up once, or the signal. Never rejects. */
export const showCatchingUp = async ({ status, clock, signal, out }: CatchingUpOptions): Promise<void> => {
  const startedAt = clock.now()
  const caughtUp = new Set<string>()
  let printedAt = Number.NEGATIVE_INFINITY
  let open = false
  const line = (text: string) => {
    out.write(`${open ? '\r\x1b[K' : ''}${text}\n`)
    open = false
  }
  const show = (lines: readonly string[]) => {
    if (out.isTTY) {
      out.write(`\r\x1b[K${lines.join('  |  ').slice(0, (out.columns ?? 80) - 1)}`)
      open = true
      return
    }
    if (clock.now() - printedAt < LINE_MS) return
    printedAt = clock.now()
    for (const text of lines) line(text)
  }

  while (!signal.aborted) {
    const networks = await status().catch(() => undefined)
    if (networks && !signal.aborted) {
      for (const one of networks) {
        if (!one.ready || caughtUp.has(one.network)) continue
        caughtUp.add(one.network)
        line(caughtUpLine(one, clock.now() - startedAt))
      }
      const rest = networks.filter(({ network }) => !caughtUp.has(network))
      if (rest.length === 0) return
      show(rest.map(progressLine))
    }
    await clock.sleep(POLL_MS, signal).catch(() => undefined)
  }
  if (open) out.write('\n')
}
