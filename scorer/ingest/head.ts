/**
 * The head topic of a network with a hot tier: applies its steps in order, and moves what became final.
 *
 * A hand-over, and a block that follows no other but whose ancestors are all in the final tables, mean that everything below
 * is final. Such a step begins a chunk, and the watermark follows before the chunk is announced: a chunk that is applied
 * again meets its own half-done work and could not tell a gap from it. Whether everything below is there is proved first
 * (`position/continuity.ts`).
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

/** How long the hot tier waits before rows move on and go. */
export type HeadOptions = {
  /**
   * A move waits for this long (ms) or this many rows, whichever comes first; of empty blocks `EMPTY_TIMES` as long, because nobody
   * misses them and each move costs twenty statements. @default 5_000
   */
  moveAfterMs: number
  moveAfterRows: number
  /** How long (ms) a move that is due waits for reads that hold a lease. @default 5_000 */
  holdMs: number
  /** How long rows stay in the hot tables after they became final, ms: longer than any read lasts. @default 60_000 */
  keepHotMs: number
}

/** The hot tier of a network as its head topic and its clock drive it. Its functions run one at a time. */
export type Head = {
  /**
   * How many of the steps may form one chunk. Called while no chunk is open: settles what came by history, and waits for it.
   * @throws OperatorError ASSAY_INGEST_GAP, ASSAY_INGEST_OTHER_HASH
   */
  prepare: (steps: readonly Step[], signal: AbortSignal) => Promise<number>
  /** Idempotent. @throws OperatorError ASSAY_INGEST_UNDO_OF_FINAL */
  apply: (steps: readonly Step[], finalizedBefore: number) => Promise<Applied>
  /** Moves and drops what is due; finishes a move that a crash left. */
  settle: () => Promise<void>
  /** Takes nothing for known any more: another consumer may have had the topic. */
  forget: () => void
  /** Whether `settle` may lead to anything, as far as this process knows without looking at the tables. */
  mayBeDue: () => boolean
  /** Watermark as last seen. */
  settled: () => number | undefined
}

/** The newest block called final, and its hash where the message that called it so is known. */
type Final = { number: number; hash?: string }

/** How many times as long a move of empty blocks waits. */
const EMPTY_TIMES = 36

/** How long what the last chunk left is taken for known, ms: far less than it takes to push its token out of the window. */
const KNOWN_MS = 60_000

/** How often a head that waits for history looks again, ms. */
const WAIT_MS = 250

/** Whether blocks consist of nothing but themselves. */
const isEmpty = ({ decoded: { sections } }: NewStep): boolean =>
  sections.every(({ table, count }) => table === 'blocks' || count === 0)

const tipOf = (step: NewStep): Tip => ({ block_number: step.last.number, block_hash: step.last.hash })

/**
 * Takes nothing for known but what its own last chunk left, so that a process that takes over begins from the tables.
 */
