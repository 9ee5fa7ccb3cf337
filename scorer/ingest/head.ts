/**
 * The head topic of a network with a hot tier: applies its steps in order, and moves final blocks.
 *
 * A hand-over means that everything below is final, and so does a block without a known predecessor whose ancestors are all in the final
 * tables. Such a step begins a new chunk, and the watermark advances before the chunk is announced: a chunk that is applied again finds
 * its own partial work, which it could not tell from a gap. `position/continuity.ts` checks first that everything below is present.
 */
import { type Clock, isWithin, steadyTime } from '../../platform/context/clock.ts'
import { OperatorError } from '../../platform/errors.ts'
import { readSql } from '../../platform/store/sql.ts'
import type { Applied } from './chunks/consumer.ts'
import type { NewStep, Step } from './chunks/messages.ts'
import { createLock } from './lock.ts'
import type { Continuity } from './position/continuity.ts'
import { renewHead } from './repair.ts'
import { createHotTier, type HotTierDeps, partitionsUpTo, type Tip } from './tiers/hot-tier.ts'
import type { Watermark } from './watermark.ts'

const HOT_BLOCK_HASH = readSql(import.meta.url, './sql/hot-block-hash.sql')
const BLOCK_HASH = readSql(import.meta.url, './sql/block-hash.sql')

/** When rows are moved and dropped. */
export type HeadOptions = {
  /**
   * A move waits for this time (ms) or number of rows, whichever comes first. Empty blocks wait `EMPTY_WAIT_FACTOR` as long, because nobody
   * needs them and each move costs twenty statements. @default 5_000
   */
  moveAfterMs: number
  moveAfterRows: number
  /** Maximum time that a due move waits for reads with a lease, ms. @default 5_000 */
  holdMs: number
  /** How long rows stay in the hot tables after they became final, ms. Longer than any read lasts. @default 60_000 */
  keepHotMs: number
}

/** The hot tier of a network, driven by its head topic and the clock. Calls are serialised. */
export type Head = {
  /**
   * How many of the steps may form one chunk. Call it while no chunk is open. Settles blocks from history, and waits for missing ones.
   * @throws OperatorError ASSAY_INGEST_GAP, ASSAY_INGEST_OTHER_HASH
   */
  prepare: (steps: readonly Step[], signal: AbortSignal) => Promise<number>
  /** Idempotent. @throws OperatorError ASSAY_INGEST_UNDO_OF_FINAL */
  apply: (steps: readonly Step[], finalizedBefore: number) => Promise<Applied>
  /** Moves and drops what is due. Also completes a move that a crash interrupted. */
  settle: () => Promise<void>
  /** Discards cached state, because another consumer may have owned the topic. */
  forget: () => void
  /** Whether `settle` may have work, judged without reading the tables. */
  mayBeDue: () => boolean
  /** Last seen watermark. */
  settled: () => number | undefined
}

/** The newest finalized block, with its hash if the message is known. */
type Final = { number: number; hash?: string }

/** Factor for the waiting time of moves of empty blocks. */
const EMPTY_WAIT_FACTOR = 36

/** How long the end of the last chunk is cached, ms: far shorter than its token stays in the window. */
const KNOWN_MS = 60_000

/** Poll interval while waiting for history, ms. */
const WAIT_MS = 250

/** Whether the blocks have no rows besides their own. */
const isEmpty = ({ decoded: { sections } }: NewStep): boolean =>
  sections.every(({ table, count }) => table === 'blocks' || count === 0)

const tipOf = (step: NewStep): Tip => ({ block_number: step.last.number, block_hash: step.last.hash })

