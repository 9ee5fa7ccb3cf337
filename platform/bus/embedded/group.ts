import { randomUUID } from 'node:crypto'
import type { Clock } from '../../context/clock.ts'
import { partitionLost } from '../errors.ts'
import type { BusDatabase } from './database.ts'
import type { Log } from './log.ts'
import { isRunning, thisProcess } from './process.ts'

/** One partition of a topic. */
export type Place = { topic: string; partition: number }

/**
 * One member of a consumer group. Each member computes the assignment itself, from the table of live members, in one
 * write transaction. A partition changes its owner only after the owner has released it or died.
 */
export type Membership = {
  /** Renews the lease. `owned`: partitions to work on. `surplus`: owned, but due to others; finish, then release them. */
  renew: () => Promise<{ owned: Place[]; surplus: Place[] }>
  release: (place: Place) => Promise<void>
  /** @throws RetryableError ASSAY_BUS_PARTITION_LOST */
  commit: (place: Place, next: bigint) => Promise<void>
  leave: () => Promise<void>
}

/**
 * Joins a group under a fresh id at the first `renew`. The membership ends when its lease of `leaseMs` is not renewed, or
 * its process ends.
 */
export const createMembership = (
  { db, log, clock }: { db: BusDatabase; log: Log; clock: Clock },
  { groupId, topics, leaseMs }: { groupId: string; topics: readonly string[]; leaseMs: number },
): Membership => {
  const me = randomUUID()
  const self = thisProcess()

  /** Inside a write transaction: the group's live members by id. Removes the dead. */
  const liveMembers = () => {
    const live = new Map<string, readonly string[]>()
    for (const { key, value } of [...db.members.getRange({ start: [groupId, ''], end: [groupId, '\uffff'] })]) {
      if (value.until > clock.now() && (value.process === self || isRunning(value.process)))
        live.set(key[1], value.topics)
      else db.members.remove(key)
    }
    return live
  }

  return {
    renew: () =>
      db.write(() => {
        db.members.put([groupId, me], { topics: [...topics], process: self, until: clock.now() + leaseMs })
        const live = liveMembers()
        const owned: Place[] = []
        const surplus: Place[] = []
        let turn = 0
        for (const topic of [...new Set([...live.values()].flat())].sort()) {
          const candidates = [...live].filter(([, wanted]) => wanted.includes(topic)).map(([member]) => member)
          const { id, partitions } = log.topic(topic)
          for (let partition = 0; partition < partitions; partition += 1, turn += 1) {
            const wanted = candidates[turn % candidates.length] === me
            const owner = db.owners.get([groupId, id, partition])
            if (owner === me) (wanted ? owned : surplus).push({ topic, partition })
            else if (wanted && (owner === undefined || !live.has(owner))) {
              db.owners.put([groupId, id, partition], me)
              owned.push({ topic, partition })
            }
          }
        }
        return { owned, surplus }
      }),
    release: ({ topic, partition }) => {
      const key: [string, number, number] = [groupId, log.topic(topic).id, partition]
      return db.write(() => {
        if (db.owners.get(key) === me) db.owners.remove(key)
      })
    },
    commit: async ({ topic, partition }, next) => {
      const key: [string, number, number] = [groupId, log.topic(topic).id, partition]
      const kept = await db.write(() => {
        if (db.owners.get(key) !== me) return false
        db.committed.put(key, Number(next))
        return true
      })
      if (!kept) throw partitionLost(topic, partition)
    },
    leave: () =>
      db.write(() => {
        db.members.remove([groupId, me])
        for (const topic of topics) {
          const { id, partitions } = log.topic(topic)
          for (let partition = 0; partition < partitions; partition += 1)
            if (db.owners.get([groupId, id, partition]) === me) db.owners.remove([groupId, id, partition])
        }
      }),
  }
}
