/** One attempt at a delivery: signed, sent, and put into words. */
import type { Context } from '../../../platform/context/context.ts'
import { type PostOptions, postToStranger } from '../../../platform/outgoing/post.ts'
import { TargetRefused } from '../../../platform/outgoing/target.ts'
import type { Delivery } from './deliveries.ts'
import { type Endpoint, sealOwner } from './endpoints.ts'
import { askedPause } from './schedule.ts'
import { type Seals, signatureOf } from './secrets.ts'

/** What came of one attempt. */
export type Attempt = {
  /** `gone`: it wants no more. `unsigned`: it was not tried, because its secret cannot be opened. */
  outcome: 'delivered' | 'failed' | 'gone' | 'unsigned'
  /** HTTP status; 0 where nothing was answered. */
  status: number
  reason: string
  /** Pause that the server asked for, ms. */
  pause: number
}

/** Tries a delivery once. It never throws: what goes wrong is the attempt's reason. */
export type Send = (endpoint: Endpoint, delivery: Delivery) => Promise<Attempt>

const GONE = 410

/** In a few words of ours: texts of errors may hold what the owner of an endpoint is not to learn about our network. */
const reasonOf = (error: unknown): string => {
  if (error instanceof TargetRefused) return `TARGET_REFUSED: the URL ${error.message}`
  if (!(error instanceof Error)) return 'FAILED'
  if (error.name === 'TimeoutError') return 'TIMEOUT'
  return 'code' in error && typeof error.code === 'string' ? error.code : 'FAILED'
}

/** Signs as Standard Webhooks do, with the old secret too while it holds, and asks no server of a private address. */
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
      return { outcome, status, reason: `HTTP ${status}`, pause: askedPause(retryAfter, clock.now()) }
    } catch (error) {
      return { outcome: 'failed', status: 0, reason: reasonOf(error), pause: 0 }
    }
  }
