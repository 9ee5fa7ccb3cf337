import type { Clock } from '../../context/clock.ts'
import type { Logger } from '../../context/log.ts'
import { messageOf } from '../../errors.ts'
import type { Batch, Message } from '../bus.ts'

const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 5_000

type Delivery = {
  messages: readonly Message[]
  signal: AbortSignal
  commit: (next: bigint) => Promise<void>
  heartbeat: () => Promise<void>
}

/**
 * Delivers a batch to its handler. While the handler throws, delivers it again after growing pauses, without the messages
 * committed so far. Resolves true when the batch is done, false when the signal aborts first.
 */
export const deliver = async (
  { messages, signal, commit, heartbeat }: Delivery,
  handle: (batch: Batch) => Promise<void>,
  { clock, log }: { clock: Clock; log: Logger },
): Promise<boolean> => {
  let done = -1n
  let pause = FIRST_PAUSE_MS
  for (;;) {
    const pending = messages.filter(({ offset }) => offset >= done)
    const first = pending[0]
    if (!first || signal.aborted) return !first
    const { topic, partition } = first
    const batch: Batch = {
      topic,
      partition,
      messages: pending,
      signal,
      heartbeat,
      commit: async (next) => {
        await commit(next)
        if (next > done) done = next
      },
    }
    try {
      await handle(batch)
      return !signal.aborted
    } catch (error) {
      if (signal.aborted) return false
      log.warn(
        { topic, partition, offset: String(first.offset), pause, error: messageOf(error) },
        'redelivering a batch after its handler failed',
      )
      await clock.sleep(pause, signal).catch(() => {})
      pause = Math.min(pause * 2, MAX_PAUSE_MS)
    }
  }
}
