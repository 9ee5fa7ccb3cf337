/**
 * Work on many wallets in batches that can be read between two moves of the watermark. A batch that is overtaken is halved, so that
 * progress is certain: one wallet is read in less time than lies between two moves. Batches that are not let the size grow again.
 */
import { isAssayError } from '../../../platform/errors.ts'
import type { Network } from '../../../schema/networks.ts'

const GROWTH = 1 / 8

/** Remembers by network how large a batch may be, so that it is found once and not with every call. */
export type Batches = {
  /** Calls `work` with all of `items`, some at a time; again with fewer of them when it throws ASSAY_STORE_READ_OVERTAKEN. */
  each: <T>(network: Network, items: readonly T[], work: (some: T[]) => Promise<void>) => Promise<void>
  /** How many items the next batch of the network holds at most. */
  size: (network: Network) => number
}

const isOvertaken = (error: unknown): boolean => isAssayError(error) && error.code === 'ASSAY_STORE_READ_OVERTAKEN'

/** @param most items of a batch at most, and of the first one. */
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
