/** Monitoring over HTTP: watch lists, webhook endpoints, deliveries and events. */
import { z } from 'zod'
import { NETWORK_CODES, type Network, networksOf, type Operation } from '../../networks.ts'
import { DELIVERY_STATES } from '../../tables/service/monitoring.ts'
import { isWellFormed } from '../../text.ts'
import { timestamp } from '../common.ts'

/** Operations whose verdicts can be watched. An audit has the verdict of the fraud check. */
export const WATCHED_OPERATIONS = ['fraud_check', 'rug_pull'] as const satisfies readonly Operation[]
/** An operation whose verdicts can be watched. */
export type WatchedOperation = (typeof WATCHED_OPERATIONS)[number]

/** Networks on which an address can be watched. */
export const WATCHED_NETWORKS: readonly Network[] = NETWORK_CODES.filter((network) =>
  WATCHED_OPERATIONS.some((operation) => networksOf(operation).includes(network)),
)

/** Direction of a verdict's change. */
export const DIRECTIONS = ['worse', 'better', 'neutral'] as const
/** Direction of a verdict's change: `worse` if it is worse in any respect. */
export type Direction = (typeof DIRECTIONS)[number]

/** Bands of the probability of fraud, with the highest probability of each. */
export const BANDS = [
  { band: 'low', upTo: 0.15 },
  { band: 'elevated', upTo: 0.5 },
  { band: 'high', upTo: 0.75 },
  { band: 'very_high', upTo: 1 },
] as const
/** Names of the bands, from the lowest to the highest; their order is compared. */
export const BAND_NAMES = ['low', 'elevated', 'high', 'very_high'] as const

/** Maximum number of addresses that one request may add or remove. */
export const MAX_WATCH_BATCH = 1_000
/** Maximum number of deliveries in one request. */
export const MAX_REPLAY_IDS = 100

const operation = z.enum(WATCHED_OPERATIONS)
const network = z.enum(NETWORK_CODES)

const tax = (side: string) =>
  z
    .int()
    .nullable()
    .meta({
      description: `${side} tax of a contract in percent, as it was last measured; null for wallets and where it never was`,
      example: null,
    })

const verdict = z
  .object({
    status: z
      .string()
      .meta({ description: '`Not Fraud`, `Fraud` or `New Address`, as the operation answers', example: 'Fraud' }),
    band: z.enum(BAND_NAMES).meta({
      description: 'low up to 0.15, elevated up to 0.5, high up to 0.75, very_high above',
      example: 'very_high',
    }),
    probability: z.string().meta({ description: 'Probability of fraud, 0 to 1, decimal text', example: '1.00' }),
    flags: z.array(z.string()).meta({
      description:
        'Names of the raised flags: of forensic_details for wallets, of risk_indicators for contracts, without those that mean no risk',
      example: ['phishing_activities'],
    }),
    riskStatus: z
      .string()
      .nullable()
      .meta({ description: 'risk_status of a contract; null for wallets', example: null }),
    buyTax: tax('Buy'),
    sellTax: tax('Sell'),
    recordVersion: z.int().meta({ description: 'Version of the record, as in explanations and the audit log' }),
    recordHash: z.string().meta({ description: 'SHA-256 of the stored record, hex', example: 'ab'.repeat(32) }),
    dataHeight: z.int().nullable().meta({ description: 'Newest block that the record knows', example: 19_001_000 }),
    modelVersion: z.string().meta({ description: 'Model that gave the probability', example: 'fraud-7' }),
  })
  .meta({ id: 'WatchedVerdict', description: 'What of a record is watched' })
/** The remembered part of a verdict, to detect its next change. */
export type WatchedVerdict = z.output<typeof verdict>

const causeReason = z
  .object({
    code: z.string().meta({ description: 'Code of the reason', example: 'phishing_activities' }),
    change: z.enum(['added', 'removed']).meta({ description: 'Whether the verdict rests on it now, or did before' }),
    title: z.string().meta({
      description: 'The reason in words; empty where only its code is known',
      example: 'Takes part in phishing',
    }),
  })
  .meta({ id: 'VerdictChangeReason', description: 'A reason that a verdict rests on now, or does not any more' })

