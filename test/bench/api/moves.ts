/** A network beside the API whose head advances, and whose blocks become final, during the measurement. */
import { createRandom } from '../../../deploy/demo/scenario/random.ts'
import { systemClock } from '../../../platform/context/clock.ts'
import type { Store } from '../../../platform/store/store.ts'
import { encodeBlocks, encodeFinal } from '../../../schema/topics.ts'
import { makeBlock } from '../../contract/ingest/chain.ts'
import { createTestHead, hotTierDeps } from '../../contract/ingest/mover.kit.ts'

const BLOCK_MS = 1_000
/** Blocks made final by each new one: fast finality. */
const DEPTH = 3

export type Moves = { moves: number /** Median time readers had to wait for a move, ms. */; moveMs: number }

/**
 * After block `tip`, one block of 100 transactions a second, with rows in every table. The watermark follows every five
 * seconds, as in production. `stop` resolves with the amounts moved.
 */
export const startMoving = (store: Store, tip: { number: number; hash: string }): { stop: () => Promise<Moves> } => {
  const windows: number[] = []
  let began = 0
  const onStep = (step: string) => {
    if (step === 'moving') began = performance.now()
    if (step === 'settled') windows.push(performance.now() - began)
  }
  const { head, apply } = createTestHead({ ...hotTierDeps(store, 'ETH', onStep), clock: systemClock })
  const random = createRandom(5)
  const stopping = new AbortController()
  const run = async () => {
    const hashes = new Map<number, string>()
    for (let number = tip.number + 1; !stopping.signal.aborted; number++) {
      const block = makeBlock('ETH', number, hashes.get(number - 1) ?? tip.hash, 'bench', random, { transactions: 100 })
      hashes.set(number, block.hash)
      const final = hashes.get(number - DEPTH)
      await apply([...encodeBlocks([block]), ...(final ? [encodeFinal('ETH', number - DEPTH, final)] : [])])
      await head.settle()
      await systemClock.sleep(BLOCK_MS, stopping.signal).catch(() => undefined)
    }
  }
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
      const sorted = windows.toSorted((a, b) => a - b)
      return { moves: sorted.length, moveMs: Math.round(sorted[sorted.length >> 1] ?? 0) }
    },
  }
}
