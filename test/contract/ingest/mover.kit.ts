/** The mover of a network's watermark under a clock of the test's: time passes in steps, and blocks become final with it. */
import type { Clock } from '../../../platform/context/clock.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type Block, emptyRows } from '../../../schema/block.ts'
import type { Network } from '../../../schema/networks.ts'
import { type BlockMessage, encodeBlocks, encodeFinal, stamp } from '../../../schema/topics.ts'
import { readSteps } from '../../../scorer/ingest/chunks/messages.ts'
import { createCovered } from '../../../scorer/ingest/covered/covered.ts'
import { createReplay } from '../../../scorer/ingest/covered/replay.ts'
import { createHead, type HeadOptions } from '../../../scorer/ingest/head.ts'
import { createContinuity } from '../../../scorer/ingest/position/continuity.ts'
import { noStep, type OnStep } from '../../../scorer/ingest/steps.ts'
import type { HotTierDeps } from '../../../scorer/ingest/tiers/hot-tier.ts'
import { createWatermarks } from '../../../scorer/ingest/watermark.ts'

/** Time that passes only when the test lets it; who sleeps lets it pass. */
export const createSteppedClock = (): Clock & { pass: (ms: number) => void } => {
  let now = 1_700_000_000_000
  const pass = (ms: number) => {
    now += ms
  }
  return { now: () => now, pass, sleep: async (ms) => pass(ms) }
}

/** Blocks without transactions, which move fast. */
export const emptyBlocks = (network: Network, first: number, length: number): Block[] =>
  Array.from({ length }, (_, nth) => {
    const number = first + nth
    const [hash, parentHash, time] = [`0x${number}`, `0x${number - 1}`, 1_700_000_000 + 12 * number]
    const rows = emptyRows()
    rows.blocks.push({
      network,
      block_number: number,
      block_time: time,
      block_hash: hash,
      parent_hash: parentHash,
      transaction_count: 0,
      sees_traces: 1,
    })
    return { network, number, hash, parentHash, time, rows }
  })

/** What the hot tier of a network rests on, of epoch 1. */
export const hotTierDeps = (store: Store, network: Network, onStep: OnStep): HotTierDeps => ({
  store,
  network,
  watermarks: createWatermarks(store, network, 1, () => 'log'),
  covered: createCovered(store, network, 1),
  replay: createReplay(store, network),
  onStep,
})

/** The head of a network, and what brings it the messages of its topic. */
export const createTestHead = (deps: HotTierDeps & { clock: Clock }, options: Partial<HeadOptions> = {}) => {
  const { network, covered } = deps
  const historyUnderWay = async () => false
  const continuity = createContinuity({ network, covered, historyUnderWay, report: () => undefined })
  const head = createHead(
    { ...deps, continuity, calledFinal: async () => 0 },
    { moveAfterMs: 5_000, moveAfterRows: 50_000, holdMs: 5_000, keepHotMs: 60_000, ...options },
  )
  let offset = 0n
  const apply = async (messages: readonly BlockMessage[]) => {
    const { steps } = readSteps(
      messages.map((message) => ({
        ...stamp(message, 'log'),
        topic: 'head',
        partition: 0,
        offset: offset++,
        timestamp: 0,
      })),
    )
    if (steps.some(({ kind }) => kind === 'poison')) throw new Error('the messages of the kit cannot be read')
    await head.prepare(steps, AbortSignal.timeout(60_000))
    const { closed } = await head.apply(steps, 0)
    closed?.()
  }
  return { head, apply }
}

/** Puts `blocks` into the hot tier. Each `tick` lets time pass, makes the next of them final, and moves what is due. */
export const createMover = async (
  { store, network, clock }: { store: Store; network: Network; clock: ReturnType<typeof createSteppedClock> },
  blocks: readonly Block[],
  options: Partial<HeadOptions> & { onStep?: OnStep } = {},
) => {
  const { onStep = noStep, ...given } = options
  const { head, apply } = createTestHead({ ...hotTierDeps(store, network, onStep), clock }, given)
  await apply(encodeBlocks(blocks))
  const finals = [...blocks]
  return {
    settled: () => head.settled(),
    tick: async (ms: number) => {
      clock.pass(ms)
      const next = finals.shift()
      if (next) await apply([encodeFinal(network, next.number, next.hash)])
      await head.settle()
    },
  }
}
