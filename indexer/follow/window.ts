import type { BlockRef } from '../../schema/block.ts'

/** A block by number and hash. */
export type Anchor = Pick<BlockRef, 'number' | 'hash'>

/**
 * The chain as it was published: the last final block and everything above it. Numbers are consecutive and each block's
 * parent is the one below; whoever pushes has checked that, and pushing anything else is refused.
 */
export type Window = {
  /** Highest published final block. */
  final: () => Anchor
  /** Highest published block: the final one when nothing stands above it. */
  tip: () => Anchor
  /** Published block at a height, from the final one up. */
  at: (number: number) => Anchor | undefined
  /** @throws RangeError when the block does not extend the tip. */
  push: (block: BlockRef) => void
  /** Drops everything above `number`. @throws RangeError when that would drop final blocks. */
  undo: (number: number) => void
  /** Raises the final block; lower heights than before and heights above the tip are refused. @throws RangeError */
  finalize: (number: number) => void
  /** Blocks above the final one. */
  depth: () => number
}

export const createWindow = (anchor: Anchor): Window => {
  let chain: Anchor[] = [{ number: anchor.number, hash: anchor.hash }]
  const final = () => chain[0] ?? anchor
  const tip = () => chain.at(-1) ?? anchor

  return {
    final,
    tip,
    at: (number) => chain[number - final().number],
    push: ({ number, hash, parentHash }) => {
      if (number !== tip().number + 1 || parentHash !== tip().hash) {
        throw new RangeError(`block ${number} does not extend block ${tip().number}`)
      }
      chain.push({ number, hash })
    },
    undo: (number) => {
      if (number < final().number) throw new RangeError(`block ${number + 1} is final`)
      chain = chain.slice(0, number - final().number + 1)
    },
    finalize: (number) => {
      if (number < final().number || number > tip().number) {
        throw new RangeError(`block ${number} is not between ${final().number} and ${tip().number}`)
      }
      chain = chain.slice(number - final().number)
    },
    depth: () => chain.length - 1,
  }
}
