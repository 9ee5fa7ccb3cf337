/** Routes of webhook endpoints and their deliveries. Enterprise surface only. */
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { RetryableError } from '../../../platform/errors.ts'
import type { PostOptions } from '../../../platform/outgoing/post.ts'
import { parseTarget, TargetRefused } from '../../../platform/outgoing/target.ts'
import { timestamp, timestampOf } from '../../../schema/records/common.ts'
import {
  type EndpointShown,
  endpointChanges,
  endpointRequest,
  replayRequest,
  rotateRequest,
} from '../../../schema/records/service/monitoring.ts'
import { DELIVERY_STATES } from '../../../schema/tables/service/monitoring.ts'
import { type Answer, errorAnswer } from '../../answers/answer.ts'
import { invalid } from '../../operations.ts'
import { type Deliveries, deliveryIdOf, type ListedDelivery, newDelivery } from '../webhooks/deliveries.ts'
import {
  type Endpoint,
  type Endpoints,
  type EndpointTerms,
  HEALTHY,
  isDisabled,
  newEndpointId,
  sealOwner,
} from '../webhooks/endpoints.ts'
import { newSecret, type Seals } from '../webhooks/secrets.ts'
import { type AccountRequest, answerOf, createServe, parsed, type RouteOptions } from './serve.ts'

/** Maximum number of endpoints of an account. */
const MAX_ENDPOINTS = 10
const TOO_MANY = invalid([{ path: ['url'], message: `must not be more than ${MAX_ENDPOINTS} endpoints` }])
/** Maximum number of deliveries per replay. */
const MAX_REPLAYED = 10_000
const SHOWN_IDS = 100

/** Dependencies of the routes. */
export type WebhookRoutesOptions = RouteOptions & {
  endpoints: Endpoints
  deliveries: Deliveries
  seals: Seals
  targets: PostOptions
  /** Whether a key for sealing secrets is configured. */
  available: boolean
}

/** Attempts at a change that conflicts with changes of other replicas. */
const TRIES = 5

const CONFLICT = errorAnswer(
  'CHANGED_MEANWHILE',
  'Other requests are changing the endpoint. Your change was not applied. Read it again.',
)
const UNKNOWN = errorAnswer('NOT_FOUND', 'Your key has no endpoint with this id.')
const UNAVAILABLE = errorAnswer(
  'ANALYSIS_NOT_AVAILABLE',
  'This server sends no webhooks. Its operator can enable them with ASSAY_WEBHOOK_KEY.',
)

const deliveriesQuery = z.object({
  state: z.enum(DELIVERY_STATES, `must be one of ${DELIVERY_STATES.join(', ')}`).optional(),
  from: timestamp.optional(),
  to: timestamp.optional(),
  before: z
    .string()
    .regex(/^\d{1,15}:[\w-]{1,64}$/, 'must be the `next` of a page')
    .optional(),
  limit: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a number from 1 to 100')
    .transform(Number)
    .pipe(z.number().min(1, 'must be a number from 1 to 100').max(100, 'must be a number from 1 to 100'))
    .default(50),
})

const timeOf = (ms: number): string | null => (ms > 0 ? timestampOf(ms) : null)

const shown = (endpoint: Endpoint, now: number): EndpointShown => ({
  id: endpoint.id,
  url: endpoint.url,
  description: endpoint.description,
  operations: endpoint.operations as EndpointShown['operations'],
  networks: endpoint.networks as EndpointShown['networks'],
  directions: endpoint.directions,
  state: isDisabled(endpoint) ? 'disabled' : endpoint.state,
  reason: endpoint.reason === '' ? null : endpoint.reason,
  failingSince: timeOf(endpoint.failing_since),
  oldSecretUntil: endpoint.old_until > now ? timeOf(endpoint.old_until) : null,
  createdAt: timestampOf(endpoint.created),
})