const change = z.object({
  network: network.meta({ description: 'Network of the address' }),
  address: z.string().meta({
    description: 'The watched address, in canonical spelling',
    example: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
  }),
  operation: operation.meta({ description: 'Operation whose verdict changed' }),
  direction: z.enum(DIRECTIONS).meta({
    description:
      'worse: a flag was raised, or status, band, risk status or a tax rose; better: the contrary, and nothing got worse; neutral: neither, such as New Address to Not Fraud',
  }),
  before: verdict.nullable().meta({ description: 'The verdict before; null where there was none' }),
  after: verdict.nullable().meta({
    description: 'The verdict now; null where every block that named the address was undone',
  }),
  flagsRaised: z
    .array(z.string())
    .meta({ description: 'Flags of `after` that `before` had not', example: ['phishing_activities'] }),
  flagsCleared: z.array(z.string()).meta({ description: 'Flags of `before` that `after` has not', example: [] }),
  cause: z
    .object({
      reasons: z
        .array(causeReason)
        .meta({ description: 'Reasons that came or went, twenty at most; the explanations have their evidence' }),
      modelChanged: z.boolean().meta({ description: 'Another model gave the probability' }),
    })
    .meta({ id: 'VerdictChangeCause', description: 'What the change rests on' }),
})
/** A changed verdict on a watched address. */
export const verdictChange = change.meta({ id: 'WatchedChange', description: 'How the verdict on an address changed' })
/** A changed verdict on a watched address, with its cause. */
export type VerdictChange = z.output<typeof change>

/** Event after a changed verdict. */
export const verdictChanged = z
  .object({
    type: z.literal('verdict.changed').meta({ description: 'Kind of event' }),
    timestamp: timestamp.meta({ description: 'When the change was noticed' }),
    data: change
      .extend({
        alert: z.string().nullable().meta({
          description: 'Your alert about the change; null where it is neutral',
          example: 'alert_5d41402abc4b2a76b9719d91',
        }),
      })
      .meta({ id: 'VerdictChange', description: 'A change of the verdict on a watched address' }),
  })
  .meta({ id: 'VerdictChangedEvent', description: 'Body of a delivery of type verdict.changed' })
/** Body of webhook events of type `verdict.changed`. */
export type VerdictChanged = z.output<typeof verdictChanged>

/** Event after a requested test. */
export const pingEvent = z
  .object({
    type: z.literal('ping').meta({ description: 'Kind of event' }),
    timestamp: timestamp.meta({ description: 'Time of the request' }),
    data: z
      .object({
        endpoint: z.string().meta({ description: 'Id of the endpoint', example: 'hook_5d41402abc4b2a76b9719d91' }),
      })
      .meta({ description: 'Which endpoint it is for' }),
  })
  .meta({ id: 'PingEvent', description: 'Body of a delivery of type ping' })

const success = z.literal('Success').meta({ description: 'Result status message' })

const EXAMPLE = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const watchedAddress = z
  .object({
    network: z
      .string()
      .max(32, 'is not a network')
      .meta({ description: 'Network code; any case and lower-case names are accepted too', example: 'ETH' }),
    walletAddress: z
      .string()
      .min(1, 'must not be empty')
      .max(128, 'must not be longer than 128 characters')
      .meta({ description: 'Wallet or contract', example: EXAMPLE }),
  })
  .meta({ id: 'WatchedAddress', description: 'An address on a network' })

const addresses = (description: string, example: { network: Network; walletAddress: string }[]) =>
  z
    .array(watchedAddress)
    .max(MAX_WATCH_BATCH, `must not have more than ${MAX_WATCH_BATCH} addresses`)
    .optional()
    .default([])
    .meta({ description, example })

/** Body of POST /watch. */
export const watchRequest = z
  .object({
    add: addresses(`Addresses to watch, ${MAX_WATCH_BATCH} at most`, [{ network: 'ETH', walletAddress: EXAMPLE }]),
    remove: addresses(`Addresses to watch no longer, ${MAX_WATCH_BATCH} at most`, []),
  })
  // A list under another name would be ignored, and the caller would wrongly assume that it is watched.
  .refine(({ add, remove }) => add.length + remove.length > 0, {
    path: ['add'],
    error: 'either add or remove must name an address',
  })
  .meta({ id: 'WatchRequest', description: 'Changes of your watch list' })