/** Creates a head. It caches only the end of its own last chunk, so a process that takes over starts from the tables. */
export const createHead = (
  deps: HotTierDeps & {
    clock: Clock
    continuity: Continuity
    /** Highest finalized block in all closed chunks; 0 for none. */
    calledFinal: () => Promise<number>
  },
  { moveAfterMs, moveAfterRows, holdMs, keepHotMs }: HeadOptions,
): Head => {
  const { store, network, watermarks, clock, continuity, calledFinal, onStep } = deps
  const time = steadyTime(clock.now)
  const hot = createHotTier(deps)
  const exclusively = createLock()
  /** Before the first chunk of this process: the state that earlier processes left. */
  let final: Final | undefined
  let hotRows = 0
  /** Hot blocks up to this one were there before this process and may not be empty; undefined until checked. */
  let unknownTo: number | undefined
  /** Blocks above the watermark that this process added and that are not empty. */
  let filled: number[] = []
  let movedAt = time()
  let dueSince: number | undefined
  let droppable: { height: number; at: number }[] = []
  /** Number of partitions below the last height whose partitions were dropped. */
  let dropped = -1
  let seen: Watermark | undefined
  /**
   * End of the last chunk of this process. It may be used once to prove the next chunk: if another consumer has continued meanwhile, the
   * announcement of that chunk is not accepted (`chunks.ts`), and the tables are read instead.
   */
  let known: { tip: Tip; at: number } | undefined

  const remember = (mark: Watermark): Watermark => {
    seen = mark
    return mark
  }

  const move = async (mark: Watermark, target: number): Promise<Watermark> => {
    const settled = remember(await hot.move(mark, target))
    hotRows = 0
    dueSince = undefined
    movedAt = time()
    filled = filled.filter((block) => block > settled.settled)
    droppable.push({ height: settled.settled, at: movedAt })
    return settled
  }

  const advanceTo = async (mark: Watermark | undefined, height: number): Promise<Watermark> => {
    if (!mark) return watermarks.enter(undefined, { state: 'settled', settled: height, target: height })
    return height > mark.settled ? move(mark, height) : mark
  }

  const undo = async (from: number, offset: bigint, mark: Watermark): Promise<string[]> => {
    if (from <= mark.settled) {
      throw new OperatorError(
        'ASSAY_INGEST_UNDO_OF_FINAL',
        `The head topic of ${network} undoes block ${from}, but blocks up to ${mark.settled} are finalized. The network stopped and nothing was changed. Compare the indexer's node with others; if the chain did revert finalized blocks, ${renewHead(network)}.`,
      )
    }
    return hot.undo(from, offset)
  }

  /** Applies steps in order. Neighbouring `new` steps share inserts. */
  const applySteps = async (steps: readonly Step[], mark: Watermark | undefined) => {
    const touched = new Set<string>()
    let rows = 0
    let finalAfter = final ?? { number: 0 }
    let pending: NewStep[] = []
    const flush = async () => {
      rows += await hot.add(pending)
      pending = []
    }
    for (const step of steps) {
      if (step.kind === 'new') {
        pending.push(step)
        if (!isEmpty(step)) filled.push(step.last.number)
        for (const address of step.decoded.touched) touched.add(address)
      } else if (step.kind === 'final') {
        const { to, hash } = step.headers
        if (to >= finalAfter.number) finalAfter = { number: to, hash }
      } else if (step.kind === 'undo' && mark) {
        pending = pending.filter(({ block }) => block.number < step.headers.from)
        await flush()
        for (const address of await undo(step.headers.from, step.offset, mark)) touched.add(address)
      }
    }
    await flush()
    return { rows, touched: [...touched], finalAfter }
  }

  const apply = async (steps: readonly Step[], finalizedBefore: number): Promise<Applied> => {
    const undone = steps.flatMap((step) => (step.kind === 'undo' ? [step.headers.from] : []))
    // Adding blocks does not depend on the watermark.
    let mark = undone.length === 0 && seen?.state === 'settled' ? seen : await watermarks.current()
    if (mark?.state === 'moving') mark = await move(mark, mark.target)
    if (finalizedBefore > (final?.number ?? 0)) final = { number: finalizedBefore }
    if (mark && undone.length > 0) {
      mark = await watermarks.enter(mark, { state: 'undoing', settled: mark.settled, target: Math.min(...undone) })
      await onStep('undoing')
    }
    const { rows, touched, finalAfter } = await applySteps(steps, mark)
    if (mark?.state === 'undoing') {
      mark = await watermarks.enter(mark, { state: 'settled', settled: mark.settled, target: mark.settled })
      await onStep('undone')
    }
    if (mark) remember(mark)
    hotRows += rows
    const last = steps.findLast((step) => step.kind === 'new' || step.kind === 'undo')
    const closed = () => {
      final = finalAfter
      known = last?.kind === 'new' && seen?.state === 'settled' ? { tip: tipOf(last), at: clock.now() } : undefined
    }
    return { rows, touched, finalized: finalAfter.number, closed }
  }

  const checkFinal = async (called: Final, target: number) => {
    if (called.hash === undefined || called.number !== target) return
    const [row] = await store.query<Tip>(HOT_BLOCK_HASH, { network, number: target }, { route: 'final_hash' })
    if (row && row.block_hash !== called.hash) {
      throw new OperatorError(
        'ASSAY_INGEST_FINAL_MISMATCH',
        `The head topic of ${network} finalizes block ${target} under a different hash than it published. Nothing was moved and the network stopped. Compare the indexer's node with others, then ${renewHead(network)}.`,
      )
    }
  }

  /** Gives reads that began with the last move at least `holdMs`. */
  const isHeld = async (now: number): Promise<boolean> => {
    dueSince ??= now
    return now - dueSince < holdMs && (await watermarks.leased())
  }

  /** Whether blocks above the watermark have waited long enough for a move up to `target`. */
  const hasWaited = (now: number, settled: number, target: number): boolean => {
    const isFilled = unknownTo === undefined || unknownTo > settled || filled.some((block) => block <= target)
    return hotRows >= moveAfterRows || now - movedAt >= moveAfterMs * (isFilled ? 1 : EMPTY_WAIT_FACTOR)
  }

  const mayBeDue = (): boolean => {
    const now = time()
    if (seen?.state !== 'settled') return true
    const called = final?.number ?? 0
    const waited = called > seen.settled && hasWaited(now, seen.settled, called)
    return waited || droppable.some(({ at }) => at + keepHotMs <= now)
  }

  const settle = async (): Promise<void> => {
    const mark = await watermarks.current()
    if (!mark || mark.state === 'undoing') return
    remember(mark)
    if (mark.state === 'moving') {
      await move(mark, mark.target)
      return
    }
    const now = time()
    // A chunk that closes meanwhile replaces `final`, so use one value throughout.
    final ??= { number: await calledFinal() }
    const called = final
    const tip = called.number > mark.settled ? await hot.tip(mark.settled) : undefined
    // Blocks that were hot before this process may not be empty.
    if (tip) unknownTo ??= tip.block_number
    const target = Math.min(called.number, tip?.block_number ?? 0)
    const due = target > mark.settled && hasWaited(now, mark.settled, target)
    if (due && !(await isHeld(now))) {
      await checkFinal(called, target)
      await move(mark, target)
    }
    const height = droppable.findLast(({ at }) => at + keepHotMs <= now)?.height
    if (height !== undefined) {
      const below = partitionsUpTo(height)
      if (below > dropped) await hot.drop(height)
      dropped = below
      droppable = droppable.filter(({ at }) => at + keepHotMs > now)
    }
  }

  /** Hot blocks that will be moved although the head continues without them. */
  const hotSpan = (mark: Watermark | undefined, tip: Tip | undefined) =>
    mark && tip && tip.block_number > mark.settled ? [{ first: mark.settled + 1, last: tip.block_number }] : []

  const follows = ({ block }: NewStep, mark: Watermark | undefined, tip: Tip | undefined): boolean => {
    if (tip) return block.number === tip.block_number + 1 && block.parentHash === tip.block_hash
    // A head without history has nothing below its first block.
    return mark !== undefined && block.number === mark.settled + 1
  }

  /** Whether the block is already in the tables. @throws OperatorError ASSAY_INGEST_OTHER_HASH if another block is */
  const isKnown = async ({ block }: NewStep, tip: Tip | undefined): Promise<boolean> => {
    if (!tip || block.number > tip.block_number + 1) return false
    if (block.number > tip.block_number) {
      return continuity.refuse(
        block,
        `its parent is ${block.parentHash}, and block ${tip.block_number} is ${tip.block_hash}`,
      )
    }
    const [row] = await store.query<Tip>(BLOCK_HASH, { network, number: block.number }, { route: 'block_hash' })
    if (row && row.block_hash !== block.hash)
      continuity.refuse(block, `their block ${block.number} is ${row.block_hash}`)
    return row !== undefined
  }

  /** End of the tables, from the last chunk's cache or from the tables. */
  const tablesEnd = async (): Promise<{ mark: Watermark | undefined; tip: Tip | undefined }> => {
    const before = known
    known = undefined
    if (before && seen?.state === 'settled' && isWithin(clock, KNOWN_MS, before.at))
      return { mark: seen, tip: before.tip }
    const found = await watermarks.current()
    const mark = found?.state === 'moving' ? await move(found, found.target) : found
    if (mark) remember(mark)
    return { mark, tip: mark && (await hot.tip(mark.settled)) }
  }

  /** How many of the steps follow known blocks; undefined while the first one waits for history. */
  const proven = async (steps: readonly Step[]): Promise<number | undefined> => {
    let { mark, tip } = await tablesEnd()
    for (const [index, step] of steps.entries()) {
      if (step.kind === 'undo') tip = { block_number: step.headers.from - 1, block_hash: step.headers.hash }
      if (step.kind === 'handover' && !(mark && step.headers.to <= mark.settled)) {
        if (index > 0) return index
        const { to, hash } = step.headers
        if (!(await continuity.handedOver(step.headers, hotSpan(mark, tip)))) return undefined
        mark = remember(await advanceTo(mark, to))
        tip = { block_number: to, block_hash: hash }
      }
      if (step.kind !== 'new' || step.decoded.headers.part > 0) continue
      if (!follows(step, mark, tip)) {
        if (index > 0) return index
        if (await isKnown(step, tip)) continue
        if (!(await continuity.mayBegin(step.block, mark?.settled, hotSpan(mark, tip)))) return undefined
        mark = remember(await advanceTo(mark, step.block.number - 1))
      }
      tip = tipOf(step)
    }
    return steps.length
  }

  return {
    prepare: async (steps, signal) => {
      for (;;) {
        signal.throwIfAborted()
        const count = await exclusively(() => proven(steps))
        if (count !== undefined) return count
        await clock.sleep(WAIT_MS, signal)
      }
    },
    apply: (steps, finalizedBefore) => exclusively(() => apply(steps, finalizedBefore)),
    settle: () => exclusively(settle),
    forget: () => {
      known = undefined
    },
    mayBeDue,
    settled: () => seen?.settled,
  }
}
