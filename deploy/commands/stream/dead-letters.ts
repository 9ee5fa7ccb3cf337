/**
 * Returns dead letters to their topic where possible. A consumer group of its own keeps the position, so each letter is
 * returned once however often the command runs.
 *
 * Rescore messages may come in any order and more than once. Block messages may not: later blocks are already in the tables,
 * so the blocks have to be added in another way. Served counts carry a deduplication token.
 */
import type { Bus, Message, Producer } from '../../../platform/bus/bus.ts'
import { placeOf } from '../../../platform/bus/delivery/dead-letter.ts'
import { messageOf } from '../../../platform/errors.ts'
import type { Network } from '../../../schema/networks.ts'
import { servedBatch } from '../../../schema/records/service/served.ts'
import { decodeRescore, topics } from '../../../schema/topics.ts'
import { rescoreMessages } from '../../../scorer/rescore/queue.ts'

/** A processed dead letter. */
export type Letter = {
  /** Original position of the message: `topic:partition:offset`. */
  from: string
  /** Why it became a dead letter. */
  reason: string
  /** Why it stays a dead letter; `undefined` if it was returned. */
  kept?: string
}

const MAX_BYTES = 1_000_000

const blocksOf = ({ headers }: Message): string => `${headers.from ?? '?'} to ${headers.to ?? '?'}`

const stillUnreadable = (error: unknown) => `it is still unreadable (${messageOf(error).slice(0, 200)})`

/** Handlers of letters by topic of the network. They return why a letter stays, or undefined. */
const treatments = (
  network: Network,
  producer: Pick<Producer, 'send'>,
): Record<string, (letter: Message) => Promise<string | undefined>> => {
  const blocks = async (letter: Message) =>
    `blocks ${blocksOf(letter)} cannot be returned, because later blocks were already processed. Check whether they are missing with: assay verify --network ${network} --from ${letter.headers.from ?? 'A'} --to ${letter.headers.to ?? 'B'}`
  return {
    [topics.history(network)]: blocks,
    [topics.head(network)]: blocks,
    [topics.rescore(network)]: async ({ value }) => {
      try {
        const messages = rescoreMessages(decodeRescore(value))
        if (messages.length > 0) await producer.send([{ topic: topics.rescore(network), messages }])
        return undefined
      } catch (error) {
        if (error instanceof SyntaxError || (error instanceof Error && error.name === 'ZodError')) {
          return `${stillUnreadable(error)}. Queue the wallets with: assay replay --network ${network} --addresses FILE`
        }
        throw error
      }
    },
    [topics.served]: async ({ value }) => {
      try {
        servedBatch.parse(JSON.parse(value.toString()))
      } catch (error) {
        return `${stillUnreadable(error)}. It contains only counts of responses`
      }
      await producer.send([{ topic: topics.served, messages: [{ value }] }])
      return undefined
    },
  }
}

/**
 * Processes the dead letters of the network that no earlier run has processed.
 * @returns how many were returned, and how many stay
 */
export const giveBack = async (
  bus: Bus,
  producer: Pick<Producer, 'send'>,
  network: Network,
  report: (letter: Letter) => void,
): Promise<{ given: number; kept: number }> => {
  const counts = { given: 0, kept: 0 }
  const groupId = `replay.${network}`
  const [end] = await bus.offsets(topics.dlq)
  if (!end || (await bus.lag(groupId, topics.dlq)) === 0n) return counts
  const treatmentOf = treatments(network, producer)
  const consumer = await bus.consumer({ groupId, topics: [topics.dlq], maxBytes: MAX_BYTES })
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  let failure: unknown
  const treat = async (message: Message) => {
    const { topic = '', partition = '', offset = '', reason = '' } = message.headers
    const treated = treatmentOf[topic]
    if (!treated) return
    const kept = await treated(message)
    counts[kept === undefined ? 'given' : 'kept'] += 1
    report({ from: `${topic}:${partition}:${offset}`, reason, ...(kept !== undefined && { kept }) })
  }
  const running = consumer.run(async ({ messages, commit, signal }) => {
    for (const message of messages) {
      if (signal.aborted) return
      try {
        await treat(message)
      } catch (error) {
        failure = new Error(`dead letter ${placeOf(message)}`, { cause: error })
        finish()
        throw error
      }
      await commit(message.offset + 1n)
      if (message.offset + 1n >= end.next) finish()
    }
  })
  await Promise.race([finished, running])
  await consumer.close()
  await running.catch(() => undefined)
  if (failure instanceof Error) throw failure.cause
  return counts
}
