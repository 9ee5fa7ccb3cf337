/**
 * Work on few wallets that several callers bring at the same moment, done at once: the addresses of a block lie in several partitions of
 * the queue, and most of what a batch costs does not depend on how many wallets it has.
 */
import type { Clock } from '../../platform/context/clock.ts'
import type { Network } from '../../schema/networks.ts'

/** More wallets than this are worked on by themselves. */
const FEW = 50
/** How long a caller waits for others, ms. */
const MOMENT_MS = 20

type Group = { wallets: Set<string>; callers: number; done: Promise<void> }

/** Ends when the wallets of the caller are done, whoever's `work` did them. */
export type Gather = (
  network: Network,
  wallets: readonly string[],
  work: (wallets: string[]) => Promise<void>,
) => Promise<void>

/**
 * Calls the first caller's `work` with the wallets of all; it has to throw where it does not finish. Each caller then tries its own by itself, so
 * that nobody is held up by another's wallets.
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
