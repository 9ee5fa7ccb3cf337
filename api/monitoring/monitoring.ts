/**
 * Assembles monitoring. Every replica serves watch lists, alerts and endpoints. The leader, which holds the lease, compares verdicts,
 * creates alerts and delivers events; the next leader continues at its position.
 */

import type { FastifyInstance } from 'fastify'
import type { Bus } from '../../platform/bus/bus.ts'
import type { Secret } from '../../platform/config/config.ts'
import { isWithin } from '../../platform/context/clock.ts'
import type { Context } from '../../platform/context/context.ts'
import { periodically, periodicallyUnlessWoken } from '../../platform/context/periodic.ts'
import type { PostOptions } from '../../platform/outgoing/post.ts'
import type { Store } from '../../platform/store/store.ts'
import type { AuditLog } from '../accounting/audit/log.ts'
import type { CatchingUpOf } from '../answers/catching-up.ts'
import type { Authorize } from '../http/authorize.ts'
import type { KeyRing } from '../keys/ring.ts'
import { createAlerts } from './alerts/alerts.ts'
import { createCompare } from './lead/compare.ts'
import { createFollow } from './lead/follow.ts'
import { createLease, LEASE_TUNING, type LeaseTuning, ownLease } from './lead/lease.ts'
import { createPositions } from './lead/position.ts'
import { installAlerts } from './routes/alerts.ts'
import { installWatch } from './routes/watch.ts'
import { installWebhooks } from './routes/webhooks.ts'
import { createWatchList } from './watch/list.ts'
import { createVerdicts } from './watch/verdicts.ts'
import { createDeliver } from './webhooks/deliver.ts'
import { createDeliveries } from './webhooks/deliveries.ts'
import { createEndpoints } from './webhooks/endpoints.ts'
import { createSeals } from './webhooks/secrets.ts'
import { createSend } from './webhooks/send.ts'

/** Timeout of a delivery attempt, ms. */
const DEADLINE_MS = 15_000

const TUNING = {
  /** Pause between comparisons, ms. Verdicts that change and return in between are not reported. */
  comparePauseMs: 1_000,
  deliverPauseMs: 100,
  /** Pause between deliveries while none is waiting, ms. */
  restPauseMs: 5_000,
  flushPauseMs: 1_000,
  /** How often changes by other processes to lists and endpoints are polled, ms. Changes of this process apply at once. */
  lookMs: 2_000,
  /** The same poll interval if no other process shares the store, ms. */
  aloneLookMs: 600_000,
  reloadMs: 3_600_000,
  lease: LEASE_TUNING satisfies LeaseTuning,
}

/** Dependencies of monitoring. */
export type MonitoringOptions = {
  context: Context
  store: Store
  bus: Pick<Bus, 'offsets' | 'read'>
  authorize: Authorize
  ring: KeyRing
  catchingUp: CatchingUpOf
  /** Keys that encrypt webhook secrets: the first encrypts, all decrypt. No key: no webhooks. */
  keys: readonly Secret[]
  /** Addresses that an account may watch. */
  watchLimit: number
  /** Whether no other process shares the store: then it is polled less often. @default false */
  alone?: boolean
  /** Records decisions about alerts; nothing is recorded without it. */
  audit?: AuditLog | undefined
  /** Restrictions of webhook URLs. */
  targets?: Partial<PostOptions> | undefined
  /** Intervals, overridden by tests. @default TUNING */
  tuning?: Partial<typeof TUNING> | undefined
}

