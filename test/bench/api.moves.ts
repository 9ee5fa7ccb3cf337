/** A network beside the API whose head moves on, and whose blocks become final, all the while. */
import { createRandom } from '../../deploy/demo/story/random.ts'
import { systemClock } from '../../platform/clock.ts'
import type { Store } from '../../platform/store/store.ts'
import { type BlockMessage, encodeBlocks, encodeFinal } from '../../schema/topics.ts'
import { createHead } from '../../scorer/ingest/head.ts'
import { readStep } from '../../scorer/ingest/messages.ts'
import { makeBlock } from '../contract/ingest/chain.ts'

const BLOCK_MS = 1_000
/** Blocks a new one makes final: fast finality. */
const DEPTH = 3

export type Moves = { moves: number /** Median time readers had to wait for a move, ms. */; moveMs: number }

/**
 * From block `height` + 1 on, one block of 100 transactions a second, with rows in every table. The watermark follows every five
 * seconds, as in production. `stop` resolves with what moved.
 */
export const startMoving = (store: Store, height: number): { stop: () => Promise<Moves> } => {
  const windows: number[] = []
  let began = 0
  const onStep = (step: string) => {
    if (step === 'moving') began = performance.now()
    if (step === 'settled') windows.push(performance.now() - began)
  }
  const head = createHead(
    { store, network: 'ETH', clock: systemClock, onStep },
    { moveAfterMs: 5_000, moveAfterRows: 50_000, holdMs: 5_000, keepHotMs: 60_000 },
  )
  const random = createRandom(5)
  const stopping = new AbortController()
  let offset = 0n
  const stepOf = ({ headers, value, key }: BlockMessage) =>
    readStep({ topic: 'head', partition: 0, offset: offset++, timestamp: 0, headers, value, key })
  const run = async () => {
    const hashes = new Map<number, string>()
    for (let number = height + 1; !stopping.signal.aborted; number++) {
      const block = makeBlock('ETH', number, hashes.get(number - 1) ?? '0x', 'bench', random, 100)
      hashes.set(number, block.hash)
      const final = hashes.get(number - DEPTH)
      const messages = [...encodeBlocks([block]), ...(final ? [encodeFinal('ETH', number - DEPTH, final)] : [])]
      const steps = messages.map(stepOf)
      await head.prepare(steps)
      const { closed } = await head.apply(steps, 0)
      closed()
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
