/** Reads the position of a network's indexing and the identities of its topics from the topics. There is no other cursor. */
import { randomUUID } from 'node:crypto'
import type { Bus, Message } from '../../platform/bus/bus.ts'
import { OperatorError } from '../../platform/errors.ts'
import type { BlockRef } from '../../schema/block.ts'
import type { Network } from '../../schema/networks.ts'
import { BACKFILL_HEADER, decodeBlocks, decodeHeaders, HISTORY_PARTITIONS, topics } from '../../schema/topics.ts'
import type { TopicLogs } from './publish.ts'
import { type Anchor, createWindow, type Window } from './window.ts'

type Resumed = {
  /** Present if the head topic has blocks. */
  window: Window | undefined
  /** Lowest and last block that the indexer published on the history topic. With a window, the lowest may be unknown. */
  history: { first: number; last: Anchor } | undefined
  /** Identities of the topics; new ones for empty topics. */
  logs: TopicLogs
}

/** Messages read at first, from the end; four times as many until they suffice. */
const TAIL = 64n

const later = (a: bigint, b: bigint): bigint => {
  if (a > b) return a
  return b
}

const readFrom = async (bus: Bus, topic: string, partition: number, from: bigint): Promise<Message[]> => {
  const messages: Message[] = []
  for await (const message of bus.read(topic, partition, from)) messages.push(message)
  return messages
}

/**
 * Replays head messages into a window.
 * @param whole the messages start at the topic's start.
 * @returns `undefined` when earlier messages are needed (or, with `whole`, when there are none).
 */
export const replayHead = (messages: readonly Message[], whole: boolean): Window | undefined => {
  let refs: BlockRef[] = []
  let finalized: Anchor | undefined
  for (const message of messages) {
    const { step, from, to, hash, part } = decodeHeaders(message.headers)
    if (step === 'undo') refs = refs.filter((ref) => ref.number < from)
    else if (step === 'final' || step === 'handover') finalized = { number: to, hash }
    else if (part === 0) refs.push(...decodeBlocks(message).blocks)
  }
  const lowest = refs[0]
  if (!finalized) {
    if (!whole || !lowest) return undefined
    finalized = { number: lowest.number - 1, hash: lowest.parentHash }
  }
  const { number } = finalized
  const above = refs.filter((ref) => ref.number > number)
  const next = above[0]
  if (!whole && next === undefined && !refs.some((ref) => ref.number === number)) return undefined
  if (next && next.number !== number + 1) return undefined
  const window = createWindow(finalized)
  for (const ref of above) window.push(ref)
  return window
}

type ResumedHead = { window: Window; log: string | undefined }

const resumeHead = async (bus: Bus, network: Network): Promise<ResumedHead | undefined> => {
  const topic = topics.head(network)
  const [offsets] = await bus.offsets(topic)
  if (!offsets || offsets.next === offsets.first) return undefined
  for (let tail = TAIL; ; tail *= 4n) {
    const from = later(offsets.next - tail, offsets.first)
    const whole = from === offsets.first
    const messages = await readFrom(bus, topic, 0, from)
    const window = replayHead(messages, whole)
    if (window) return { window, log: messages.at(-1)?.headers.log }
    if (whole && messages.length === 0) return undefined
    if (whole) {
      throw new OperatorError(
        'ASSAY_INDEXER_TOPIC_CUT',
        `Topic ${topic} no longer holds the blocks above its last finalized block, so the position is unknown. Nothing was published. Raise the retention of the topic, then index again from scratch (docs/use/errors.md).`,
      )
    }
  }
}

type Offsets = Awaited<ReturnType<Bus['offsets']>>[number]

/**
 * The last matching message of a partition. Offsets at the end may hold no message, so the search widens until it finds one, or
 * exceeds `maxMessages` messages.
 */
export const findLast = async (
  bus: Bus,
  topic: string,
  { partition, first, next }: Offsets,
  wanted: (message: Message) => boolean,
  maxMessages?: bigint,
): Promise<Message | undefined> => {
  for (let tail = 16n; next > first; tail *= 4n) {
    const from = later(next - tail, first)
    let last: Message | undefined
    for await (const message of bus.read(topic, partition, from)) if (wanted(message)) last = message
    if (last || from === first || (maxMessages !== undefined && tail >= maxMessages)) return last
  }
  return undefined
}

const findFirst = async (
  bus: Bus,
  topic: string,
  { partition, first }: Offsets,
  wanted: (message: Message) => boolean,
): Promise<Message | undefined> => {
  for await (const message of bus.read(topic, partition, first)) if (wanted(message)) return message
  return undefined
}

/** Whether the indexer published the message. Backfilled ranges lie anywhere, so they do not define its position. */
const isOwn = ({ headers }: Message): boolean => headers[BACKFILL_HEADER] === undefined
/** Messages of a partition that are searched when the head topic has the position. */
const KNOWN_POSITION_TAIL = 1_024n

const resumeHistory = async (bus: Bus, network: Network, most?: bigint) => {
  const topic = topics.history(network)
  const partitions = (await bus.offsets(topic)).slice(0, HISTORY_PARTITIONS)
  const headersOf = async (find: (one: Offsets) => Promise<Message | undefined>) =>
    (await Promise.all(partitions.map(find))).flatMap((message) => (message ? [decodeHeaders(message.headers)] : []))
  const [newest] = await headersOf((one) => findLast(bus, topic, one, () => true))
  const lasts = await headersOf((one) => findLast(bus, topic, one, isOwn, most))
  const last = lasts.toSorted((a, b) => a.to - b.to).at(-1)
  const firsts = last && most === undefined ? await headersOf((one) => findFirst(bus, topic, one, isOwn)) : []
  return {
    log: newest?.log,
    history: last && {
      first: Math.min(last.from, ...firsts.map(({ from }) => from)),
      last: { number: last.to, hash: last.hash },
    },
  }
}

/** @throws RetryableError when the bus does not answer; ZodError when another version wrote the topics. */
export const resume = async (bus: Bus, network: Network): Promise<Resumed> => {
  const head = await resumeHead(bus, network)
  const { log, history } = await resumeHistory(bus, network, head && KNOWN_POSITION_TAIL)
  return {
    window: head?.window,
    history,
    logs: { head: head?.log ?? randomUUID(), history: log ?? randomUUID() },
  }
}
