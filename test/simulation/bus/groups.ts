/**
 * The broker's side of consumer groups. A member keeps its membership by a lease; partitions are distributed among the live
 * members, and change hands when their owner releases them or its lease expires, regardless of what it is doing then.
 */
import { partitionLost } from '../../../platform/bus/errors.ts'

export type Place = { topic: string; partition: number }

type Group = {
  members: Map<string, { topics: readonly string[]; until: number }>
  owners: Map<string, string>
  committed: Map<string, bigint>
}

export type Groups = {
  renew: (group: string, member: string, topics: readonly string[]) => { owned: Place[]; surplus: Place[] }
  release: (group: string, member: string, place: Place) => void
  leave: (group: string, member: string) => void
  /** @throws RetryableError ASSAY_BUS_PARTITION_LOST */
  commit: (group: string, member: string, place: Place, next: bigint) => void
  committed: (group: string, place: Place) => bigint | undefined
  names: () => string[]
}

export const LEASE_MS = 2_000

const nameOf = ({ topic, partition }: Place) => `${topic}/${partition}`

export const createGroups = (now: () => number, partitionsOf: (topic: string) => number): Groups => {
  const groups = new Map<string, Group>()
  const groupOf = (name: string): Group => {
    const known = groups.get(name) ?? { members: new Map(), owners: new Map(), committed: new Map() }
    groups.set(name, known)
    return known
  }

  return {
    renew: (name, me, topics) => {
      const { members, owners } = groupOf(name)
      members.set(me, { topics, until: now() + LEASE_MS })
      for (const [member, { until }] of members) if (until <= now()) members.delete(member)
      const owned: Place[] = []
      const surplus: Place[] = []
      let turn = 0
      for (const topic of [...new Set([...members.values()].flatMap((member) => member.topics))].sort()) {
        const candidates = [...members].filter(([, member]) => member.topics.includes(topic)).map(([member]) => member)
        candidates.sort()
        for (let partition = 0; partition < partitionsOf(topic); partition += 1, turn += 1) {
          const place = { topic, partition }
          const wanted = candidates[turn % candidates.length] === me
          const owner = owners.get(nameOf(place))
          if (owner === me) (wanted ? owned : surplus).push(place)
          else if (wanted && (owner === undefined || !members.has(owner))) {
            owners.set(nameOf(place), me)
            owned.push(place)
          }
        }
      }
      return { owned, surplus }
    },
    release: (name, me, place) => {
      const { owners } = groupOf(name)
      if (owners.get(nameOf(place)) === me) owners.delete(nameOf(place))
    },
    leave: (name, me) => {
      const { members, owners } = groupOf(name)
      members.delete(me)
      for (const [place, owner] of owners) if (owner === me) owners.delete(place)
    },
    commit: (name, me, place, next) => {
      const { owners, committed } = groupOf(name)
      if (owners.get(nameOf(place)) !== me) throw partitionLost(place.topic, place.partition)
      committed.set(nameOf(place), next)
    },
    committed: (name, place) => groupOf(name).committed.get(nameOf(place)),
    names: () => [...groups.keys()],
  }
}
