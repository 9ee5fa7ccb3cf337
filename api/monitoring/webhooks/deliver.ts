/**
 * Sends what waits. Each endpoint has a lane of its own: a few attempts at a time, one while it fails, and pauses that grow. Lanes that
 * are slow or fail share a part of all attempts, so that they never take the place of the others. Of what waits only the next few
 * deliveries of each lane are in memory.
 *
 * What became of attempts is stored once a second. A process that is killed in between has sent deliveries that still wait: they are
 * sent again under the same ids.
 */
import { randomUUID } from 'node:crypto'
import { steadyTime } from '../../../platform/context/clock.ts'
import type { Context } from '../../../platform/context/context.ts'
import type { Caller } from '../../keys/caller.ts'
import { mayKnow } from '../lead/compare.ts'
import type { Deliveries, Delivery, Note } from './deliveries.ts'
import { type Endpoint, type Endpoints, isDisabled } from './endpoints.ts'
import { DISABLE_MS, endpointPause, GIVE_UP_MS, isDue, retryPause } from './schedule.ts'
import type { Attempt, Send } from './send.ts'

/** Attempts at a time: of a lane, of lanes that are slow or fail together, and of all. */
const OF_LANE = 4
const OF_SLOW = 100
const OF_ALL = 200
/** A lane whose last attempt took longer is slow, ms. */
const SLOW_MS = 2_000
/** Deliveries of a lane in memory. */
const IN_MEMORY = 100
/** How often a lane looks for more in the tables, ms. */
const LOAD_MS = 1_000
/** How often a lane gives up what waited too long, ms. */
const SWEEP_MS = 600_000
/** Notes that may wait to be stored before nothing more is sent. */
const MOST_NOTES = 2_000
const UNSIGNED_PAUSE_MS = 60_000
/** How long the end of a process waits for attempts under way, ms. */
const CLOSE_MS = 3_000

type Lane = {
  endpoint: Endpoint
  /** By id. */
  queue: Map<string, Delivery>
  sending: Set<string>
  /** Whether the tables have more than is in memory. */
  more: boolean
  /** Whether something was put into the queue since the last look into the tables began. */
  touched: boolean
  /** Times in the process, ms. */
  loadedAt: number
  sweptAt: number
  notBefore: number
  slow: boolean
  /** It is disabled, or its key not in force, and everything was given up. */
  silenced: boolean
}

/** What is delivered to whom. Nothing goes to accounts none of whose keys is in force. */
export type DeliverOptions = {
  context: Pick<Context, 'clock' | 'log' | 'metrics'>
  deliveries: Deliveries
  endpoints: Pick<Endpoints, 'all' | 'writeHealth'>
  callerOf: (account: string) => Caller | undefined
  send: Send
}

