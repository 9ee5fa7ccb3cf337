/**
 * Sends waiting deliveries. Each endpoint has its own lane: a few concurrent attempts, only one while it fails, with growing pauses. Slow
 * and failing lanes share a limited number of attempts, so that they cannot block the others. Only the next deliveries of each lane are
 * in memory.
 *
 * Outcomes of attempts are stored once a second. Deliveries whose outcome is lost with a killed process are sent again with the same ids.
 */
import { randomUUID } from 'node:crypto'
import { steadyTime } from '../../../platform/context/clock.ts'
import type { Context } from '../../../platform/context/context.ts'
import type { Caller } from '../../keys/caller.ts'
import { mayAccess } from '../lead/compare.ts'
import type { Deliveries, Delivery, Note } from './deliveries.ts'
import { type Endpoint, type Endpoints, isDisabled } from './endpoints.ts'
import { DISABLE_MS, endpointPause, GIVE_UP_MS, isDue, retryPause } from './schedule.ts'
import type { Attempt, Send } from './send.ts'

/** Maximum concurrent attempts: per lane, of all slow and failing lanes, and in total. */
const MAX_PER_LANE = 4
const MAX_SLOW = 100
const MAX_TOTAL = 200
/** A lane is slow if its last attempt took longer, ms. */
const SLOW_MS = 2_000
/** Deliveries of a lane in memory. */
const MAX_QUEUED = 100
/** Minimum pause between two loads of a lane from the tables, ms. */
const LOAD_MS = 1_000
/** How often a lane gives up expired deliveries, ms. */
const SWEEP_MS = 600_000
/** Sending stops while more outcomes than this wait to be stored. */
const MAX_NOTES = 2_000
const UNSIGNED_PAUSE_MS = 60_000
/** How long shutdown waits for attempts in progress, ms. */
const CLOSE_MS = 3_000

type Lane = {
  endpoint: Endpoint
  /** By id. */
  queue: Map<string, Delivery>
  sending: Set<string>
  /** Whether the tables have further deliveries. */
  more: boolean
  /** Whether the queue changed since the last load began. */
  touched: boolean
  /** Times of the process clock, ms. */
  loadedAt: number
  sweptAt: number
  notBefore: number
  slow: boolean
  /** The endpoint is disabled or has no valid key, and its deliveries were given up. */
  silenced: boolean
}

/** Dependencies. Nothing is sent to accounts without a valid key. */
export type DeliverOptions = {
  context: Pick<Context, 'clock' | 'log' | 'metrics'>
  deliveries: Deliveries
  endpoints: Pick<Endpoints, 'all' | 'writeHealth'>
  callerOf: (account: string) => Caller | undefined
  send: Send
}