const listed = ({ created, due, finished, status, reason, ...delivery }: ListedDelivery) => ({
  ...delivery,
  status: status === 0 ? null : status,
  reason: reason === '' ? null : reason,
  createdAt: timestampOf(created),
  dueAt: delivery.state === 'waiting' ? timestampOf(due) : null,
  finishedAt: timeOf(finished),
})

/** Adds `/webhooks` and its sub-routes. Secrets are returned only when they are created. */
export const installWebhooks = (app: FastifyInstance, options: WebhookRoutesOptions): void => {
  const { context, endpoints, deliveries, seals, targets, available } = options
  const { clock } = context
  const { route, serve } = createServe(options)
  const whenAvailable = (work: (asked: AccountRequest) => Promise<Answer>) =>
    serve(async (asked) => (available ? work(asked) : UNAVAILABLE))
  const ofEndpoint = (work: (endpoint: Endpoint, asked: AccountRequest) => Promise<Answer>) =>
    whenAvailable(async (asked) => {
      const { id } = asked.request.params as { id: string }
      const own = (await endpoints.ofAccount(asked.account)).find((endpoint) => endpoint.id === id)
      return own ? work(own, asked) : UNKNOWN
    })

  /** Changes an endpoint. If `work` returns `undefined`, the endpoint was changed meanwhile and the change is repeated. */
  const changing = (work: (endpoint: Endpoint, asked: AccountRequest) => Promise<Answer | undefined>) =>
    whenAvailable(async (asked) => {
      const { id } = asked.request.params as { id: string }
      let seen: number | undefined
      for (let tries = 0; tries < TRIES; tries++) {
        const own = (await endpoints.ofAccount(asked.account)).find((endpoint) => endpoint.id === id)
        if (!own) return UNKNOWN
        if (own.version === seen) {
          throw new RetryableError(
            'ASSAY_STORE_UNAVAILABLE',
            'A stored change of the endpoint cannot be read yet. Try again.',
          )
        }
        const answer = await work(own, asked)
        if (answer) return answer
        seen = own.version
      }
      return CONFLICT
    })

  /** The 400 for a refused URL. The addresses it resolves to are checked at each attempt. */
  const urlRefused = (url: string | undefined): Answer | undefined => {
    if (url === undefined) return undefined
    try {
      parseTarget(url, targets)
      return undefined
    } catch (error) {
      if (error instanceof TargetRefused) return invalid([{ path: ['url'], message: error.message }])
      throw error
    }
  }

  const create = async ({ request, account }: AccountRequest): Promise<Answer> => {
    const { value, refused } = parsed(endpointRequest, request.body)
    if (refused) return refused
    const wrong = urlRefused(value.url)
    if (wrong) return wrong
    const countOwn = async () => (await endpoints.ofAccount(account)).length
    if ((await countOwn()) >= MAX_ENDPOINTS) return TOO_MANY
    const now = clock.now()
    const secret = newSecret()
    const id = newEndpointId()
    const terms: EndpointTerms = {
      ...value,
      id,
      version: 0,
      account,
      state: 'on',
      secret: seals.seal(secret, sealOwner({ account, id })),
      old_secret: '',
      old_until: 0,
      created: now,
      enabled: now,
    }
    await endpoints.write(terms)
    // Another replica may have created one concurrently. At least one of them sees both, and removes its own if there are too many.
    if ((await countOwn()) > MAX_ENDPOINTS) {
      await endpoints.remove(terms)
      return TOO_MANY
    }
    return answerOf({ endpoint: shown({ ...terms, ...HEALTHY }, now), secret }, 201)
  }

  const update = async (endpoint: Endpoint, { request }: AccountRequest): Promise<Answer | undefined> => {
    const { value, refused } = parsed(endpointChanges, request.body)
    if (refused) return refused
    const wrong = urlRefused(value.url)
    if (wrong) return wrong
    const now = clock.now()
    const { failing_since, failures, disabled, reason, ...terms } = endpoint
    const given = Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined))
    const enabled = value.state === 'on' ? Math.max(now, disabled + 1) : endpoint.enabled
    const changed = { ...terms, ...given, enabled }
    if (!(await endpoints.write(changed))) return undefined
    const health = value.state === 'on' ? HEALTHY : { failing_since, failures, disabled, reason }
    return answerOf({ endpoint: shown({ ...changed, ...health }, now) })
  }

  const rotate = async (endpoint: Endpoint, { request }: AccountRequest): Promise<Answer | undefined> => {
    const { value, refused } = parsed(rotateRequest, request.body ?? {})
    if (refused) return refused
    const now = clock.now()
    const secret = newSecret()
    const { failing_since, failures, disabled, reason, ...terms } = endpoint
    const rotated = {
      ...terms,
      secret: seals.seal(secret, sealOwner(endpoint)),
      old_secret: value.graceSeconds > 0 ? endpoint.secret : '',
      old_until: value.graceSeconds > 0 ? now + value.graceSeconds * 1_000 : 0,
    }
    if (!(await endpoints.write(rotated))) return undefined
    return answerOf({ endpoint: shown({ ...rotated, failing_since, failures, disabled, reason }, now), secret })
  }

  const ping = async ({ id, account }: Endpoint): Promise<Answer> => {
    const now = clock.now()
    const body = JSON.stringify({ type: 'ping', timestamp: timestampOf(now), data: { endpoint: id } })
    const delivery = newDelivery(now, {
      endpoint: id,
      id: deliveryIdOf(id, newEndpointId()),
      account,
      type: 'ping',
      network: '',
      operation: '',
      body,
    })
    await deliveries.create([delivery], true)
    return answerOf({ queued: 1, ids: [delivery.id] }, 202)
  }

  const millis = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time))

  const replay = async ({ id }: Endpoint, { request }: AccountRequest): Promise<Answer> => {
    const { value, refused } = parsed(replayRequest, request.body)
    if (refused) return refused
    const { ids = [], from, to, state } = value
    const chosen = ids.length > 0 || state === 'all' ? {} : { state }
    const range = { from: millis(from), to: millis(to), ...chosen }
    const queued = await deliveries.replay(id, ids, range, MAX_REPLAYED)
    return answerOf({ queued: queued.length, ids: queued.slice(0, SHOWN_IDS) }, 202)
  }

  const page = async ({ id }: Endpoint, { request }: AccountRequest): Promise<Answer> => {
    const { value, refused } = parsed(deliveriesQuery, request.query)
    if (refused) return refused
    const { state, from, to, before, limit } = value
    const [created, beforeId = ''] = before?.split(':') ?? []
    const rows = await deliveries.list(id, {
      state,
      from: millis(from),
      to: millis(to),
      before: created === undefined ? undefined : { created: Number(created), id: beforeId },
      limit,
    })
    const last = rows.length === limit ? rows.at(-1) : undefined
    return answerOf({ deliveries: rows.map(listed), next: last ? `${last.created}:${last.id}` : null })
  }

  app.post('/webhooks', route, whenAvailable(create))
  app.get(
    '/webhooks',
    route,
    whenAvailable(async ({ account }) => {
      const now = clock.now()
      return answerOf({ endpoints: (await endpoints.ofAccount(account)).map((endpoint) => shown(endpoint, now)) })
    }),
  )
  app.get(
    '/webhooks/:id',
    route,
    ofEndpoint(async (endpoint) => answerOf({ endpoint: shown(endpoint, clock.now()) })),
  )
  app.patch('/webhooks/:id', route, changing(update))
  app.delete(
    '/webhooks/:id',
    route,
    ofEndpoint(async (endpoint) => {
      await endpoints.remove(endpoint)
      return answerOf({ endpoint: shown(endpoint, clock.now()) })
    }),
  )
  app.post('/webhooks/:id/rotate', route, changing(rotate))
  app.post('/webhooks/:id/ping', route, ofEndpoint(ping))
  app.post('/webhooks/:id/replay', route, ofEndpoint(replay))
  app.get('/webhooks/:id/deliveries', route, ofEndpoint(page))
}
