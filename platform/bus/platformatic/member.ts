import { heartbeatV4, joinGroupV6, leaveGroupV4, offsetCommitV8, syncGroupV4 } from '@platformatic/kafka'
import {
  ASSIGNER,
  assign,
  decodeAssignment,
  decodeSubscription,
  encodeAssignment,
  encodeSubscription,
  type Owned,
} from './assignment.ts'
import { CALL_MS, type Cluster } from './cluster.ts'
import { typeOf } from './errors.ts'
import { createLinks, REQUEST_MS } from './links.ts'

/** After this time without a heartbeat, the group gives a member's partitions to others, ms. */
export const SESSION_MS = 10_000
/** How long members may take to release their partitions, ms. */
const REBALANCE_MS = 60_000
const PROTOCOL = 'consumer'

type Joined = ReturnType<typeof joinGroupV6.parseResponse>

/** A member's assignment, from one rebalance to the next. */
export type Generation = { id: number; memberId: string; owned: Owned[] }

/**
 * A member of a group under Kafka's classic protocol: `join` waits until all members have joined, then the leader deals
 * out the partitions; `heartbeat` fails when it is time to join again.
 */
export type Member = {
  join: () => Promise<Generation>
  heartbeat: (generation: Generation) => Promise<void>
  commit: (generation: Generation, place: Owned, next: bigint) => Promise<void>
  leave: () => Promise<void>
}

/**
 * A member with connections of its own, because a join holds its connection for up to a minute. Nothing is sent before
 * `join`.
 */
export const createMember = (cluster: Cluster, groupId: string, topics: readonly string[]): Member => {
  const links = createLinks(cluster.access)
  const subject = { action: 'join a group', topic: topics.join(', ') }
  let memberId = ''

  const coordinator = async () => links.to(await cluster.coordinatorOf('GROUP', groupId))

  const enter = async (): Promise<Joined> => {
    const link = await coordinator()
    const protocols = [{ name: ASSIGNER, metadata: encodeSubscription(topics) }]
    const ask = () =>
      link.ask(
        joinGroupV6.api,
        [groupId, SESSION_MS, REBALANCE_MS, memberId, null, PROTOCOL, protocols],
        REBALANCE_MS + REQUEST_MS,
      )
    try {
      return await ask()
    } catch (error) {
      if (typeOf(error) !== 'MEMBER_ID_REQUIRED') throw error
      memberId = (error as { response?: Joined }).response?.memberId ?? ''
      return ask()
    }
  }

  const shares = async ({ leader, members }: Joined) => {
    if (leader !== memberId) return []
    const subscriptions = new Map(
      members.map((member) => [member.memberId, decodeSubscription(member.metadata ?? encodeSubscription(topics))]),
    )
    const counts = new Map<string, number>()
    for (const topic of new Set([...subscriptions.values()].flat()))
      counts.set(topic, await cluster.partitionsOf(topic))
    return [...assign(subscriptions, counts)].map(([id, owned]) => ({
      memberId: id,
      assignment: encodeAssignment(owned),
    }))
  }

  return {
    join: () =>
      cluster.attempt(
        subject,
        async () => {
          for (;;) {
            try {
              const joined = await enter()
              memberId = joined.memberId ?? memberId
              const link = await coordinator()
              const synced = await link.ask(
                syncGroupV4.api,
                [groupId, joined.generationId, memberId, null, PROTOCOL, ASSIGNER, await shares(joined)],
                REBALANCE_MS + REQUEST_MS,
              )
              return { id: joined.generationId, memberId, owned: decodeAssignment(synced.assignment) }
            } catch (error) {
              const type = typeOf(error)
              if (type === 'UNKNOWN_MEMBER_ID' || type === 'ILLEGAL_GENERATION') memberId = ''
              else if (type !== 'REBALANCE_IN_PROGRESS') throw error
            }
          }
        },
        REBALANCE_MS + CALL_MS,
      ),
    heartbeat: async (generation) => {
      const link = await coordinator()
      await link.ask(heartbeatV4.api, [groupId, generation.id, generation.memberId])
    },
    commit: (generation, { topic, partition }, next) =>
      cluster.attempt({ action: 'commit offsets', topic, partition }, async () => {
        const link = await coordinator()
        const places = [{ partitionIndex: partition, committedOffset: next, committedLeaderEpoch: -1 }]
        const topicPlaces = [{ name: topic, partitions: places }]
        await link.ask(offsetCommitV8.api, [groupId, generation.id, generation.memberId, null, topicPlaces])
      }),
    leave: async () => {
      try {
        if (memberId === '') return
        const link = await coordinator()
        await link.ask(leaveGroupV4.api, [groupId, [{ memberId }]])
      } catch {
        // Without heartbeats the session ends by itself.
      } finally {
        memberId = ''
        links.close()
      }
    },
  }
}
