import type { BlockRef } from '../../schema/block.ts'

/** A block by number and hash. */
export type Anchor = Pick<BlockRef, 'number' | 'hash'>

/**
 * The published chain: the last finalized block and everything above it. Numbers are consecutive, and each block's parent is
 * the one below; other blocks are refused.
 */
export type Window = {
  /** Highest block published as finalized. */
  finalized: () => Anchor
  /** Highest published block, or the finalized one if there is nothing above it. */
  tip: () => Anchor
  /** Published block at a height, from the finalized one upwards. */
  at: (number: number) => Anchor | undefined
  /** @throws RangeError when the block does not extend the tip. */
  push: (block: BlockRef) => void
  /** Drops everything above `number`. @throws RangeError when that would drop finalized blocks. */
  undo: (number: number) => void
  /** Raises the finalized block. @throws RangeError for heights below it or above the tip */
  finalize: (number: number) => void
  /** Blocks above the finalized one. */
  depth: () => number
}

/** A window with `anchor` as finalized block and tip. It only stores numbers and hashes. */
export const createWindow = (anchor: Anchor): Window => {
  let chain: Anchor[] = [{ number: anchor.number, hash: anchor.hash }]
  const finalized = () => chain[0] ?? anchor
  const tip = () => chain.at(-1) ?? anchor

  return {
    finalized,
    tip,
    at: (number) => chain[number - finalized().number],
    push: ({ number, hash, parentHash }) => {
      if (number !== tip().number + 1 || parentHash !== tip().hash) {
        throw new RangeError(`block ${number} does not extend block ${tip().number}`)
      }
      chain.push({ number, hash })
    },
    undo: (number) => {
      if (number < finalized().number) throw new RangeError(`block ${number + 1} is finalized`)
      chain = chain.slice(0, number - finalized().number + 1)
    },
    finalize: (number) => {
      if (number < finalized().number || number > tip().number) {
        throw new RangeError(`block ${number} is not between ${finalized().number} and ${tip().number}`)
      }
      chain = chain.slice(number - finalized().number)
    },
    depth: () => chain.length - 1,
  }
}
