import type { Clock } from '../../context/clock.ts'
import { isAssayError } from '../../errors.ts'
import { accessDenied, loginRefused } from '../access/errors.ts'
import { fenced, partitionLost, rejected, unavailable, unknownTopic } from '../errors.ts'

const FENCED = new Set(['PRODUCER_FENCED', 'INVALID_PRODUCER_EPOCH'])
const REFUSED = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD', 'CORRUPT_MESSAGE'])
const LOST = new Set([
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
  'REBALANCE_IN_PROGRESS',
  'FENCED_INSTANCE_ID',
  'NOT_COORDINATOR_FOR_GROUP',
])

const DENIED = new Set([
  'TOPIC_AUTHORIZATION_FAILED',
  'GROUP_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
  'TRANSACTIONAL_ID_AUTHORIZATION_FAILED',
])
const LOGIN_FAILED = 'SASL_AUTHENTICATION_FAILED'
const LOGIN = new Set([LOGIN_FAILED, 'UNSUPPORTED_SASL_MECHANISM', 'ILLEGAL_SASL_STATE'])
/** kafkajs gives a refused password only this name, and no protocol type. */
const isLoginError = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'KafkaJSSASLAuthenticationError' || isLoginError(error.cause))

/** Kafka's name of an error, unwrapped from kafkajs's errors; undefined for other errors. */
export const typeOf = (error: unknown): string | undefined => {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('type' in each && typeof each.type === 'string') return each.type
    const { originalError } = each as { originalError?: unknown }
    if (originalError) return typeOf(originalError)
  }
  return undefined
}

/** Whether Kafka's error name means that the group rebalanced without this consumer. */
export const meansLostType = (type: string | undefined): boolean => LOST.has(type ?? '')

/** Whether the error means that the group rebalanced without this consumer. */
export const meansLost = (error: unknown): boolean => meansLostType(typeOf(error))

const SETTLING = new Set([
  'UNKNOWN_TOPIC_OR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
  'NOT_COORDINATOR_FOR_GROUP',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
])
/** How long brokers may take to learn of a new topic or leader, and the pause between retries meanwhile; ms. */
const SETTLE_MS = 5_000
const SETTLE_STEP_MS = 50

/** Repeats a call while the broker does not know yet what other brokers do. A missing topic is reported after `SETTLE_MS`. */
export const onceSettled = async <T>(clock: Clock, call: () => Promise<T>): Promise<T> => {
  for (let waited = 0; ; waited += SETTLE_STEP_MS) {
    try {
      return await call()
    } catch (error) {
      if (waited >= SETTLE_MS || !SETTLING.has(typeOf(error) ?? '')) throw error
      await clock.sleep(SETTLE_STEP_MS)
    }
  }
}

/** The operation and topic of a call, for its error message. */
export type Subject = { action: string; transactionalId?: string | undefined; topic?: string; partition?: number }

/** Translates a failed Kafka call into an error with a code. */
export const explain = (error: unknown, subject: Subject): Error =>
  isAssayError(error) ? error : explainType(typeOf(error) ?? (isLoginError(error) ? LOGIN_FAILED : ''), error, subject)

/** Translates a Kafka error, by its protocol name, into an error with a code. */
export const explainType = (
  type: string,
  error: unknown,
  { action, transactionalId, topic, partition }: Subject,
): Error => {
  if (LOGIN.has(type)) return loginRefused(error)
  if (DENIED.has(type)) return accessDenied(action, error)
  if (FENCED.has(type) && transactionalId !== undefined) return fenced(transactionalId, error)
  if (LOST.has(type) && topic !== undefined && partition !== undefined) return partitionLost(topic, partition, error)
  if (type === 'UNKNOWN_TOPIC_OR_PARTITION' || type === 'INVALID_TOPIC_EXCEPTION')
    return unknownTopic(topic ?? 'asked for', error)
  if (REFUSED.has(type)) return rejected(topic ?? 'Kafka', `the broker answered ${type}`, error)
  return unavailable(action, error)
}

/**
 * Waits up to `ms` for a call of kafkajs. The call itself cannot be cancelled; its own limits end it.
 * @throws RetryableError ASSAY_BUS_UNAVAILABLE, or the call's error, translated by `explain`.
 */
export const within = async <T>(ms: number, call: () => Promise<T>, subject: Subject): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable(subject.action, new Error(`no answer after ${ms} ms`))), ms)
  })
  try {
    return await Promise.race([call(), late])
  } catch (error) {
    throw explain(error, subject)
  } finally {
    clearTimeout(timer)
  }
}
