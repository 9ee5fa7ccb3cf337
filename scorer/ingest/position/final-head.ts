/** The head topic of a network with instant finality: how much of it may be inserted without creating a gap. */
import type { Clock } from '../../../platform/context/clock.ts'
import type { Network } from '../../../schema/networks.ts'
import type { NewStep, Step } from '../chunks/messages.ts'
import type { Covered } from '../covered/covered.ts'
import { holds } from '../covered/ranges.ts'
import type { Continuity } from './continuity.ts'

/** Poll interval while waiting for history, ms. */
const WAIT_MS = 250

type Tip = { number: number; hash: string }

/** Decides how far the head may be inserted. */
export type FinalHead = {
  /** How many of the steps may form one chunk. Waits for history. @throws OperatorError ASSAY_INGEST_GAP, ASSAY_INGEST_OTHER_HASH */
  prepare: (steps: readonly Step[], signal: AbortSignal) => Promise<number>
}

/** Creates a final head. It polls for missing history until it arrives or the signal aborts. */
export const createFinalHead = ({
  network,
  covered,
  continuity,
  clock,
}: {
  network: Network
  covered: Covered
  continuity: Continuity
  clock: Clock
}): FinalHead => {
  const follows = async ({ block }: NewStep, tip: Tip | undefined): Promise<boolean> => {
    if (tip?.number === block.number - 1) {
      if (tip.hash !== block.parentHash) continuity.refuse(block, `block ${tip.number} of ${network} is ${tip.hash}`)
      return true
    }
    // The block or its parent is already covered: the claim compares the hashes.
    const ranges = await covered.ranges()
    return holds(ranges, block.number) || holds(ranges, block.number - 1)
  }

  const proven = async (steps: readonly Step[]): Promise<number | undefined> => {
    let tip: Tip | undefined
    for (const [index, step] of steps.entries()) {
      if (step.kind === 'handover') {
        if (index > 0) return index
        if (!(await continuity.handedOver(step.headers, []))) return undefined
        tip = { number: step.headers.to, hash: step.headers.hash }
      }
      if (step.kind !== 'new' || step.decoded.headers.part > 0) continue
      if (!(await follows(step, tip))) {
        if (index > 0) return index
        if (!(await continuity.mayBegin(step.block, undefined, []))) return undefined
      }
      tip = step.last
    }
    return steps.length
  }

  return {
    prepare: async (steps, signal) => {
      for (;;) {
        signal.throwIfAborted()
        const count = await proven(steps)
        if (count !== undefined) return count
        await clock.sleep(WAIT_MS, signal)
      }
    },
  }
}