export const createHead = (
  deps: HotTierDeps & {
    clock: Clock
    continuity: Continuity
    /** Highest block that the chunks closed so far have called final; 0 for none. */
    calledFinal: () => Promise<number>
  },
  { moveAfterMs, moveAfterRows, holdMs, keepHotMs }: HeadOptions,
): Head => {
  const { store, network, watermarks, clock, continuity, calledFinal, onStep } = deps
  const time = steadyTime(clock.now)
  const hot = createHotTier(deps)
  const exclusively = createLock()
  /** Before the first chunk of this process it is what chunks of earlier ones have left. */
  let final: Final | undefined
  let hotRows = 0
  /** Up to here hot blocks are not known to be empty: they were there before this process; undefined until they were looked at. */
  let unknownTo: number | undefined
  /** Blocks above the watermark that this process has brought and that are not empty. */
  let filled: number[] = []
  let movedAt = time()
  let dueSince: number | undefined
  let droppable: { height: number; at: number }[] = []
  /** Partitions that lay below the last height whose partitions were dropped. */
  let dropped = -1
  let seen: Watermark | undefined
  /**
   * Where the last chunk of this process ended. The next one may be proven from it, once: had another consumer gone on meanwhile, the
   * announcement of that chunk would not be taken (`chunks.ts`), and the tables are asked then.
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

  const bridge = async (mark: Watermark | undefined, height: number): Promise<Watermark> => {
    if (!mark) return watermarks.enter(undefined, { state: 'settled', settled: height, target: height })
    return height > mark.settled ? move(mark, height) : mark
  }

  const undo = async (from: number, offset: bigint, mark: Watermark): Promise<string[]> => {
    if (from <= mark.settled) {
      throw new OperatorError(
        'ASSAY_INGEST_UNDO_OF_FINAL',
        `The head topic of ${network} undoes block ${from}, but blocks up to ${mark.settled} are finalized. The network stopped and nothing was changed. Compare the indexer's node with others; if the chain did go back, ${renewHead(network)}.`,
      )
    }
    return hot.undo(from, offset)
  }

  /** Steps in order, inserts of neighbouring `new` steps together. */
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
    // Blocks that are added ask nothing of the watermark.
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
        `The head topic of ${network} finalizes block ${target} by another hash than the one it published. Nothing was moved and the network stopped. Compare the indexer's node with others, then ${renewHead(network)}.`,
      )
    }
  }

  /** A read that began with the last move has at least `holdMs`, whatever makes the next one due. */
  const isHeld = async (now: number): Promise<boolean> => {
    dueSince ??= now
    return now - dueSince < holdMs && (await watermarks.leased())
  }

  /** Whether blocks above the watermark have waited for a move up to `target` for as long as what they hold allows. */
  const hasWaited = (now: number, settled: number, target: number): boolean => {
    const isFilled = unknownTo === undefined || unknownTo > settled || filled.some((block) => block <= target)
    return hotRows >= moveAfterRows || now - movedAt >= moveAfterMs * (isFilled ? 1 : EMPTY_TIMES)
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
    // A chunk that closes meanwhile replaces `final`: all below has to speak of the same one.
    final ??= { number: await calledFinal() }
    const called = final
    const tip = called.number > mark.settled ? await hot.tip(mark.settled) : undefined
    // What was hot before this process is not known to be empty.
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

  /** Hot blocks that are about to be moved, where the head goes on without them. */
  const hotSpan = (mark: Watermark | undefined, tip: Tip | undefined) =>
    mark && tip && tip.block_number > mark.settled ? [{ first: mark.settled + 1, last: tip.block_number }] : []

  const follows = ({ block }: NewStep, mark: Watermark | undefined, tip: Tip | undefined): boolean => {
    if (tip) return block.number === tip.block_number + 1 && block.parentHash === tip.block_hash
    // Nothing lies below the first block of a head without history.
    return mark !== undefined && block.number === mark.settled + 1
  }

  /** Whether the block is in the tables already. @throws OperatorError ASSAY_INGEST_OTHER_HASH when another one is */
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

  /** Where the tables end, by what the last chunk left or by the tables themselves. */
  const ends = async (): Promise<{ mark: Watermark | undefined; tip: Tip | undefined }> => {
    const before = known
    known = undefined
    if (before && seen?.state === 'settled' && isWithin(clock, KNOWN_MS, before.at))
      return { mark: seen, tip: before.tip }
    const found = await watermarks.current()
    const mark = found?.state === 'moving' ? await move(found, found.target) : found
    if (mark) remember(mark)
    return { mark, tip: mark && (await hot.tip(mark.settled)) }
  }

  /** How many of the steps follow what is known; undefined while the first of them waits for history. */
  const proven = async (steps: readonly Step[]): Promise<number | undefined> => {
    let { mark, tip } = await ends()
    for (const [index, step] of steps.entries()) {
      if (step.kind === 'undo') tip = { block_number: step.headers.from - 1, block_hash: step.headers.hash }
      if (step.kind === 'handover' && !(mark && step.headers.to <= mark.settled)) {
        if (index > 0) return index
        const { to, hash } = step.headers
        if (!(await continuity.handedOver(step.headers, hotSpan(mark, tip)))) return undefined
        mark = remember(await bridge(mark, to))
        tip = { block_number: to, block_hash: hash }
      }
      if (step.kind !== 'new' || step.decoded.headers.part > 0) continue
      if (!follows(step, mark, tip)) {
        if (index > 0) return index
        if (await isKnown(step, tip)) continue
        if (!(await continuity.mayBegin(step.block, mark?.settled, hotSpan(mark, tip)))) return undefined
        mark = remember(await bridge(mark, step.block.number - 1))
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
