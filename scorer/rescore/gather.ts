/**
 * Merges small batches that arrive at the same moment into one: addresses of a block are spread over the partitions of the queue,
 * and the cost of a batch hardly depends on its size.
 */
import type { Clock } from '../../platform/context/clock.ts'
import type { Network } from '../../schema/networks.ts'

/** Larger batches are processed on their own. */
const FEW = 50
/** How long a batch waits for others, ms. */
const MOMENT_MS = 20

type Group = { wallets: Set<string>; callers: number; done: Promise<void> }

/** Resolves when the wallets of the caller are done, by whichever caller's `work`. */
export type Gather = (
  network: Network,
  wallets: readonly string[],
  work: (wallets: string[]) => Promise<void>,
) => Promise<void>

/**
 * Calls the `work` of the first caller with the wallets of all callers. `work` must throw if it does not finish. Then each caller
 * processes its own wallets, so that no caller is held up by the wallets of another.
 */
export const createGather = ({ sleep }: Pick<Clock, 'sleep'>): Gather => {
  const open = new Map<Network, Group>()
  return async (network, wallets, work) => {
    if (wallets.length > FEW) return work([...wallets])
    let group = open.get(network)
    if (!group) {
      const all = new Set<string>()
      const whole = async () => {
        await sleep(MOMENT_MS)
        open.delete(network)
        await work([...all])
      }
      group = { wallets: all, callers: 0, done: whole() }
      open.set(network, group)
    }
    group.callers += 1
    for (const wallet of wallets) group.wallets.add(wallet)
    try {
      await group.done
    } catch (error) {
      if (group.callers === 1) throw error
      await work([...wallets])
    }
  }
}
