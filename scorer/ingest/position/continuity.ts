/**
 * Checks that all blocks below the next one of the head topic are present. The hand-over at the beginning of the head topic states that
 * history is complete. A block without a known predecessor is accepted only if the tables contain every block below it, including the
 * parent it names. Missing blocks are waited for while history is in progress; otherwise they are a gap.
 */
import { OperatorError } from '../../../platform/errors.ts'
import type { Network } from '../../../schema/networks.ts'
import type { BlockHeaders, SentBlock } from '../../../schema/topics.ts'
import type { Covered } from '../covered/covered.ts'
import { holesOf } from '../covered/ranges.ts'
import { renewHead } from '../repair.ts'

type Span = { first: number; last: number }

/** Blocks that a network waits for or lacks. */
export type Missing = { waitsFor: string | undefined; gapBlocks: number }

/** Decides whether a head may continue. Missing blocks appear in the status of the ingest. */
export type Continuity = {
  /**
   * Whether the blocks of a hand-over are in the final tables, or hot and about to be moved there.
   * @throws OperatorError ASSAY_INGEST_GAP if they are not and history is not in progress
   */
  handedOver: (handover: Pick<BlockHeaders, 'from' | 'to' | 'hash'>, hot: readonly Span[]) => Promise<boolean>
  /**
   * Whether the chain may continue with a block that does not follow the newest known one.
   * @param settled highest block of the final tier, if there is one
   * @returns false while history in progress may bring what is missing
   * @throws OperatorError ASSAY_INGEST_GAP, ASSAY_INGEST_OTHER_HASH
   */
  mayBegin: (block: SentBlock, settled: number | undefined, hot: readonly Span[]) => Promise<boolean>
  /** Number of blocks missing between the lowest covered one and `to`. */
  missingUpTo: (to: number) => Promise<number>
  /** @throws OperatorError ASSAY_INGEST_OTHER_HASH */
  refuse: (block: { number: number; hash: string }, contradiction: string) => never
}

const lengthOf = (spans: readonly Span[]) => spans.reduce((sum, { first, last }) => sum + last - first + 1, 0)

const spell = (spans: readonly Span[]) => spans.map(({ first, last }) => `${first} to ${last}`).join(', ')

/** Creates a continuity check. It reads the covered ranges on every call. `report` receives missing blocks. */
export const createContinuity = ({
  network,
  covered,
  historyUnderWay,
  report,
}: {
  network: Network
  covered: Covered
  historyUnderWay: () => Promise<boolean>
  report: (missing: Missing) => void
}): Continuity => {
  const refuse = ({ number, hash }: { number: number; hash: string }, contradiction: string): never => {
    throw new OperatorError(
      'ASSAY_INGEST_OTHER_HASH',
      `The head topic of ${network} continues with block ${number} (${hash}), which contradicts the tables: ${contradiction}. It was not inserted and the network stopped. Run \`assay verify --network ${network}\` to find out which blocks are on the chain, then ${renewHead(network)}.`,
    )
  }

  const gap = (holes: readonly Span[], next: string): never => {
    const [from, to] = [holes[0]?.first ?? 0, holes.at(-1)?.last ?? 0]
    report({ waitsFor: undefined, gapBlocks: lengthOf(holes) })
    throw new OperatorError(
      'ASSAY_INGEST_GAP',
      `Blocks ${spell(holes)} of ${network} are missing below ${next}, and no topic has them. Nothing above them was inserted and the network stopped. Run \`assay backfill --network ${network} --from ${from} --to ${to}\`.`,
    )
  }

  /** Whether nothing is missing. @throws OperatorError ASSAY_INGEST_GAP unless history is in progress */
  const settle = (holes: readonly Span[], underWay: boolean, next: string): boolean => {
    if (holes.length > 0 && !underWay) gap(holes, next)
    report({ waitsFor: holes.length > 0 ? `history of blocks ${spell(holes)}` : undefined, gapBlocks: 0 })
    return holes.length === 0
  }

  return {
    refuse,
    handedOver: async ({ from, to, hash }, hot) => {
      // Read this first: history that has finished by now is visible in the ranges.
      const underWay = await historyUnderWay()
      const ranges = await covered.ranges()
      const isPresent = settle(holesOf([...ranges, ...hot], from, to), underWay, `the hand-over at block ${to}`)
      const ownHash = isPresent ? await covered.hashOf(to) : undefined
      if (ownHash !== undefined && ownHash !== hash) refuse({ number: to, hash }, `their block ${to} is ${ownHash}`)
      return isPresent
    },
    mayBegin: async (block, settled, hot) => {
      const underWay = await historyUnderWay()
      const ranges = await covered.ranges()
      if (ranges.length === 0 && settled === undefined) {
        report({ waitsFor: underWay ? 'history' : undefined, gapBlocks: 0 })
        return !underWay
      }
      const below = block.number - 1
      const from = settled === undefined ? (ranges[0]?.first ?? below) : settled + 1
      if (!settle(holesOf([...ranges, ...hot], from, below), underWay, `block ${block.number}`)) return false
      const ownHash = await covered.hashOf(below)
      if (ownHash !== block.parentHash) {
        refuse(block, `its parent is ${block.parentHash}, and block ${below} is ${ownHash ?? 'not final'}`)
      }
      return true
    },
    missingUpTo: async (to) => {
      const ranges = await covered.ranges()
      const first = ranges[0]?.first
      return first === undefined ? 0 : lengthOf(holesOf(ranges, first, to))
    },
  }
}
