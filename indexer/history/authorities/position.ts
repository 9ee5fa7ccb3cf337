/** Reads the position of a network's walk from the last complete message of its topic. There is no other cursor. */
import { randomUUID } from 'node:crypto'
import type { Bus } from '../../../platform/bus/bus.ts'
import type { Network } from '../../../schema/networks.ts'
import {
  type AuthorityLogState,
  decodeBlocks,
  decodeHeaders,
  HISTORY_PARTITIONS,
  topics,
} from '../../../schema/topics.ts'

const TAIL = 8n

const atLeast = (least: bigint, value: bigint): bigint => {
  if (value < least) return least
  return value
}

type WalkPosition = {
  /** Identity of the topic, which every message carries. */
  log: string
  /** The newest state of each log by contract; empty if nothing was ever written. */
  states: ReadonlyMap<string, AuthorityLogState>
}

/** @throws RetryableError when the bus does not answer. */
export const readPosition = async (bus: Bus, network: Network): Promise<WalkPosition> => {
  const topic = topics.past(network)
  const [offsets] = await bus.offsets(topic)
  const first = offsets?.first ?? 0n
  const next = offsets?.next ?? 0n
  let log: string | undefined
  for (let tail = TAIL; next > first; tail *= 4n) {
    const from = atLeast(first, next - tail)
    let newest: AuthorityLogState[] = []
    for await (const message of bus.read(topic, 0, from)) {
      log = message.headers.log
      const { logs } = decodeBlocks(message)
      if (logs.length > 0) newest = logs
    }
    if (log !== undefined && (newest.length > 0 || from === first)) {
      return { log, states: new Map(newest.map((state) => [state.authority, state])) }
    }
    if (from === first) break
  }
  return { log: log ?? randomUUID(), states: new Map() }
}

/** First block in the messages of a partition; `undefined` if there is none about blocks. */
const firstOf = async (bus: Bus, topic: string, partition: number, offset: bigint): Promise<number | undefined> => {
  for await (const message of bus.read(topic, partition, offset)) {
    const { step, from } = decodeHeaders(message.headers)
    // A hand-over contains the blocks of history, which came before.
    if (step === 'new' || step === 'handover') return from
  }
  return undefined
}

/** Lowest block in the network's topics: blocks below it will never come with the stream. `undefined` while they are empty. */
export const firstPublished = async (bus: Bus, network: Network): Promise<number | undefined> => {
  const lowest: number[] = []
  for (const topic of [topics.history(network), topics.head(network)]) {
    for (const { partition, first, next } of (await bus.offsets(topic)).slice(0, HISTORY_PARTITIONS)) {
      const from = next === first ? undefined : await firstOf(bus, topic, partition, first)
      if (from !== undefined) lowest.push(from)
    }
  }
  return lowest.length > 0 ? Math.min(...lowest) : undefined
}
