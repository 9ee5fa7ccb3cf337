import { isAssayError } from '../../errors.ts'
import { explainType, type Subject } from '../kafka/errors.ts'

const partsOf = (error: Error): unknown[] => {
  const several = 'errors' in error && Array.isArray(error.errors) ? error.errors : []
  return [...several, error.cause]
}

const typesOf = (error: unknown): string[] => {
  if (!(error instanceof Error)) return []
  if ('apiId' in error && typeof error.apiId === 'string') return [error.apiId]
  const types = partsOf(error).flatMap(typesOf)
  const login = 'code' in error && error.code === 'PLT_KFK_AUTHENTICATION'
  return types.length === 0 && login ? ['SASL_AUTHENTICATION_FAILED'] : types
}

/** Type that the library gives records that a broker refused; the error of the partition has the reason. */
const UNSPECIFIED = 'UNKNOWN_SERVER_ERROR'

/** Kafka's name of an error, unwrapped from the client's errors; undefined for other errors. */
export const typeOf = (error: unknown): string | undefined => {
  const types = typesOf(error)
  return types.find((type) => type !== UNSPECIFIED) ?? types[0]
}

/** Transient errors of brokers: a leader or coordinator changes, a replica returns, a transaction ends. */
const TRANSIENT = new Set([
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_OR_FOLLOWER',
  'REQUEST_TIMED_OUT',
  'BROKER_NOT_AVAILABLE',
  'REPLICA_NOT_AVAILABLE',
  'NETWORK_EXCEPTION',
  'COORDINATOR_LOAD_IN_PROGRESS',
  'COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR',
  'NOT_CONTROLLER',
  'NOT_ENOUGH_REPLICAS',
  'NOT_ENOUGH_REPLICAS_AFTER_APPEND',
  'FENCED_LEADER_EPOCH',
  'UNKNOWN_LEADER_EPOCH',
  'CONCURRENT_TRANSACTIONS',
  'UNSTABLE_OFFSET_COMMIT',
  'THROTTLING_QUOTA_EXCEEDED',
])

/** Whether a retry may succeed. Lost connections have no name in the protocol. */
export const isTransient = (error: unknown): boolean => {
  if (isAssayError(error)) return false
  const type = typeOf(error)
  return type === undefined || TRANSIENT.has(type)
}

/** Translates a failed call into an error with a code. */
export const explain = (error: unknown, subject: Subject): Error =>
  isAssayError(error) ? error : explainType(typeOf(error) ?? '', error, subject)
