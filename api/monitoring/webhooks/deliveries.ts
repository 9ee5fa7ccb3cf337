/**
 * Stored deliveries. States: waiting -> delivered or dead; a replay returns it to waiting. The id derives from the event. Creation writes
 * version 1, so that creating a delivery again never overwrites a later state.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { DELIVERY_STATES, type DeliveryState } from '../../../schema/tables/service/monitoring.ts'

const sql = (name: string) => readSql(import.meta.url, `./sql/${name}.sql`)
const KNOWN = sql('known')
const WAITING = sql('waiting')
const ASKED = sql('asked')
const LIST = sql('list')
const REPLAYABLE = sql('replayable')
const REPLAY = sql('replay')
const GIVE_UP = sql('give-up')
const ERASE = sql('erase-deliveries')

/** How long a delivery is kept, ms. */
const KEPT_MS = 30 * 86_400_000
/** The last millisecond that the tables can hold. */
const NEVER = Date.UTC(2299, 0)
/** Ids per statement. */
const PIECE = 1_000

const millis = z.coerce.number()
const waitingRow = z.object({
  endpoint: z.string(),
  id: z.string(),
  account: z.string(),
  type: z.enum(['verdict.changed', 'ping']),
  network: z.string(),
  operation: z.string(),
  body: z.string(),
  attempts: z.number(),
  /** Times are milliseconds since the epoch. */
  created: millis,
  begun: millis,
  due: millis,
  /** Unix seconds. */
  expires: z.number(),
})
/** A waiting delivery. */
export type Delivery = z.output<typeof waitingRow>

/** The outcome of an attempt. */
export type Note = Delivery & { state: DeliveryState; status: number; reason: string; finished: number }

const listedRow = z.object({
  id: z.string(),
  type: z.enum(['verdict.changed', 'ping']),
  state: z.enum(DELIVERY_STATES),
  attempts: z.number(),
  status: z.number(),
  reason: z.string(),
  body: z.string(),
  created: millis,
  due: millis,
  finished: millis,
})
/** A delivery in lists. */
export type ListedDelivery = z.output<typeof listedRow>

/** Selects deliveries. Absent fields do not restrict. */
export type DeliverySelection = {
  state?: DeliveryState | undefined
  /** Creation time, ms: `from` inclusive, `to` exclusive. */
  from?: number | undefined
  to?: number | undefined
}

/** Id of a delivery. Derived from event and endpoint, so that a repeated event has the same id. */
export const deliveryIdOf = (...parts: readonly (string | number)[]): string =>
  `msg_${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24)}`

/** A delivery that is due now. `now` in milliseconds since the epoch. */
export const newDelivery = (
  now: number,
  event: Pick<Delivery, 'endpoint' | 'id' | 'account' | 'type' | 'network' | 'operation' | 'body'>,
): Delivery => ({
  ...event,
  attempts: 0,
  created: now,
  begun: now,
  due: now,
  expires: Math.floor((now + KEPT_MS) / 1_000),
})

/** Deliveries of all endpoints. */
export type Deliveries = {
  /** Creates deliveries that do not exist yet, and returns them. `asked`: requested by the owner. */
  create: (made: readonly Delivery[], asked?: boolean) => Promise<Delivery[]>
  /** Stores outcomes. `token` deduplicates repeated calls. */
  note: (notes: readonly Note[], token: string) => Promise<void>
  /** Waiting deliveries of an endpoint except some ids, earliest due first. */
  waiting: (endpoint: string, excluded: readonly string[], limit: number) => Promise<Delivery[]>
  /** Endpoints whose owners requested deliveries (ping, replay) since a time of the store's clock, ms. */
  asked: (since: number) => Promise<{ endpoint: string; stored: number }[]>
  list: (
    endpoint: string,
    selection: DeliverySelection & { before?: { created: number; id: string } | undefined; limit: number },
  ) => Promise<ListedDelivery[]>
  /** Returns deliveries to waiting. Returns their ids. */
  replay: (endpoint: string, ids: readonly string[], selection: DeliverySelection, limit: number) => Promise<string[]>
  /** Gives up deliveries that have waited since before a time (ms), except some ids. */
  giveUp: (endpoint: string, reason: string, excluded?: readonly string[], before?: number) => Promise<void>
  /** Removes all deliveries of an endpoint. */
  erase: (endpoint: string) => Promise<void>
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(3)

const rowOf = ({ created, begun, due, ...delivery }: Delivery) => ({
  ...delivery,
  created: seconds(created),
  begun: seconds(begun),
  due: seconds(due),
})

const linesOf = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

/** Deliveries in the store. */
export const createDeliveries = (store: Store): Deliveries => ({
  create: async (made, asked = false) => {
    if (made.length === 0) return []
    const [endpoints, ids] = [[...new Set(made.map(({ endpoint }) => endpoint))], made.map(({ id }) => id)]
    const known = new Set<string>()
    for (let at = 0; at < ids.length; at += PIECE) {
      const parameters = { endpoints, ids: ids.slice(at, at + PIECE) }
      const rows = await store.query<{ endpoint: string; id: string }>(KNOWN, parameters, {
        route: 'webhook_known',
      })
      for (const { endpoint, id } of rows) known.add(`${endpoint} ${id}`)
    }
    const fresh = made.filter(({ endpoint, id }) => !known.has(`${endpoint} ${id}`))
    if (fresh.length > 0) {
      const rows = fresh.map((delivery) => ({
        ...rowOf(delivery),
        version: 1,
        state: 'waiting',
        asked: asked ? 1 : 0,
        finished: seconds(0),
      }))
      await store.insert('webhook_deliveries', linesOf(rows))
    }
    return fresh
  },
  note: async (notes, token) => {
    const rows = notes.map(({ state, status, reason, finished, ...delivery }) => ({
      ...rowOf(delivery),
      state,
      asked: 0,
      status,
      reason,
      finished: seconds(finished),
    }))
    await store.insert('webhook_deliveries', linesOf(rows), { token })
  },
  waiting: async (endpoint, excluded, limit) =>
    z.array(waitingRow).parse(await store.query(WAITING, { endpoint, excluded, limit }, { route: 'webhook_waiting' })),
  asked: async (since) =>
    z
      .array(z.object({ endpoint: z.string(), stored: millis }))
      .parse(await store.query(ASKED, { since }, { route: 'webhook_asked' })),
  list: async (endpoint, { state = '', from = 0, to = NEVER, before, limit }) => {
    const { created = NEVER, id = '~' } = before ?? {}
    const parameters = { endpoint, state, from, to, before: created, beforeId: id, limit }
    return z.array(listedRow).parse(await store.query(LIST, parameters, { route: 'webhook_deliveries' }))
  },
  replay: async (endpoint, ids, { state = '', from = 0, to = NEVER }, limit) => {
    const parameters = { endpoint, ids, state, from, to, limit }
    const rows = await store.query<{ id: string }>(REPLAYABLE, parameters, { route: 'webhook_replayable' })
    const found = rows.map(({ id }) => id)
    for (let at = 0; at < found.length; at += PIECE) {
      await store.command(REPLAY, { endpoint, ids: found.slice(at, at + PIECE) })
    }
    return found
  },
  giveUp: (endpoint, reason, excluded = [], before = NEVER) =>
    store.command(GIVE_UP, { endpoint, reason, excluded, before }),
  erase: (endpoint) => store.command(ERASE, { endpoint }),
})
