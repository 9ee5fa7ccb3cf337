/** One delivery attempt: signs and sends an event. */
import type { Context } from '../../../platform/context/context.ts'
import { type PostOptions, postToStranger } from '../../../platform/outgoing/post.ts'
import { TargetRefused } from '../../../platform/outgoing/target.ts'
import type { Delivery } from './deliveries.ts'
import { type Endpoint, sealOwner } from './endpoints.ts'
import { retryAfterPause } from './schedule.ts'
import { type Seals, signatureOf } from './secrets.ts'

/** Result of an attempt. */
export type Attempt = {
  /** `gone`: the endpoint wants no more events. `unsigned`: not sent, because its secret cannot be decrypted. */
  outcome: 'delivered' | 'failed' | 'gone' | 'unsigned'
  /** HTTP status; 0 without a response. */
  status: number
  reason: string
  /** Pause requested by the server, ms. */
  pause: number
}

/** Tries a delivery once. Never throws: errors become the reason of the attempt. */
export type Send = (endpoint: Endpoint, delivery: Delivery) => Promise<Attempt>

const GONE = 410

/** A reason without the error message, which may disclose details of our network to the owner of the endpoint. */
const reasonOf = (error: unknown): string => {
  if (error instanceof TargetRefused) return `TARGET_REFUSED: the URL ${error.message}`
  if (!(error instanceof Error)) return 'FAILED'
  if (error.name === 'TimeoutError') return 'TIMEOUT'
  return 'code' in error && typeof error.code === 'string' ? error.code : 'FAILED'
}

/** Signs with Standard Webhooks, also with the old secret during its grace period. Refuses private addresses. */
export const createSend =
  ({ clock }: Pick<Context, 'clock'>, seals: Pick<Seals, 'open'>, options: PostOptions): Send =>
  async (endpoint, { id, body }) => {
    const now = clock.now()
    const owner = sealOwner(endpoint)
    const sealed = [endpoint.secret, ...(endpoint.old_until > now ? [endpoint.old_secret] : [])]
    const secrets = sealed.flatMap((one) => seals.open(one, owner) ?? [])
    if (secrets.length < sealed.length) return { outcome: 'unsigned', status: 0, reason: 'SECRET_UNREADABLE', pause: 0 }
    const timestamp = Math.floor(now / 1_000)
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf(secrets, id, timestamp, body),
    }
    try {
      const { status, retryAfter } = await postToStranger(endpoint.url, { body, headers }, options)
      if (status >= 200 && status < 300) return { outcome: 'delivered', status, reason: '', pause: 0 }
      const outcome = status === GONE ? 'gone' : 'failed'
      return { outcome, status, reason: `HTTP ${status}`, pause: retryAfterPause(retryAfter, clock.now()) }
    } catch (error) {
      return { outcome: 'failed', status: 0, reason: reasonOf(error), pause: 0 }
    }
  }
