/** Consumers of a simulated process: one loop for each owned partition, and one that renews their lease. */
import type { Batch, Consumer, ConsumerOptions, Message } from '../../../platform/bus/bus.ts'
import { deliver } from '../../../platform/bus/delivery/deliver.ts'
import { closed, unavailable } from '../../../platform/bus/errors.ts'
import type { Process } from '../virtual/process.ts'
import type { Scheduler } from '../virtual/scheduler.ts'
import type { Broker } from './broker.ts'
import { LEASE_MS, type Place } from './groups.ts'

const POLL_MS = 1_000
const MAX_MESSAGES = 12
const RETRY_MS = 200

type Deps = { process: Process; broker: Broker; scheduler: Scheduler }

const nameOf = ({ topic, partition }: Place) => `${topic}/${partition}`

export const createConsumer = ({ process, broker, scheduler }: Deps, options: ConsumerOptions): Consumer => {
  const { groupId, topics } = options
  const { clock, context } = process
  const { log, groups } = broker
  const me = broker.nextMember()
  const stop = new AbortController()
  const loops = new Map<string, { place: Place; abort: AbortController; ended: Promise<void> }>()
  let running: Promise<void> | undefined

  const ask = <T>(what: string, perform: () => T | Promise<T>, quiet = true) =>
    process.call(what, { perform, lost: () => unavailable(what), quiet })

  /** Waits at the broker until there is a message, or for a limited time. */
  const fetch = ({ topic, partition }: Place, from: bigint): Promise<Message[]> =>
    ask('fetch', () => {
      const most = 1 + scheduler.random.below(MAX_MESSAGES)
      const found = log.read(topic, partition, from, most)
      if (found.length > 0) return found
      return new Promise((resolve) => {
        const done = () => {
          forget()
          cancel()
          resolve(log.read(topic, partition, from, most))
        }
        const forget = log.onChange(topic, partition, done)
        const cancel = scheduler.after(POLL_MS, done)
      })
    })

  /** Start of a partition. The caller's position is committed, so that lag counts from there. */
  const begin = async (place: Place): Promise<bigint> => {
    if (!options.position) return (await ask('position', () => groups.committed(groupId, place))) ?? 0n
    const named = (await options.position(place.topic, place.partition)) ?? 0n
    await ask('commits its position', () => groups.commit(groupId, me, place, named))
    return named
  }

  const work = async (place: Place, signal: AbortSignal, handle: (batch: Batch) => Promise<void>) => {
    let position = await begin(place)
    while (!signal.aborted) {
      const messages = await fetch(place, position)
      const last = messages.at(-1)
      if (!last || signal.aborted) continue
      const commit = (next: bigint) =>
        ask(`commits ${nameOf(place)} ${next}`, () => groups.commit(groupId, me, place, next), false)
      const delivery = { messages, signal, commit, heartbeat: async () => undefined }
      if (await deliver(delivery, handle, { clock, log: context.log })) position = last.offset + 1n
    }
  }

  const start = (place: Place, handle: (batch: Batch) => Promise<void>) => {
    const abort = new AbortController()
    const name = nameOf(place)
    const ended = work(place, abort.signal, handle)
      .catch(() => clock.sleep(RETRY_MS, abort.signal).catch(() => undefined))
      .finally(() => loops.delete(name))
    loops.set(name, { place, abort, ended })
  }

  const letGo = async (place: Place) => {
    const loop = loops.get(nameOf(place))
    if (loop?.abort.signal.aborted) return
    loop?.abort.abort(new Error('the partition moves on'))
    await loop?.ended
    await ask('release', () => groups.release(groupId, me, place))
  }

  const live = async (handle: (batch: Batch) => Promise<void>) => {
    while (!stop.signal.aborted) {
      try {
        const plan = await ask('renew', () => groups.renew(groupId, me, topics))
        const mine = new Set([...plan.owned, ...plan.surplus].map(nameOf))
        for (const place of plan.owned) if (!loops.has(nameOf(place))) start(place, handle)
        for (const [name, loop] of loops)
          if (!mine.has(name)) loop.abort.abort(new Error('another consumer owns the partition'))
        for (const place of plan.surplus) letGo(place).catch(() => undefined)
      } catch {
        // The next round asks again.
      }
      await clock.sleep(LEASE_MS / 4, stop.signal).catch(() => undefined)
    }
    for (const { abort } of loops.values()) abort.abort(new Error('the consumer closes'))
    await Promise.all([...loops.values()].map(({ ended }) => ended))
    await ask('leave', () => groups.leave(groupId, me)).catch(() => undefined)
  }

  return {
    run: async (handle) => {
      if (stop.signal.aborted || running) throw closed('consumer')
      running = live(handle)
      await running
    },
    close: async () => {
      stop.abort(new Error('the consumer closes'))
      await running
    },
  }
}
