import { BugError, OperatorError, RetryableError } from '../errors.ts'

/** A newer producer has taken the transactional id over: this one may not write any more. */
export const fenced = (transactionalId: string, cause?: unknown): OperatorError =>
  new OperatorError(
    'ASSAY_BUS_FENCED',
    `A newer producer with transactional id ${transactionalId} is at work, so this one stopped. Run one process per network and role.`,
    { cause },
  )

/** The bus did not do what was asked in time. What became of it is unknown. */
export const unavailable = (action: string, cause?: unknown): RetryableError =>
  new RetryableError(
    'ASSAY_BUS_UNAVAILABLE',
    `The bus could not ${action} in time. Check that it runs and is reachable; the work is tried again.`,
    { cause },
  )

/** The partition went to another consumer of the group before the commit arrived. */
export const partitionLost = (topic: string, partition: number, cause?: unknown): RetryableError =>
  new RetryableError(
    'ASSAY_BUS_PARTITION_LOST',
    `Partition ${partition} of ${topic} belongs to another consumer by now, so nothing was committed. Its new owner does the work again.`,
    { cause },
  )

export const unknownTopic = (topic: string, cause?: unknown): OperatorError =>
  new OperatorError(
    'ASSAY_BUS_TOPIC_UNKNOWN',
    `Topic ${topic} does not exist. Check that it was not deleted and that the broker lets this user create topics.`,
    {
      cause,
    },
  )

/** The message can never be accepted: too large, without a key on a compacted topic, or to a partition that is none. */
export const rejected = (topic: string, why: string, cause?: unknown): BugError =>
  new BugError('ASSAY_BUS_REJECTED', `A message to ${topic} was refused: ${why}.`, { cause })

export const closed = (what: string): BugError =>
  new BugError('ASSAY_BUS_CLOSED', `The ${what} was used after it had been closed.`)
