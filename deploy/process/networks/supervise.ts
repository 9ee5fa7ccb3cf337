/**
 * Supervises the work on each network independently. A failed part (such as indexing of Ethereum) is restarted or waits for an
 * operator; others are not affected. States of a part:
 *
 *     starting ---> running <---> waiting     the run retries a failure by itself
 *        ^             |             |
 *        |             v             |
 *        +--------- waiting <--------+        the run ended, and begins again after a pause
 *                      |
 *                   stopped                   an operator has to change something
 *
 * The role ends if store or bus fail, or if all its networks are misconfigured.
 */
import type { Bus, Consumer } from '../../../platform/bus/bus.ts'
import type { Context } from '../../../platform/context/context.ts'
import { createLifecycle } from '../../../platform/context/lifecycle.ts'
import { messageOf } from '../../../platform/errors.ts'
import type { Network } from '../../../schema/networks.ts'
import type { Part, PartProgress, PartReport, PartState, Trouble } from '../../../schema/records/service/status.ts'
import { isMisconfigured, RESTART_TIMES, type RestartTimes, remedyOf, shownError } from './failures.ts'

/** Callbacks with which a run reports its state. */
export type Handle = {
  /** The run works. `progress` is called for every report; its `trouble` is a failure that the run retries itself. */
  running: (progress: () => PartProgress & { trouble?: Trouble | undefined }) => void
  /** A failure that the run retries itself. */
  failing: (error: unknown) => void
  /** The failure is over. */
  recovered: () => void
}

/** Works until the lifecycle of its context ends. Called anew after a failure, without state of the run before. */
export type Run = (context: Context, handle: Handle) => Promise<void>

/** Starts and restarts parts. */
export type Supervision = {
  start: (network: Network, part: Part, run: Run) => void
  reports: () => PartReport[]
  /** Resolves when the lifecycle and all runs have ended; rejects with an error that concerns every network. */
  done: Promise<void>
}

type Supervised = { report: () => PartReport; misconfigured: () => unknown; ended: Promise<void> }

const supervise = (
  context: Context,
  {
    network,
    part,
    run,
    times,
    onStop,
  }: { network: Network; part: Part; run: Run; times: RestartTimes; onStop: () => void },
): Supervised => {
  const { clock, log, metrics, lifecycle } = context
  const up = metrics.gauge('assay_network_up', '1 while a part of a network is running', ['network', 'part'])
  const stops = metrics.counter('assay_network_failures_total', 'Failed runs of a part of a network, by code', [
    'network',
    'part',
    'code',
  ])
  let state: PartState = 'starting'
  let since = clock.now()
  let trouble: Trouble | undefined
  let retryAt: number | undefined
  let progress: (() => PartProgress & { trouble?: Trouble | undefined }) | undefined
  let wrong: unknown

  const enter = (next: PartState) => {
    if (next !== state) since = clock.now()
    state = next
    up.set({ network, part }, next === 'running' ? 1 : 0)
  }
  const note = (error: unknown) => {
    trouble = { ...shownError(error), since: trouble?.since ?? clock.now() }
  }
  const handle: Handle = {
    running: (asked) => {
      progress = asked
      trouble = undefined
      enter('running')
    },
    failing: (error) => {
      if (state === 'running') note(error)
    },
    recovered: () => {
      if (state === 'running') trouble = undefined
    },
  }

  /** One run with its own lifecycle, closed before the next begins. @returns the error that ended it */
  const attempt = async (): Promise<unknown> => {
    const own = createLifecycle()
    const end = () => void own.close()
    lifecycle.signal.addEventListener('abort', end, { once: true })
    try {
      if (lifecycle.signal.aborted) return undefined
      await run({ ...context, lifecycle: own }, handle)
      return new Error('the run ended without being asked to')
    } catch (error) {
      return error
    } finally {
      lifecycle.signal.removeEventListener('abort', end)
      await own.close()
    }
  }

  const loop = async () => {
    let failures = 0
    while (!lifecycle.signal.aborted) {
      const began = clock.now()
      const error = await attempt()
      if (lifecycle.signal.aborted) return
      if (clock.now() - began >= times.soundMs) failures = 0
      const remedy = remedyOf(error, failures, times)
      failures += 1
      note(error)
      wrong = isMisconfigured(error) ? error : undefined
      const { code } = shownError(error)
      stops.inc({ network, part, code })
      const againMs = remedy.kind === 'all' ? undefined : remedy.againMs
      log.error(
        { network, part, code, failures, againMs, reason: messageOf(error), err: error },
        'stopped work on a network',
      )
      retryAt = againMs === undefined ? undefined : clock.now() + againMs
      enter(remedy.kind === 'again' ? 'waiting' : 'stopped')
      if (remedy.kind === 'all') throw error
      if (remedy.kind === 'stop') onStop()
      if (againMs === undefined) return
      await clock.sleep(againMs, lifecycle.signal).catch(() => undefined)
      retryAt = undefined
    }
  }

  up.set({ network, part }, 0)
  return {
    ended: loop(),
    misconfigured: () => (state === 'stopped' ? wrong : undefined),
    report: () => {
      const { trouble: own, ...known } = progress?.() ?? {}
      const shown = trouble ?? own
      return {
        network,
        part,
        state: state === 'running' && shown ? 'waiting' : state,
        since: state === 'running' && shown ? shown.since : since,
        ...(shown && { trouble: shown }),
        ...(retryAt !== undefined && { retryAt }),
        progress: known,
      }
    },
  }
}

/** Creates the supervision of one role. */
export const createSupervision = (context: Context, times: RestartTimes = RESTART_TIMES): Supervision => {
  const { lifecycle } = context
  const parts: Supervised[] = []
  let fail: (error: unknown) => void = () => undefined
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  const asked = new Promise<void>((resolve) =>
    lifecycle.signal.addEventListener('abort', () => resolve(), { once: true }),
  )
  /** Ends the role if all its networks are misconfigured. */
  const giveUp = () => {
    const wrong = parts.map((part) => part.misconfigured())
    if (wrong.every((error) => error !== undefined)) fail(wrong[0])
  }
  const done = Promise.race([asked, failed]).then(
    async () => void (await Promise.allSettled(parts.map((p) => p.ended))),
  )
  done.catch(() => undefined)

  return {
    done,
    reports: () => parts.map((part) => part.report()),
    start: (network, part, run) => {
      const supervised = supervise(context, { network, part, run, times, onStop: () => queueMicrotask(giveUp) })
      parts.push(supervised)
      supervised.ended.catch(fail)
      lifecycle.onClose(`${part} ${network}`, () => supervised.ended.catch(() => undefined))
    },
  }
}

/** The bus, with failures of its consumers reported: failed messages are delivered again without end, and have to be visible. */
export const watchConsumers = (bus: Bus, handle: Pick<Handle, 'failing' | 'recovered'>): Bus => ({
  ...bus,
  consumer: async (options): Promise<Consumer> => {
    const consumer = await bus.consumer(options)
    const failing = new Set<string>()
    return {
      close: consumer.close,
      run: (work) =>
        consumer.run(async (batch) => {
          const place = `${batch.topic}/${batch.partition}`
          try {
            await work(batch)
            if (failing.delete(place) && failing.size === 0) handle.recovered()
          } catch (error) {
            if (!batch.signal.aborted) {
              failing.add(place)
              handle.failing(error)
            }
            throw error
          }
        }),
    }
  },
})