/** Delivers at least once. Events of one endpoint may overtake each other; their ids and times tell. */
export const createDeliver = ({ context, deliveries, endpoints, callerOf, send }: DeliverOptions) => {
  const { clock, log, metrics } = context
  const time = steadyTime(clock.now)
  const attempts = metrics.counter('assay_webhook_attempts_total', 'Attempts at deliveries of webhooks', ['outcome'])
  const given = metrics.counter('assay_webhook_dead_total', 'Deliveries of webhooks that were given up')
  const disabledTotal = metrics.counter('assay_webhook_disabled_total', 'Endpoints of webhooks disabled for failing')
  const lanesNow = metrics.gauge('assay_webhook_endpoints', 'Endpoints of webhooks', ['state'])
  const lateNow = metrics.gauge(
    'assay_webhook_late_seconds',
    'How long the delivery that is due longest has been due, of endpoints that answer',
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

  /** Ids that the tables do not have as they are now. */
  const besides = (lane: Lane): string[] => [
    ...lane.sending,
    ...[...notes.values(), ...(unsent?.rows ?? [])].flatMap(({ endpoint, id }) =>
      endpoint === lane.endpoint.id ? [id] : [],
    ),
  ]

  const giveUp = async (lane: Lane, reason: string, before?: number) => {
    await deliveries.giveUp(lane.endpoint.id, reason, besides(lane), before)
    for (const [id, delivery] of lane.queue) {
      if (lane.sending.has(id) || delivery.begun >= (before ?? Number.POSITIVE_INFINITY)) continue
      lane.queue.delete(id)
      given.inc()
    }
  }

  /** Gives up everything of a lane that is not sent to any more, once it is known what became of its last attempts. */
  const silence = async (lane: Lane, reason: string) => {
    if (lane.silenced || besides(lane).length > 0) return
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
      if (lane.queue.size < IN_MEMORY) lane.queue.set(later.id, later)
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

  /** Reads the next deliveries of a lane, which replace those in memory: others may have become due first. */
  const load = async (lane: Lane) => {
    lane.loadedAt = time()
    lane.touched = false
    const rows = await deliveries.waiting(lane.endpoint.id, besides(lane), IN_MEMORY)
    const kept = [...lane.queue].filter(([id, delivery]) => lane.sending.has(id) || isNoted(delivery))
    // What was sent while the table was read is among the kept or settled.
    const fresh = rows.filter((row) => !isNoted(row) && !lane.sending.has(row.id))
    lane.queue = new Map([...kept, ...fresh.map((row) => [row.id, row] as const)])
    lane.more = rows.length === IN_MEMORY || lane.touched
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
    if (passed < lane.notBefore || notes.size >= MOST_NOTES) return
    const room = isFailing(lane) ? 1 : OF_LANE
    if (lane.sending.size >= room) return
    let due = dueOf(lane, now)
    if (due.length < room && lane.more && passed - lane.loadedAt >= LOAD_MS) {
      await load(lane)
      due = dueOf(lane, now)
    }
    for (const delivery of due) {
      if (lane.sending.size >= room || sendingAll >= OF_ALL) return
      if ((lane.slow || isFailing(lane)) && sendingSlow >= OF_SLOW) return
      const { type, network, operation } = delivery
      if (type === 'ping' || mayKnow(caller, { network, operation } as Parameters<typeof mayKnow>[1])) {
        start(lane, delivery)
      } else {
        lane.queue.delete(delivery.id)
        note(delivery, { state: 'dead', status: 0, reason: 'KEY_DOES_NOT_COVER' })
      }
    }
  }

  /** Whether there is nothing to do for a lane until something is added to it, or its endpoint changes. */
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
    /** Takes over endpoints as they are stored. How they answer is known here, but for what their owners turned on again. */
    refresh: async () => {
      const found = await endpoints.all()
      const ids = new Set(found.map(({ id }) => id))
      for (const id of lanes.keys()) {
        if (ids.has(id)) continue
        lanes.delete(id)
        for (const [key, { endpoint }] of notes) if (endpoint === id) notes.delete(key)
        // What became of an attempt may have been stored after its endpoint was removed.
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
    /** Deliveries that were made are sent from memory where there is room; those of `known` endpoints are in the tables. */
    add: (made: readonly Delivery[], known: ReadonlySet<string>) => {
      for (const endpoint of known) {
        const lane = lanes.get(endpoint)
        if (lane) lane.more = lane.touched = true
      }
      for (const delivery of made) {
        const lane = lanes.get(delivery.endpoint)
        if (!lane) continue
        lane.touched = true
        if (lane.more || lane.queue.size >= IN_MEMORY) lane.more = true
        else lane.queue.set(delivery.id, delivery)
      }
    },
    /** Deliveries of an endpoint came into the tables. */
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
    /** Starts what is due. */
    work: async () => {
      const all = [...lanes.values()]
      turn = all.length === 0 ? 0 : (turn + 1) % all.length
      // Another one begins each time, so that none is always the last to find a place.
      for (const lane of [...all.slice(turn), ...all.slice(0, turn)]) await workOn(lane)
      measure()
    },
    flush,
    /** Waits a little for attempts under way and stores what became of them. The others are made again by who goes on. */
    close: async () => {
      const late = new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())
      await Promise.race([Promise.all(underWay), late])
      await flush()
      await flush()
    },
    /** Forgets everything: another process goes on. */
    reset: () => {
      lanes.clear()
      notes.clear()
      unsent = undefined
      for (const state of ['on', 'failing', 'paused', 'disabled']) lanesNow.set({ state }, 0)
      lateNow.set(0)
    },
  }
}
