import type { Clock } from '../../context/clock.ts'
import type { Logger } from '../../context/log.ts'
import { messageOf } from '../../errors.ts'
import type { Batch, Consumer, ConsumerOptions } from '../bus.ts'
import { createAllowance } from '../delivery/allowance.ts'
import { deliver } from '../delivery/deliver.ts'
import { sizeOf } from '../delivery/limits.ts'
import { closed } from '../errors.ts'
import type { BusDatabase } from './database.ts'
import { createMembership, type Place } from './group.ts'
import type { Log } from './log.ts'
import type { Wake } from './wake.ts'

type ConsumerDeps = { db: BusDatabase; log: Log; wake: Wake; clock: Clock; logger: Logger }

const nameOf = ({ topic, partition }: Place) => `${topic}/${partition}`

/**
 * Runs one loop per owned partition, and one that renews the lease and takes or releases partitions. A loop is aborted and
 * awaited before its partition is released, so that no partition ever has two loops.
 */
export const createConsumer = (
  { db, log, wake, clock, logger }: ConsumerDeps,
  { groupId, topics, maxBytes, batchBytes, position: startOf }: ConsumerOptions,
  { leaseMs, pollMs }: { leaseMs: number; pollMs: number },
): Consumer => {
  const groupName = `group ${groupId}`
  const stop = new AbortController()
  const membership = createMembership({ db, log, clock }, { groupId, topics, leaseMs })
  const allowance = createAllowance(maxBytes)
  const loops = new Map<string, { place: Place; abort: AbortController; ended: Promise<void> }>()
  let owned = 1
  let running: Promise<void> | undefined

  /** Start offset of a partition. An offset from `startOf` is committed, so that lag counts from there. */
  const begin = async (place: Place): Promise<number> => {
    const { topic, partition } = place
    const committed = db.committed.get([groupId, log.topic(topic).id, partition]) ?? 0
    if (!startOf) return committed
    const start = (await startOf(topic, partition)) ?? log.offsets(topic)[partition]?.first ?? 0n
    if (Number(start) !== committed) await membership.commit(place, start)
    return Number(start)
  }

  const work = async (place: Place, signal: AbortSignal, handle: (batch: Batch) => Promise<void>) => {
    const { topic, partition } = place
    let position = await begin(place)
    while (!signal.aborted) {
      const maxBatchBytes = Math.min(batchBytes ?? Math.floor(maxBytes / owned), maxBytes)
      if (!(await allowance.take(maxBatchBytes, signal))) return
      let taken = maxBatchBytes
      const alarm = wake.listen([topic])
      try {
        db.refresh()
        const messages = log.fetch(topic, partition, position, maxBatchBytes)
        const bytes = messages.reduce((sum, message) => sum + sizeOf(message), 0)
        allowance.give(taken - bytes)
        taken = bytes
        const last = messages.at(-1)
        if (!last) {
          await alarm.wait(pollMs, signal)
          continue
        }
        const commit = (next: bigint) => membership.commit(place, next)
        const heartbeat = async () => {}
        if (await deliver({ messages, signal, commit, heartbeat }, handle, { clock, log: logger }))
          position = Number(last.offset) + 1
      } finally {
        alarm.stop()
        allowance.give(taken)
      }
    }
  }

  const start = (place: Place, handle: (batch: Batch) => Promise<void>) => {
    const abort = new AbortController()
    const ended = work(place, abort.signal, handle)
      .catch((error: unknown) => {
        logger.error({ ...place, groupId, error: messageOf(error) }, 'restarted a partition after its loop failed')
      })
      .finally(() => {
        loops.delete(nameOf(place))
        if (abort.signal.aborted) wake.notify([groupName])
      })
    loops.set(nameOf(place), { place, abort, ended })
  }

  const letGo = async (name: string, reason: string) => {
    const loop = loops.get(name)
    if (!loop || loop.abort.signal.aborted) return
    loop.abort.abort(new Error(reason))
    await loop.ended
    await membership.release(loop.place)
    wake.notify([groupName])
  }

  const settle = async (handle: (batch: Batch) => Promise<void>) => {
    const plan = await membership.renew()
    const mine = new Set([...plan.owned, ...plan.surplus].map(nameOf))
    owned = Math.max(plan.owned.length, 1)
    for (const place of plan.owned) if (!loops.has(nameOf(place))) start(place, handle)
    for (const name of loops.keys())
      if (!mine.has(name)) loops.get(name)?.abort.abort(new Error('another consumer owns the partition'))
    for (const place of plan.surplus) {
      if (loops.has(nameOf(place))) letGo(nameOf(place), 'the partition moves on').catch(reportLater)
      else await membership.release(place).then(() => wake.notify([groupName]))
    }
  }

  const reportLater = (error: unknown) =>
    logger.warn({ groupId, error: messageOf(error) }, 'could not release a partition, retrying')

  const live = async (handle: (batch: Batch) => Promise<void>) => {
    wake.notify([groupName])
    while (!stop.signal.aborted) {
      const alarm = wake.listen([groupName])
      try {
        await settle(handle)
      } catch (error) {
        logger.warn({ groupId, error: messageOf(error) }, 'could not renew the lease, retrying')
      }
      await alarm.wait(leaseMs / 3, stop.signal)
      alarm.stop()
    }
    for (const { abort } of loops.values()) abort.abort(new Error('the consumer closes'))
    await Promise.all([...loops.values()].map(({ ended }) => ended))
    await membership.leave()
    wake.notify([groupName])
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