/** Delivers at least once. Events of one endpoint may arrive out of order; use their ids and timestamps. */
export const createDeliver = ({ context, deliveries, endpoints, callerOf, send }: DeliverOptions) => {
  const { clock, log, metrics } = context
  const time = steadyTime(clock.now)
  const attempts = metrics.counter('assay_webhook_attempts_total', 'Webhook delivery attempts', ['outcome'])
  const given = metrics.counter('assay_webhook_dead_total', 'Webhook deliveries given up')
  const disabledTotal = metrics.counter(
    'assay_webhook_disabled_total',
    'Webhook endpoints disabled because they failed',
  )
  const lanesNow = metrics.gauge('assay_webhook_endpoints', 'Webhook endpoints', ['state'])
  const lateNow = metrics.gauge(
    'assay_webhook_late_seconds',
    'How long the most overdue delivery to a working endpoint has been due, s',
  )
  const lanes = new Map<string, Lane>()
  const notes = new Map<string, Note>()
  let unsent: { token: string; rows: Note[] } | undefined
  let sendingAll = 0
  let sendingSlow = 0
  let turn = 0
  const underWay = new Set<Promise<void>>()

  const keyOf = ({ endpoint, id }: Pick<Delivery, 'endpoint' | 'id'>) => `${endpoint} ${id}`
  const isFailing = ({ endpoint }: Lane) => endpoint.failures > 0
  const isOpen = ({ endpoint }: Lane) => endpoint.state === 'on' && !isDisabled(endpoint)
  const isNoted = (delivery: Pick<Delivery, 'endpoint' | 'id'>) =>
    notes.has(keyOf(delivery)) || (unsent?.rows.some((row) => keyOf(row) === keyOf(delivery)) ?? false)

  const note = (delivery: Delivery, end: Pick<Note, 'state' | 'status' | 'reason'>) => {
    const finished = end.state === 'waiting' ? 0 : clock.now()
    notes.set(keyOf(delivery), { ...delivery, ...end, finished })
    if (end.state === 'dead') given.inc()
  }

  /** Ids whose current state is not in the tables yet. */
  const unsettledIds = (lane: Lane): string[] => [
    ...lane.sending,
    ...[...notes.values(), ...(unsent?.rows ?? [])].flatMap(({ endpoint, id }) =>
      endpoint === lane.endpoint.id ? [id] : [],
    ),
  ]

  const giveUp = async (lane: Lane, reason: string, before?: number) => {
    await deliveries.giveUp(lane.endpoint.id, reason, unsettledIds(lane), before)
    for (const [id, delivery] of lane.queue) {
      if (lane.sending.has(id) || delivery.begun >= (before ?? Number.POSITIVE_INFINITY)) continue
      lane.queue.delete(id)
      given.inc()
    }
  }

  /** Gives up all deliveries of a stopped lane, once the outcomes of its last attempts are stored. */
  const silence = async (lane: Lane, reason: string) => {
    if (lane.silenced || unsettledIds(lane).length > 0) return
    await giveUp(lane, reason)
    lane.silenced = true
  }

  const setHealth = async (lane: Lane, health: Partial<Endpoint>) => {
    lane.endpoint = { ...lane.endpoint, ...health }
    const { id, failing_since, failures, disabled, reason } = lane.endpoint
    await endpoints.writeHealth(id, { failing_since, failures, disabled, reason })
  }

  const disable = async (lane: Lane, reason: string) => {
    const { id, account } = lane.endpoint
    await setHealth(lane, { disabled: Math.max(clock.now(), lane.endpoint.enabled), reason })
    disabledTotal.inc()
    log.warn({ endpoint: id, account, reason }, 'disabled an endpoint of webhooks')
  }

  const succeed = async (lane: Lane) => {
    lane.notBefore = 0
    if (isFailing(lane)) await setHealth(lane, { failures: 0, failing_since: 0, reason: '' })
  }

  const fail = async (lane: Lane, { outcome, reason, pause }: Attempt) => {
    const now = clock.now()
    const { failures, failing_since: since } = lane.endpoint
    lane.notBefore = time() + Math.max(pause, endpointPause(failures + 1))
    if (failures === 0) await setHealth(lane, { failures: 1, failing_since: now, reason })
    else lane.endpoint = { ...lane.endpoint, failures: failures + 1, reason }
    if (outcome === 'gone') await disable(lane, reason)
    else if (failures > 0 && now - since >= DISABLE_MS) await disable(lane, reason)
  }

  const settle = async (lane: Lane, delivery: Delivery, attempt: Attempt) => {
    const { outcome, status, reason } = attempt
    attempts.inc({ outcome })
    if (outcome === 'unsigned') {
      lane.notBefore = time() + UNSIGNED_PAUSE_MS
      log.error(
        { endpoint: lane.endpoint.id },
        'failed to open the secret of an endpoint: is ASSAY_WEBHOOK_KEY another one?',
      )
      return
    }
    const tried = { ...delivery, attempts: delivery.attempts + 1 }
    lane.queue.delete(delivery.id)
    if (outcome === 'delivered') {
      note(tried, { state: 'delivered', status, reason })
      return succeed(lane)
    }
    const pause = retryPause(tried.attempts)
    const due = clock.now() + Math.max(pause ?? 0, attempt.pause)
    if (pause === undefined || outcome === 'gone') note(tried, { state: 'dead', status, reason })
    else {
      const later = { ...tried, due }
      note(later, { state: 'waiting', status, reason })
      lane.touched = true
      if (lane.queue.size < MAX_QUEUED) lane.queue.set(later.id, later)
      else lane.more = true
    }
    return fail(lane, attempt)
  }

  const start = (lane: Lane, delivery: Delivery) => {
    const isSlow = lane.slow || isFailing(lane)
    lane.sending.add(delivery.id)
    sendingAll++
    if (isSlow) sendingSlow++
    const begun = performance.now()
    const work = send(lane.endpoint, delivery)
      .then((attempt) => {
        lane.slow = performance.now() - begun > SLOW_MS
        return settle(lane, delivery, attempt)
      })
      .catch((err: unknown) => log.warn({ endpoint: lane.endpoint.id, err }, 'failed to note a delivery'))
      .finally(() => {
        lane.sending.delete(delivery.id)
        sendingAll--
        if (isSlow) sendingSlow--
        underWay.delete(work)
      })
    underWay.add(work)
  }

  /** Loads the next deliveries of a lane. They replace the queue, because others may be due earlier by now. */
  const load = async (lane: Lane) => {
    lane.loadedAt = time()
    lane.touched = false
    const rows = await deliveries.waiting(lane.endpoint.id, unsettledIds(lane), MAX_QUEUED)
    const kept = [...lane.queue].filter(([id, delivery]) => lane.sending.has(id) || isNoted(delivery))
    // Excludes deliveries that were sent while the table was read.
    const fresh = rows.filter((row) => !isNoted(row) && !lane.sending.has(row.id))
    lane.queue = new Map([...kept, ...fresh.map((row) => [row.id, row] as const)])
    lane.more = rows.length === MAX_QUEUED || lane.touched
  }

  const dueOf = (lane: Lane, now: number): Delivery[] =>
    [...lane.queue.values()]
      .filter((delivery) => isDue(delivery, now) && !lane.sending.has(delivery.id))
      .toSorted((one, other) => one.due - other.due)

  const workOn = async (lane: Lane) => {
    const [now, passed] = [clock.now(), time()]
    if (passed - lane.sweptAt >= SWEEP_MS) {
      lane.sweptAt = passed
      if (lane.more || lane.queue.size > 0) await giveUp(lane, 'WAITED_TOO_LONG', now - GIVE_UP_MS)
    }
    const caller = callerOf(lane.endpoint.account)
    if (!caller) return silence(lane, 'KEY_NOT_IN_FORCE')
    if (isDisabled(lane.endpoint)) return silence(lane, 'ENDPOINT_DISABLED')
    lane.silenced = false
    if (lane.endpoint.state !== 'on') return
    if (passed < lane.notBefore || notes.size >= MAX_NOTES) return
    const room = isFailing(lane) ? 1 : MAX_PER_LANE
    if (lane.sending.size >= room) return
    let due = dueOf(lane, now)
    if (due.length < room && lane.more && passed - lane.loadedAt >= LOAD_MS) {
      await load(lane)
      due = dueOf(lane, now)
    }
    for (const delivery of due) {
      if (lane.sending.size >= room || sendingAll >= MAX_TOTAL) return
      if ((lane.slow || isFailing(lane)) && sendingSlow >= MAX_SLOW) return
      const { type, network, operation } = delivery
      if (type === 'ping' || mayAccess(caller, { network, operation } as Parameters<typeof mayAccess>[1])) {
        start(lane, delivery)
      } else {
        lane.queue.delete(delivery.id)
        note(delivery, { state: 'dead', status: 0, reason: 'KEY_DOES_NOT_COVER' })
      }
    }
  }

  /** Whether a lane has nothing to do until a delivery is added or its endpoint changes. */
  const isAtRest = (lane: Lane): boolean =>
    lane.sending.size === 0 &&
    (lane.silenced ||
      (lane.endpoint.state !== 'on' && !isDisabled(lane.endpoint)) ||
      (lane.queue.size === 0 && !lane.more))

  const measure = () => {
    const now = clock.now()
    const states = { on: 0, failing: 0, paused: 0, disabled: 0 }
    let late = 0
    for (const lane of lanes.values()) {
      const { endpoint } = lane
      const open = isFailing(lane) ? 'failing' : 'on'
      states[isDisabled(endpoint) ? 'disabled' : endpoint.state === 'paused' ? 'paused' : open]++
      if (!isOpen(lane) || isFailing(lane)) continue
      for (const { due } of lane.queue.values()) late = Math.max(late, now - due)
    }
    for (const [state, count] of Object.entries(states)) lanesNow.set({ state }, count)
    lateNow.set(late / 1_000)
  }

  const flush = async () => {
    if (!unsent && notes.size > 0) {
      unsent = { token: `webhook_deliveries:${randomUUID()}`, rows: [...notes.values()] }
      notes.clear()
    }
    if (!unsent) return
    await deliveries.note(unsent.rows, unsent.token)
    unsent = undefined
  }

  const laneOf = (endpoint: Endpoint): Lane => ({
    endpoint,
    queue: new Map(),
    sending: new Set(),
    more: true,
    touched: false,
    loadedAt: Number.NEGATIVE_INFINITY,
    sweptAt: time(),
    notBefore: 0,
    slow: false,
    silenced: false,
  })

  return {
    /** Loads the stored endpoints. Keeps the health known here, except for endpoints that were enabled again. */
    refresh: async () => {
      const found = await endpoints.all()
      const ids = new Set(found.map(({ id }) => id))
      for (const id of lanes.keys()) {
        if (ids.has(id)) continue
        lanes.delete(id)
        for (const [key, { endpoint }] of notes) if (endpoint === id) notes.delete(key)
        // An outcome may have been stored after the endpoint was removed.
        await deliveries.erase(id)
      }
      for (const endpoint of found) {
        const lane = lanes.get(endpoint.id)
        if (!lane) {
          lanes.set(endpoint.id, laneOf(endpoint))
          continue
        }
        const { failures, failing_since, disabled, reason } = lane.endpoint
        const isTurnedOn = endpoint.enabled > lane.endpoint.enabled
        if (isTurnedOn) lane.notBefore = 0
        const health = isTurnedOn ? { failures: 0, failing_since: 0 } : { failures, failing_since, disabled, reason }
        lane.endpoint = { ...endpoint, ...health }
      }
    },
    endpointsOf: (account: string): Endpoint[] =>
      [...lanes.values()].flatMap(({ endpoint }) => (endpoint.account === account ? [endpoint] : [])),
    /** Adds created deliveries to the queues where there is room. Those of `known` endpoints are loaded from the tables. */
    add: (made: readonly Delivery[], known: ReadonlySet<string>) => {
      for (const endpoint of known) {
        const lane = lanes.get(endpoint)
        if (lane) lane.more = lane.touched = true
      }
      for (const delivery of made) {
        const lane = lanes.get(delivery.endpoint)
        if (!lane) continue
        lane.touched = true
        if (lane.more || lane.queue.size >= MAX_QUEUED) lane.more = true
        else lane.queue.set(delivery.id, delivery)
      }
    },
    /** Call when deliveries of an endpoint were added to the tables. */
    wake: (endpoint: string) => {
      const lane = lanes.get(endpoint)
      if (!lane) return
      lane.more = true
      lane.touched = true
      lane.loadedAt = Number.NEGATIVE_INFINITY
      lane.notBefore = 0
      lane.silenced = false
    },
    /** Whether nothing waits to be sent. */
    isAtRest: (): boolean => [...lanes.values()].every(isAtRest),
    /** Starts due deliveries. */
    work: async () => {
      const all = [...lanes.values()]
      turn = all.length === 0 ? 0 : (turn + 1) % all.length
      // Starts with another lane each time, for fairness.
      for (const lane of [...all.slice(turn), ...all.slice(0, turn)]) await workOn(lane)
      measure()
    },
    flush,
    /** Waits briefly for attempts in progress and stores their outcomes. The next leader repeats the others. */
    close: async () => {
      const late = new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())
      await Promise.race([Promise.all(underWay), late])
      await flush()
      await flush()
    },
    /** Clears the state. Call when another process becomes leader. */
    reset: () => {
      lanes.clear()
      notes.clear()
      unsent = undefined
      for (const state of ['on', 'failing', 'paused', 'disabled']) lanesNow.set({ state }, 0)
      lateNow.set(0)
    },
  }
}