const watchCounts = {
  watched: z.int().meta({ description: 'Addresses on your list now', example: 1204 }),
  limit: z.int().meta({ description: 'Addresses it may have', example: 100_000 }),
}

/** Answer of POST /watch and DELETE /watch. */
export const watchChanged = z
  .object({
    message: success,
    added: z.int().meta({ description: 'Addresses that were not on the list before' }),
    removed: z.int().meta({ description: 'Addresses that were on the list before' }),
    ...watchCounts,
  })
  .meta({ id: 'WatchListChanged', description: 'What changed, and how many addresses you watch' })

/** Answer of GET /watch. */
export const watchListed = z
  .object({
    message: success,
    ...watchCounts,
    addresses: z.array(watchedAddress).meta({ description: 'Sorted by network and address, in canonical spelling' }),
    next: z.string().nullable().meta({ description: '`after` of the next page; null on the last one' }),
  })
  .meta({ id: 'WatchList', description: 'A page of your watch list' })

const chosen = {
  description: z
    .string()
    .max(200, 'must not be longer than 200 characters')
    .refine(isWellFormed, 'must be well-formed text')
    .meta({ description: 'What you call it', example: 'alerts of the payout service' }),
  operations: z.array(operation).max(10).meta({ description: 'Operations whose changes it receives; empty for all' }),
  networks: z.array(network).max(20).meta({ description: 'Networks whose changes it receives; empty for all' }),
  directions: z
    .array(z.enum(DIRECTIONS))
    .min(1)
    .max(3)
    .meta({ description: 'Changes it receives', example: ['worse', 'better'] }),
}
const url = z
  .string()
  .max(2_000, 'must not be longer than 2000 characters')
  .refine(isWellFormed, 'must be well-formed text')
  .meta({ description: 'https URL that events are sent to, on port 443 or 8443', example: 'https://example.org/hooks' })

/** Body of POST /webhooks. */
export const endpointRequest = z
  .object({
    url,
    description: chosen.description.optional().default(''),
    operations: chosen.operations.optional().default([]),
    networks: chosen.networks.optional().default([]),
    directions: chosen.directions.optional().default(['worse', 'better']),
  })
  .meta({ id: 'WebhookEndpointRequest', description: 'An endpoint to be made' })

/** Body of PATCH /webhooks/{id}. */
export const endpointChanges = z
  .object({
    url: url.optional(),
    description: chosen.description.optional(),
    operations: chosen.operations.optional(),
    networks: chosen.networks.optional(),
    directions: chosen.directions.optional(),
    state: z.enum(['on', 'paused']).optional().meta({
      description: 'paused keeps events waiting; on sends again, also to an endpoint that was disabled',
    }),
  })
  .meta({ id: 'WebhookEndpointChanges', description: 'Fields to change; the rest stays' })

/** Body of POST /webhooks/{id}/rotate. */
export const rotateRequest = z
  .object({
    graceSeconds: z.int().min(0).max(604_800).optional().default(86_400).meta({
      description: 'How long the old secret signs as well, seconds',
    }),
  })
  .meta({ id: 'WebhookRotateRequest', description: 'How a secret is replaced' })

const endpoint = z.object({
  id: z.string().meta({ description: 'Id of the endpoint', example: 'hook_5d41402abc4b2a76b9719d91' }),
  url,
  ...chosen,
  state: z.enum(['on', 'paused', 'disabled']).meta({
    description: 'disabled: it failed for three days, or answered 410. PATCH it with state on',
  }),
  reason: z.string().nullable().meta({ description: 'Why it is disabled, or what its last failure was' }),
  failingSince: timestamp.nullable().meta({ description: 'First failure since the last success' }),
  oldSecretUntil: timestamp.nullable().meta({ description: 'Until when the secret before the last rotation signs' }),
  createdAt: timestamp.meta({ description: 'When it was made' }),
})
/** An endpoint in answers. */
export const endpointShown = endpoint.meta({ id: 'WebhookEndpoint', description: 'An endpoint' })
/** An endpoint without its secret, which is only shown at creation. */
export type EndpointShown = z.output<typeof endpointShown>

