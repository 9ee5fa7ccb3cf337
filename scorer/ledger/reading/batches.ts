/**
 * Processes many wallets in batches small enough to read between two moves of the watermark. A batch that is overtaken is halved, which
 * guarantees progress: one wallet takes less time than lies between two moves. Successful batches let the size grow again.
 */
import { isAssayError } from '../../../platform/errors.ts'
import type { Network } from '../../../schema/networks.ts'

const GROWTH = 1 / 8

/** Remembers the batch size by network across calls. */
export type Batches = {
  /** Calls `work` with all `items` in batches. Halves a batch and retries if `work` throws ASSAY_STORE_READ_OVERTAKEN. */
  each: <T>(network: Network, items: readonly T[], work: (some: T[]) => Promise<void>) => Promise<void>
  /** Maximum size of the network's next batch. */
  size: (network: Network) => number
}

const isOvertaken = (error: unknown): boolean => isAssayError(error) && error.code === 'ASSAY_STORE_READ_OVERTAKEN'

/** @param most maximum and initial batch size */
export const createBatches = (most: number): Batches => {
  const sizes = new Map<Network, number>()
  const size = (network: Network) => sizes.get(network) ?? most
  return {
    size,
    each: async (network, items, work) => {
      let at = 0
      while (at < items.length) {
        const some = items.slice(at, at + size(network))
        try {
          await work(some)
        } catch (error) {
          if (some.length === 1 || !isOvertaken(error)) throw error
          sizes.set(network, Math.floor(some.length / 2))
          continue
        }
        at += some.length
        if (some.length === size(network)) sizes.set(network, Math.min(most, Math.ceil(some.length * (1 + GROWTH))))
      }
    },
  }
}