/** Routes run on every replica; comparison and delivery run on the leader. */
export const createMonitoring = (options: MonitoringOptions) => {
  const { context, store, bus, authorize, ring, catchingUp, keys, watchLimit, audit, alone = false } = options
  const { clock, lifecycle, metrics } = context
  const tuning = { ...TUNING, ...options.tuning }
  const targets: PostOptions = { allowLoopback: false, deadlineMs: DEADLINE_MS, ...options.targets }
  const list = createWatchList(store)
  const verdicts = createVerdicts(store)
  const endpoints = createEndpoints(store, clock.now)
  const deliveries = createDeliveries(store)
  const alerts = createAlerts(store)
  const positions = createPositions(store)
  const seals = createSeals(keys)
  const lease = alone ? ownLease() : createLease(store, 'monitoring', tuning.lease)
  const lookMs = alone ? tuning.aloneLookMs : tuning.lookMs
  const deliver = createDeliver({
    context,
    deliveries,
    endpoints,
    callerOf: ring.callerOf,
    send: createSend(context, seals, targets),
  })
  const compare = createCompare({
    context,
    list,
    verdicts,
    alerts,
    deliveries,
    catchingUp,
    callerOf: ring.callerOf,
    // Without a key nothing can be signed, so no deliveries are created.
    endpointsOf: keys.length > 0 ? deliver.endpointsOf : () => [],
  })
  let wakeDeliveries = () => {}
  const onMade: typeof deliver.add = (made, known) => {
    deliver.add(made, known)
    wakeDeliveries()
  }
  const follow = createFollow({ context, bus, list, verdicts, positions, compare, catchingUp, onMade })
  const holds = metrics.gauge(
    'assay_monitoring_holds',
    '1 if this process is the leader that compares verdicts and delivers events',
  )

  let leads = false
  let lookedAt = 0
  /** Whether this process wrote lists or endpoints since the last poll. */
  let isChanged = false
  let reloadedAt = 0
  let endpointsVersion = ''
  let askedSince = 0

  const lookAtEndpoints = async () => {
    const version = await endpoints.version()
    if (version !== endpointsVersion) await deliver.refresh()
    endpointsVersion = version
    for (const { endpoint, stored } of await deliveries.asked(askedSince)) {
      askedSince = Math.max(askedSince, stored)
      deliver.wake(endpoint)
    }
  }

  const takeOver = async () => {
    endpointsVersion = await endpoints.version()
    askedSince = await positions.now()
    await deliver.refresh()
    await follow.takeOver()
    reloadedAt = clock.now()
  }

  /** Polls for changes. */
  const look = async () => {
    await follow.recheckCaughtUp()
    if (!isChanged && isWithin(clock, lookMs, lookedAt)) return
    lookedAt = clock.now()
    isChanged = false
    try {
      await lookAtEndpoints()
      await follow.learn()
    } catch (error) {
      isChanged = true
      throw error
    }
    if (isWithin(clock, tuning.reloadMs, reloadedAt)) return
    reloadedAt = clock.now()
    await list.clear()
    await follow.reload()
  }

  const round = async (): Promise<void> => {
    const held = await lease.hold()
    holds.set(held ? 1 : 0)
    if (held && !leads) await takeOver()
    if (!held && leads) {
      await deliver.flush()
      deliver.reset()
      follow.reset()
    }
    leads = held
    if (!leads) return
    await look()
    while (!lifecycle.signal.aborted && (await lease.hold()) && (await follow.advance())) await look()
  }

  let comparing = Promise.resolve()
  const compareNow = (): Promise<void> => {
    const done = comparing.then(round).then(() => {
      if (!deliver.isAtRest()) wakeDeliveries()
    })
    comparing = done.catch(() => undefined)
    return done
  }

  /** Makes the next round poll lists and endpoints. */
  const written = () => {
    isChanged = true
  }

  return {
    install: (app: FastifyInstance) => {
      const routes = { context, authorize, ring, written }
      installWatch(app, { ...routes, list, verdicts, limit: watchLimit })
      installAlerts(app, { ...routes, alerts, audit })
      installWebhooks(app, { ...routes, endpoints, deliveries, seals, targets, available: keys.length > 0 })
    },
    written,
    start: () => {
      periodically(context, 'watch verdicts', tuning.comparePauseMs, compareNow)
      lifecycle.onClose('monitoring', async () => {
        await comparing
        await deliver.close()
        await lease.release()
      })
      if (keys.length === 0) return
      // A comparison ends the rest, because it adds deliveries and polls endpoints.
      const pauseMs = () => (deliver.isAtRest() ? tuning.restPauseMs : tuning.deliverPauseMs)
      wakeDeliveries = periodicallyUnlessWoken(context, 'deliver events', pauseMs, async () => {
        if (leads && lease.isHeld()) await deliver.work()
      })
      periodically(context, 'note deliveries', tuning.flushPauseMs, deliver.flush)
    },
  }
}
