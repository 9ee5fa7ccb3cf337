import { FindCoordinatorKeyTypes, findCoordinatorV4, metadataV9 } from '@platformatic/kafka'
import type { Clock } from '../../context/clock.ts'
import type { KafkaAccess } from '../access/access.ts'
import { accessDenied } from '../access/errors.ts'
import { parseAddress } from '../access/probe.ts'
import { unknownTopic } from '../errors.ts'
import type { Subject } from '../kafka/errors.ts'
import { explain, isTransient } from './errors.ts'
import { type Address, createLinks, type Link, type Links } from './links.ts'

/** Maximum duration of one call, retries included, ms. */
export const CALL_MS = 20_000
const FIRST_PAUSE_MS = 20
const MAX_PAUSE_MS = 1_500

/** A broker's metadata response. */
export type Metadata = ReturnType<typeof metadataV9.parseResponse>
type CoordinatorKind = keyof typeof FindCoordinatorKeyTypes

/** Leaders and coordinators of the cluster, and the retry loop that all calls use. */
export type Cluster = {
  access: KafkaAccess
  /** Shared connections for short calls. */
  shared: Links
  /**
   * Retries work while its failures are transient, for `ms` in total. Cached leaders and coordinators are dropped before
   * each retry.
   * @throws the last failure, translated by `explain`
   */
  attempt: <R>(subject: Subject, work: () => Promise<R>, ms?: number) => Promise<R>
  /** A shared connection to the first reachable broker. */
  anyBroker: () => Promise<Link>
  /** Current metadata. Topics and partitions with errors are included, with their error codes. */
  metadata: (topics: readonly string[]) => Promise<Metadata>
  /** @throws OperatorError ASSAY_BUS_TOPIC_UNKNOWN */
  partitionsOf: (topic: string) => Promise<number>
  leaderOf: (topic: string, partition: number) => Promise<Address>
  coordinatorOf: (kind: CoordinatorKind, key: string) => Promise<Address>
  close: () => void
}

/** Error codes of topics in metadata. */
export const UNKNOWN_TOPIC = 3
const INVALID_TOPIC = 17
const TOPIC_DENIED = 29

/** The library rejects a whole response when one topic has an error. The response is attached; errors are read per topic. */
const withoutErrors = <R>(error: unknown): R => {
  const { response } = error as { response?: R }
  if (response === undefined) throw error
  return response
}

type Known = { leaders: (Address | undefined)[]; count: number }

/** `check` runs before the first connection. */
export const createCluster = (access: KafkaAccess, clock: Clock, check: () => Promise<void>): Cluster => {
  const shared = createLinks(access)
  const topics = new Map<string, Known>()
  const coordinators = new Map<string, Address>()
  const discovered: Address[] = []
  let closed = false

  const anyLink = async (): Promise<Link> => {
    await check()
    let failure: unknown
    for (const address of [...access.brokers.map(parseAddress), ...discovered]) {
      try {
        return await shared.to(address)
      } catch (error) {
        if (!isTransient(error)) throw error
        failure = error
      }
    }
    throw failure
  }

  const attempt: Cluster['attempt'] = async (subject, work, ms = CALL_MS) => {
    const end = clock.now() + ms
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      try {
        return await work()
      } catch (error) {
        if (closed || !isTransient(error) || clock.now() + pause >= end) throw explain(error, subject)
        coordinators.clear()
        for (const known of topics.values()) known.leaders = []
        await clock.sleep(pause)
      }
    }
  }

  const metadata: Cluster['metadata'] = async (names) => {
    const link = await anyLink()
    const found = await link.ask(metadataV9.api, [[...names], false, false]).catch(withoutErrors<Metadata>)
    discovered.splice(0, discovered.length, ...found.brokers.map(({ host, port }) => ({ host, port })))
    const brokers = new Map(found.brokers.map(({ nodeId, host, port }) => [nodeId, { host, port }]))
    for (const { name, partitions, errorCode } of found.topics) {
      if (errorCode !== 0 || !name) continue
      const leaders: (Address | undefined)[] = []
      for (const { partitionIndex, leaderId } of partitions) leaders[partitionIndex] = brokers.get(leaderId)
      topics.set(name, { leaders, count: partitions.length })
    }
    return found
  }

  const learn = async (topic: string): Promise<Known> => {
    const found = (await metadata([topic])).topics.find(({ name }) => name === topic)
    if (found?.errorCode === UNKNOWN_TOPIC || found?.errorCode === INVALID_TOPIC) throw unknownTopic(topic)
    if (found?.errorCode === TOPIC_DENIED) throw accessDenied(`describe topic ${topic}`)
    const known = topics.get(topic)
    if (!known) throw new Error(`brokers do not know topic ${topic} yet: error ${found?.errorCode}`)
    return known
  }

  return {
    access,
    shared,
    attempt,
    anyBroker: anyLink,
    metadata,
    partitionsOf: async (topic) => {
      const known = topics.get(topic)
      if (known) return known.count
      return (await attempt({ action: 'describe a topic', topic }, () => learn(topic))).count
    },
    leaderOf: async (topic, partition) => {
      const leader = topics.get(topic)?.leaders[partition] ?? (await learn(topic)).leaders[partition]
      if (!leader) throw new Error(`partition ${partition} of ${topic} has no leader`)
      return leader
    },
    coordinatorOf: async (kind, key) => {
      const name = `${kind}:${key}`
      const known = coordinators.get(name)
      if (known) return known
      const link = await anyLink()
      const { coordinators: found } = await link.ask(findCoordinatorV4.api, [FindCoordinatorKeyTypes[kind], [key]])
      const first = found[0]
      if (!first) throw new Error(`no coordinator for ${key}`)
      const address = { host: first.host, port: first.port }
      coordinators.set(name, address)
      return address
    },
    close: () => {
      closed = true
      shared.close()
    },
  }
}
