/** The canonical chain of a network: it grows, is replaced near its tip, and becomes final. Keeps its whole past. */
import type { Random } from '../../../deploy/demo/scenario/random.ts'
import type { Block } from '../../../schema/block.ts'
import type { Network } from '../../../schema/networks.ts'
import { makeBlock } from './blocks.ts'

/** State of the chain at a time. */
export type View = {
  at: number
  /** From the first known height of the chain. */
  blocks: readonly Block[]
  tip: Block
  finalized: Block
  block: (number: number) => Block | undefined
}

export type Chain = {
  network: Network
  grow: (count: number) => void
  /** Replaces the newest `depth` blocks, as far as they are not final, by one more than these. Returns the number. */
  reorg: (depth: number) => number
  finalize: (number: number) => void
  now: () => View
  /** State of the chain at a time. */
  asOf: (at: number) => View
  /** Any block that ever existed. */
  byHash: (hash: string) => Block | undefined
}

/** @param options `base` is the height of the first block, `depth` the initial distance of the finalized block from the tip */
export const createChain = (
  network: Network,
  options: { random: Random; now: () => number; base: number; length: number; depth: number },
): Chain => {
  const { random, now, base, length, depth } = options
  const known = new Map<string, Block>()
  let branch = 0
  const extend = (blocks: readonly Block[], count: number): Block[] => {
    const longer = [...blocks]
    for (let each = 0; each < count; each += 1) {
      const block = makeBlock(network, base + longer.length, longer.at(-1)?.hash ?? '', String(branch), random)
      known.set(block.hash, block)
      longer.push(block)
    }
    return longer
  }
  const viewOf = (blocks: readonly Block[], finalized: number): View => {
    const block = (number: number) => blocks[number - base]
    return { at: now(), blocks, tip: blocks.at(-1)!, finalized: block(finalized)!, block }
  }
  const views: View[] = [{ ...viewOf(extend([], length), base + length - 1 - depth), at: 0 }]
  const current = (): View => views.at(-1)!
  const become = (blocks: readonly Block[], finalized: number) => views.push(viewOf(blocks, finalized))

  return {
    network,
    grow: (count) => become(extend(current().blocks, count), current().finalized.number),
    reorg: (depth) => {
      const { blocks, tip, finalized } = current()
      const reach = Math.min(depth, tip.number - finalized.number)
      if (reach <= 0) return 0
      branch += 1
      become(extend(blocks.slice(0, blocks.length - reach), reach + 1), finalized.number)
      return reach
    },
    finalize: (number) => {
      const { blocks, tip, finalized } = current()
      become(blocks, Math.max(finalized.number, Math.min(number, tip.number)))
    },
    now: current,
    asOf: (at) => views.findLast((view) => view.at <= at) ?? views[0]!,
    byHash: (hash) => known.get(hash),
  }
}
