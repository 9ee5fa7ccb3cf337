/**
 * The Source port over several simulated nodes: each sees the chain late, fails, forgets, or stays on an abandoned branch.
 * A head may come from any of them. The finalized block may be old, but never wrong: a source compares its endpoints.
 */
import type { Source } from '../../../indexer/source/source.ts'
import { RetryableError } from '../../../platform/errors.ts'
import type { Block, BlockRef } from '../../../schema/block.ts'
import type { Faults } from '../virtual/faults.ts'
import type { Process } from '../virtual/process.ts'
import type { Scheduler } from '../virtual/scheduler.ts'
import type { Chain, View } from './chain.ts'

/** A node: it shows the chain as of some time ago, or, if stuck, of one moment. */
type Node = { lagMs: number; stuckAt: number | undefined }

export type Nodes = {
  source: (process: Process) => Source
  /** Notifies the listening sources. */
  announce: () => void
}

const STUCK_MS = 6_000

export const createNodes = (
  chain: Chain,
  { scheduler, faults }: { scheduler: Scheduler; faults: () => Faults },
): Nodes => {
  const { random } = scheduler
  const nodes: Node[] = Array.from({ length: 2 + random.below(2) }, () => ({
    lagMs: random.below(3) * 1_500,
    stuckAt: undefined,
  }))
  const listeners = new Set<() => void>()

  const unavailable = () => new RetryableError('ASSAY_RPC_UNAVAILABLE', 'no node answered')
  const misbehaves = () => random.next() < faults().nodeFault

  const viewOf = (node: Node): View => {
    if (faults().nodeFault === 0) return chain.now()
    return chain.asOf(node.stuckAt ?? scheduler.now() - node.lagMs)
  }
  const anyNode = (): Node => {
    const node = random.pick(nodes)
    if (node.stuckAt === undefined && misbehaves() && random.below(8) === 0) {
      node.stuckAt = scheduler.now()
      scheduler.after(STUCK_MS * random.next(), () => {
        node.stuckAt = undefined
      })
    }
    return node
  }

  const source = (process: Process): Source => {
    const ask = <T>(what: string, answer: (view: View) => T): Promise<T> =>
      process.call(`${chain.network} ${what}`, {
        perform: () => {
          if (misbehaves()) throw unavailable()
          return answer(viewOf(anyNode()))
        },
        lost: unavailable,
        latencyMs: 15,
        quiet: true,
      })
    const refOf = (block: Block | undefined): BlockRef | undefined =>
      block && { number: block.number, hash: block.hash, parentHash: block.parentHash, time: block.time }
    return {
      network: chain.network,
      verify: () => ask('verify', () => undefined),
      head: () => ask('head', ({ tip }) => refOf(tip)!),
      finalizedHead: () => ask('finalized head', ({ finalized }) => refOf(finalized)!),
      ref: (number) => ask('ref', ({ block }) => refOf(block(number))),
      block: ({ number, hash }) =>
        ask('block', ({ block }) => {
          if (misbehaves()) return undefined
          return hash === undefined ? block(number) : chain.byHash(hash)
        }),
      onHead: (notify) => {
        const listener = () => {
          if (process.alive()) notify()
        }
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      rotate: () => undefined,
      close: async () => undefined,
    }
  }

  return {
    source,
    announce: () => {
      for (const listener of listeners) if (random.next() < 0.7) scheduler.after(random.below(200), listener)
    },
  }
}
