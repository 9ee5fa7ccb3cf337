/** The bus shared by all simulated processes, as the simulation sees it. It crashes and restarts, and loses nothing. */
import type { Scheduler } from '../virtual/scheduler.ts'
import { createGroups, type Groups } from './groups.ts'
import { type BusLog, createBusLog } from './log.ts'

export type Broker = {
  log: BusLog
  groups: Groups
  /** Messages of a topic that the group has not committed. */
  lag: (group: string, topic: string) => bigint
  nextMember: () => string
}

export const createBroker = (scheduler: Scheduler): Broker => {
  const log = createBusLog(scheduler.now)
  const groups = createGroups(scheduler.now, (topic) => log.topic(topic).partitions.length)
  let members = 0
  return {
    log,
    groups,
    lag: (group, topic) =>
      log.offsets(topic).reduce((sum, { partition, first, next }) => {
        const committed = groups.committed(group, { topic, partition }) ?? first
        const [left] = log.read(topic, partition, committed)
        return left ? sum + next - left.offset : sum
      }, 0n),
    nextMember: () => {
      members += 1
      return `member-${String(members).padStart(4, '0')}`
    },
  }
}
