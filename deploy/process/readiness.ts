/**
 * Whether verdicts can be served: the store answers, every network has stored blocks, and their height still rises.
 * Silence is the bug: a network whose height stands still for several block times is not ready, whatever the cause.
 */
import { readFileSync } from 'node:fs'
import type { Context } from '../../platform/context.ts'
import type { Store } from '../../platform/store/store.ts'
import { type Network, networkInfo } from '../../schema/networks.ts'
import type { Readiness } from './ops-server.ts'

const sql = (name: string) => readFileSync(new URL(`sql/${name}.sql`, import.meta.url), 'utf8')
const HEIGHTS = [sql('height_hot'), sql('height_final')]

const POLL_MS = 2_000
const STALL_BLOCKS = 10
const STALL_FLOOR_MS = 60_000

/** How long a network's height may stand still, in ms: ten block times, a minute at least. */
export const stallAfterMs = (network: Network): number =>
  Math.max(STALL_FLOOR_MS, STALL_BLOCKS * networkInfo(network).blockTimeMs)

export type NetworkWatch = {
  readiness: () => Readiness
  /** Looks once; the watch does so by itself every two seconds. */
  poll: () => Promise<void>
}

export const createNetworkWatch = (context: Context, store: Store, networks: readonly Network[]): NetworkWatch => {
  const { clock, lifecycle, log, metrics } = context
  const stored = metrics.gauge('assay_stored_height', 'Highest block in the tables', ['network'])
  const stalled = metrics.gauge('assay_stalled', '1 while the stored height stands still for too long', ['network'])
  const heights = new Map<Network, { height: number; since: number }>()
  let storeAnswers = false

  const heightOf = async (network: Network): Promise<number> => {
    const answers = await Promise.all(
      HEIGHTS.map((text) => store.query<{ height: number | string }>(text, { network }, { route: 'height' })),
    )
    return Math.max(0, ...answers.flat().map((row) => Number(row.height)))
  }

  const isStalled = (network: Network): boolean => {
    const known = heights.get(network)
    return known !== undefined && clock.now() - known.since > stallAfterMs(network)
  }

  const poll = async () => {
    try {
      for (const network of networks) {
        const height = await heightOf(network)
        const known = heights.get(network)
        if (height > 0 && (!known || height !== known.height)) heights.set(network, { height, since: clock.now() })
        stored.set({ network }, height)
        stalled.set({ network }, isStalled(network) ? 1 : 0)
      }
      storeAnswers = true
    } catch (err) {
      storeAnswers = false
      log.warn({ err }, 'failed to look up stored heights')
    }
  }

  const watch = async () => {
    while (!lifecycle.signal.aborted) {
      await poll()
      await clock.sleep(POLL_MS, lifecycle.signal).catch(() => undefined)
    }
  }
  void watch()

  return {
    poll,
    readiness: () => {
      const reasons = storeAnswers ? [] : ['the store does not answer']
      for (const network of networks) {
        if (!heights.has(network)) reasons.push(`${network} has no blocks yet`)
        else if (isStalled(network)) reasons.push(`${network} stands still`)
      }
      return { ready: reasons.length === 0, reasons }
    },
  }
}
