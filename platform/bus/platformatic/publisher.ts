import {
  addPartitionsToTxnV3,
  endTxnV3,
  initProducerIdV4,
  type MessageRecord,
  NumericMap,
  produceV9,
} from '@platformatic/kafka'
import { BugError } from '../../errors.ts'
import type { Place, Publisher } from '../delivery/sender.ts'
import { unavailable } from '../errors.ts'
import { CALL_MS, type Cluster } from './cluster.ts'
import { explain } from './errors.ts'
import { type Address, createLinks, type Links, REQUEST_MS } from './links.ts'

/** After this time the broker rolls back an open transaction, ms. */
const TRANSACTION_MS = 60_000
const ALL_IN_SYNC = -1
/** Sequence numbers wrap around at this number. */
const SEQUENCES = 2 ** 31

type Identity = { producerId: bigint; producerEpoch: number }

type Produced = ReturnType<typeof produceV9.parseResponse>

const nameOf = (topic: string, partition: number) => `${topic}:${partition}`

const recordsOf = ({ topic, partition, messages }: Place): MessageRecord[] =>
  messages.map(({ key, value, headers }) => ({
    topic,
    partition,
    value,
    ...(key !== undefined && { key: Buffer.from(key) }),
    headers: new Map(Object.entries(headers ?? {}).map(([name, text]) => [Buffer.from(name), Buffer.from(text)])),
  }))

/** Partitions that were written although the produce request failed, by name. */
const writtenOf = (error: unknown): Set<string> => {
  const { response } = error as { response?: Produced }
  return new Set(
    (response?.responses ?? []).flatMap(({ name, partitionResponses }) =>
      partitionResponses.filter(({ errorCode }) => errorCode === 0).map(({ index }) => nameOf(name, index)),
    ),
  )
}

/**
 * A producer id with its sequence numbers, and one transaction at a time if it has a transactional id. Retries keep
 * their sequence numbers, so that a broker that has written a request already only acknowledges it.
 */
export const openPublisher = async (cluster: Cluster, transactionalId: string | undefined): Promise<Publisher> => {
  const links: Links = createLinks(cluster.access)
  const sequences = new NumericMap()
  const subject = { action: 'publish', transactionalId }

  const atCoordinator = async () =>
    transactionalId === undefined
      ? cluster.anyBroker()
      : links.to(await cluster.coordinatorOf('TRANSACTION', transactionalId))

  const identify = async (): Promise<Identity> => {
    const link = await atCoordinator()
    const limit = transactionalId === undefined ? REQUEST_MS : TRANSACTION_MS
    const { producerId, producerEpoch } = await link.ask(initProducerIdV4.api, [
      transactionalId ?? null,
      limit,
      -1n,
      -1,
    ])
    return { producerId, producerEpoch }
  }

  const identity = await cluster
    .attempt({ action: 'open a producer', transactionalId }, identify)
    .catch((error: unknown) => {
      links.close()
      throw error
    })

  const byLeader = async (places: readonly Place[]): Promise<[Address, Place[]][]> => {
    const groups = new Map<string, [Address, Place[]]>()
    for (const place of places) {
      const leader = await cluster.leaderOf(place.topic, place.partition)
      const name = `${leader.host}:${leader.port}`
      const group = groups.get(name) ?? [leader, []]
      group[1].push(place)
      groups.set(name, group)
    }
    return [...groups.values()]
  }

  const acknowledge = ({ topic, partition, messages }: Place) => {
    const name = nameOf(topic, partition)
    sequences.set(name, (sequences.getWithDefault(name, 0) + messages.length) % SEQUENCES)
  }

  /** Sends a round. Retries leave out acknowledged partitions. */
  const produce = async (round: readonly Place[], end: number) => {
    let pending = round
    const send = async ([leader, places]: [Address, Place[]]): Promise<Place[]> => {
      const options = {
        ...identity,
        sequences,
        compression: 'gzip' as const,
        ...(transactionalId !== undefined && { transactionalId }),
      }
      try {
        const link = await links.to(leader)
        await link.ask(produceV9.api, [ALL_IN_SYNC, REQUEST_MS, places.flatMap(recordsOf), options])
        for (const place of places) acknowledge(place)
        return []
      } catch (error) {
        const written = writtenOf(error)
        const left = places.filter(({ topic, partition }) => !written.has(nameOf(topic, partition)))
        for (const place of places) if (!left.includes(place)) acknowledge(place)
        failure = error
        return left
      }
    }
    let failure: unknown
    await cluster.attempt(
      { ...subject, ...(round[0] && { topic: round[0].topic }) },
      async () => {
        failure = undefined
        pending = (await Promise.all((await byLeader(pending)).map(send))).flat()
        if (failure !== undefined) throw failure
      },
      end - Date.now(),
    )
  }

  const transact = async (id: string, rounds: readonly Place[][], end: number) => {
    const atTransactions = <R>(work: (link: Awaited<ReturnType<typeof links.to>>) => Promise<R>) =>
      cluster.attempt(
        subject,
        async () => work(await links.to(await cluster.coordinatorOf('TRANSACTION', id))),
        Math.max(end - Date.now(), 1_000),
      )
    const endWith = (commit: boolean) =>
      atTransactions((link) => link.ask(endTxnV3.api, [id, identity.producerId, identity.producerEpoch, commit]))
    const partitions = new Map<string, Set<number>>()
    for (const { topic, partition } of rounds.flat())
      partitions.set(topic, (partitions.get(topic) ?? new Set()).add(partition))
    const topics = [...partitions].map(([name, numbers]) => ({ name, partitions: [...numbers] }))
    await atTransactions((link) =>
      link.ask(addPartitionsToTxnV3.api, [[{ transactionalId: id, ...identity, verifyOnly: false, topics }]]),
    )
    try {
      for (const round of rounds) await produce(round, end)
    } catch (error) {
      if (!(error instanceof BugError)) throw error
      await endWith(false).catch((cause: unknown) => {
        throw unavailable('publish', cause)
      })
      throw error
    }
    await endWith(true)
  }

  return {
    publish: async (rounds) => {
      const end = Date.now() + CALL_MS
      try {
        if (transactionalId !== undefined) await transact(transactionalId, rounds, end)
        else for (const round of rounds) await produce(round, end)
      } catch (error) {
        throw explain(error, subject)
      }
    },
    close: async () => links.close(),
  }
}
