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

/** The library gives single records that a broker refused this type; the partition has the reason. */
const UNSAID = 'UNKNOWN_SERVER_ERROR'

/** Kafka's name of an error, however deep the client has wrapped it; undefined for errors of other kinds. */
export const typeOf = (error: unknown): string | undefined => {
  const types = typesOf(error)
  return types.find((type) => type !== UNSAID) ?? types[0]
}

/** Errors of brokers that pass: another leader or coordinator is found, a copy comes back, a transaction ends. */
const PASSING = new Set([
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

/** Whether the same call may work a moment later. Lost connections have no name in the protocol. */
export const isPassing = (error: unknown): boolean => {
  if (isAssayError(error)) return false
  const type = typeOf(error)
  return type === undefined || PASSING.has(type)
}

/** Translates a failed call into an error with a code. */
export const explain = (error: unknown, subject: Subject): Error =>
  isAssayError(error) ? error : explainType(typeOf(error) ?? '', error, subject)
