import { BugError, OperatorError, RetryableError } from '../errors.ts'

/** A newer producer took over the transactional id, so this one may no longer write. */
export const fenced = (transactionalId: string, cause?: unknown): OperatorError =>
  new OperatorError(
    'ASSAY_BUS_FENCED',
    `A newer producer with transactional ID ${transactionalId} is active, so this one stopped. Run one process per network and role.`,
    { cause },
  )

/** The bus did not acknowledge in time, so the outcome is unknown. */
export const unavailable = (action: string, cause?: unknown): RetryableError =>
  new RetryableError(
    'ASSAY_BUS_UNAVAILABLE',
    `The bus could not ${action} in time. Check that the bus runs and is reachable. The call is retried.`,
    { cause },
  )

/** The partition went to another consumer of the group before the commit arrived. */
export const partitionLost = (topic: string, partition: number, cause?: unknown): RetryableError =>
  new RetryableError(
    'ASSAY_BUS_PARTITION_LOST',
    `Partition ${partition} of ${topic} now belongs to another consumer, so nothing was committed. The new owner redoes the work.`,
    { cause },
  )

/** A required topic does not exist. No bus creates topics on a write. */
export const unknownTopic = (topic: string, cause?: unknown): OperatorError =>
  new OperatorError(
    'ASSAY_BUS_TOPIC_UNKNOWN',
    `Topic ${topic} does not exist. Check that it was not deleted and that the broker lets this user create topics.`,
    {
      cause,
    },
  )

/** The message can never be accepted: too large, without a key on a compacted topic, or to a partition that does not exist. */
export const rejected = (topic: string, why: string, cause?: unknown): BugError =>
  new BugError('ASSAY_BUS_REJECTED', `A message to ${topic} was refused: ${why}.`, { cause })

/** A part of the bus was used after it was closed: the shutdown order is wrong. */
export const closed = (what: string): BugError =>
  new BugError('ASSAY_BUS_CLOSED', `The ${what} was used after it was closed.`)