/** Answer about one endpoint. */
export const endpointAnswer = z
  .object({ message: success, endpoint: endpointShown })
  .meta({ id: 'WebhookEndpointAnswer', description: 'An endpoint' })
/** Answer with a secret, the only one that shows it. */
export const secretAnswer = z
  .object({
    message: success,
    endpoint: endpointShown,
    secret: z.string().meta({
      description: 'Secret that deliveries are signed with. It is not shown again',
      example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
    }),
  })
  .meta({ id: 'WebhookSecretAnswer', description: 'An endpoint with its new secret' })
/** Answer of GET /webhooks. */
export const endpointsAnswer = z
  .object({ message: success, endpoints: z.array(endpointShown).meta({ description: 'Oldest first' }) })
  .meta({ id: 'WebhookEndpoints', description: 'Your endpoints' })

const delivery = z
  .object({
    id: z.string().meta({ description: 'Header webhook-id of each attempt', example: 'msg_5d41402abc4b2a76b9719d91' }),
    type: z.enum(['verdict.changed', 'ping']).meta({ description: 'Kind of event' }),
    state: z.enum(DELIVERY_STATES).meta({
      description: 'waiting: to be sent; delivered: answered with 2xx; dead: given up, until you replay it',
    }),
    attempts: z.int().meta({ description: 'Attempts since it was made or replayed' }),
    status: z
      .int()
      .nullable()
      .meta({ description: 'HTTP status of the last attempt; null where nothing was answered' }),
    reason: z.string().nullable().meta({ description: 'Why the last attempt failed, or why there was none' }),
    createdAt: timestamp.meta({ description: 'When it was made' }),
    dueAt: timestamp.nullable().meta({ description: 'When it is sent next; null once it is not waiting' }),
    finishedAt: timestamp.nullable().meta({ description: 'When it was delivered or given up' }),
    body: z.string().meta({ description: 'The exact text that is sent', example: '{"type":"ping"}' }),
  })
  .meta({ id: 'WebhookDelivery', description: 'An event for one endpoint' })

/** Answer of GET /webhooks/{id}/deliveries. */
export const deliveriesAnswer = z
  .object({
    message: success,
    deliveries: z.array(delivery).meta({ description: 'Newest first' }),
    next: z.string().nullable().meta({ description: '`before` of the next page; null on the last one' }),
  })
  .meta({ id: 'WebhookDeliveries', description: 'A page of deliveries' })

/** Body of POST /webhooks/{id}/replay. */
export const replayRequest = z
  .object({
    ids: z
      .array(z.string().max(64))
      .min(1)
      .max(MAX_REPLAY_IDS)
      .optional()
      .meta({ description: 'Deliveries by id', example: ['msg_5d41402abc4b2a76b9719d91'] }),
    from: timestamp.optional().meta({ description: 'Deliveries made from this time on' }),
    to: timestamp.optional().meta({ description: 'Deliveries made before this time' }),
    state: z.enum(['dead', 'delivered', 'all']).optional().default('dead').meta({
      description: 'Which deliveries of a time range; deliveries that wait are left as they are',
    }),
  })
  .refine(({ ids, from }) => (ids === undefined) !== (from === undefined), {
    path: ['ids'],
    message: 'either ids or from is required',
  })
  .meta({
    id: 'WebhookReplayRequest',
    description: 'Messages to send again: by id, or by creation time',
    example: { ids: ['msg_5d41402abc4b2a76b9719d91'] },
  })

/** Answer of POST /webhooks/{id}/replay and /ping. */
export const queuedAnswer = z
  .object({
    message: success,
    queued: z.int().meta({ description: 'Deliveries that wait now because of this request' }),
    ids: z
      .array(z.string())
      .meta({ description: 'Their ids, a hundred at most', example: ['msg_5d41402abc4b2a76b9719d91'] }),
  })
  .meta({ id: 'WebhookQueued', description: 'Queued messages' })
