import { setMaxListeners } from 'node:events'
import type { Clock } from '../../context/clock.ts'
import type { Logger } from '../../context/log.ts'
import { messageOf } from '../../errors.ts'
import type { Batch, Consumer, ConsumerOptions } from '../bus.ts'
import { createAllowance } from '../delivery/allowance.ts'
import { closed, partitionLost } from '../errors.ts'
import { meansLostType } from '../kafka/errors.ts'
import type { Cluster } from './cluster.ts'
import { typeOf } from './errors.ts'
import { createMember, type Generation, SESSION_MS } from './member.ts'
import { runPartition } from './partition.ts'

const HEARTBEAT_MS = 1_000
const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 10_000

type ConsumerDeps = { cluster: Cluster; clock: Clock; log: Logger }

/**
 * Joins its group and runs one loop per assigned partition. At a rebalance it aborts the loops, waits until they have
 * ended, and joins again (eager protocol). It leaves the group when it is closed.
 */
export const createConsumer = (deps: ConsumerDeps, options: ConsumerOptions): Consumer => {
  const { cluster, clock, log } = deps
  const { groupId, topics, maxBytes } = options
  const stop = new AbortController()
  let running: Promise<void> | undefined

  /** Renews the membership until `ended` is aborted, and aborts `hold` once the group has continued without this member. */
  const beat = async (renew: () => Promise<void>, hold: AbortController, ended: AbortSignal) => {
    let renewedAt = clock.now()
    while (!ended.aborted) {
      try {
        await renew()
        renewedAt = clock.now()
      } catch (error) {
        if (meansLostType(typeOf(error))) hold.abort(new Error('the group rebalances'))
        else if (clock.now() - renewedAt > SESSION_MS) hold.abort(new Error('the membership has expired'))
      }
      await clock.sleep(HEARTBEAT_MS, ended).catch(() => {})
    }
  }

  const session = async (
    member: ReturnType<typeof createMember>,
    generation: Generation,
    handle: (batch: Batch) => Promise<void>,
  ) => {
    const hold = new AbortController()
    const ended = new AbortController()
    const onStop = () => hold.abort(stop.signal.reason)
    if (stop.signal.aborted) onStop()
    stop.signal.addEventListener('abort', onStop, { once: true })
    const { signal } = hold
    setMaxListeners(0, signal)
    const allowance = createAllowance(maxBytes)
    const heartbeat = async () => {
      await member.heartbeat(generation).catch((error: unknown) => {
        if (meansLostType(typeOf(error))) hold.abort(new Error('the group rebalances'))
      })
    }
    const beating = beat(() => member.heartbeat(generation), hold, ended.signal)
    const idle = new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    const loops = generation.owned.map((place) => {
      const commit = async (next: bigint) => {
        if (signal.aborted) throw partitionLost(place.topic, place.partition, signal.reason)
        await member.commit(generation, place, next)
      }
      return runPartition(
        { ...deps, allowance },
        options,
        { place, owned: generation.owned.length, signal, commit, heartbeat },
        handle,
      )
    })
    await Promise.all([idle, ...loops])
    ended.abort()
    await beating
    stop.signal.removeEventListener('abort', onStop)
  }

  const live = async (handle: (batch: Batch) => Promise<void>) => {
    const member = createMember(cluster, groupId, topics)
    let pause = FIRST_PAUSE_MS
    const ended = new Promise<undefined>((resolve) => {
      if (stop.signal.aborted) resolve(undefined)
      stop.signal.addEventListener('abort', () => resolve(undefined), { once: true })
    })
    while (!stop.signal.aborted) {
      try {
        const joining = member.join()
        joining.catch(() => {})
        const generation = await Promise.race([joining, ended])
        if (!generation) break
        pause = FIRST_PAUSE_MS
        await session(member, generation, handle)
      } catch (error) {
        log.warn({ groupId, pause, error: messageOf(error) }, 'rejoining the group after the consumer failed')
        await clock.sleep(pause, stop.signal).catch(() => {})
        pause = Math.min(pause * 2, MAX_PAUSE_MS)
      }
    }
    await member.leave()
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
