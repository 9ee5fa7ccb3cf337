/**
 * The head topic of a network with a hot tier: applies its steps in order, and moves what became final.
 *
 * A `new` that does not continue the newest block known means that the blocks between came by history: everything
 * below it is final. Such a step begins a chunk, and the watermark follows before the chunk is announced: a chunk that is
 * applied again meets its own half-done work and could not tell a gap from it.
 */
import type { Clock } from '../../platform/clock.ts'
import { OperatorError } from '../../platform/errors.ts'
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Network } from '../../schema/networks.ts'
import { createHotTier, type NewStep, type Tip } from './hot-tier.ts'
import type { Step } from './messages.ts'
import type { OnStep } from './steps.ts'
import { createWatermarks, type Watermark } from './watermark.ts'

const HOT_BLOCK_HASH = readSql(import.meta.url, './sql/hot-block-hash.sql')

export type HeadOptions = {
  /** A move waits for this long (ms) or this many rows, whichever comes first; longer for few rows. @default 5_000 */
  moveAfterMs: number
  moveAfterRows: number
  /** How long rows stay in the hot tables after they became final, ms: longer than any read lasts. @default 60_000 */
  keepHotMs: number
}

export type Applied = {
  rows: number
  touched: string[]
  finalized: number
  /** Lets `final` steps of the chunk take effect: not before the chunk is closed, or its own undo would come too late. */
  closed: () => void
}

export type Head = {
  /** How many of the steps may form one chunk. Called while no chunk is open: settles what came by history. */
  prepare: (steps: readonly Step[]) => Promise<number>
  /** Idempotent. @throws OperatorError ASSAY_INGEST_UNDO_OF_FINAL */
  apply: (steps: readonly Step[], finalizedBefore: number) => Promise<Applied>
  /** Moves and drops what is due; finishes a move that a crash left. */
  settle: () => Promise<void>
  /** Watermark as last seen. */
  settled: () => number | undefined
}

/** The newest block called final, and its hash where the message that called it so is known. */
type Final = { number: number; hash?: string }

/** Below so many rows a move waits this many times as long: it costs a statement for each table, however few there are. */
const FEW_ROWS = 1_000
const FEW_ROWS_PATIENCE = 6

const startsAnew = (step: NewStep, mark: Watermark | undefined, tip: Tip | undefined): boolean => {
  if (!mark) return true
  const known = Math.max(mark.settled, tip?.block_number ?? 0)
  return step.block.number > known + 1 && step.block.parentHash !== tip?.block_hash
}

const tipOf = (step: NewStep): Tip => ({ block_number: step.last.number, block_hash: step.last.hash })

const createLock = () => {
  let tail: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const result = tail.then(work)
    tail = result.catch(() => undefined)
    return result
  }
}

export const createHead = (
  { store, network, clock, onStep }: { store: Store; network: Network; clock: Clock; onStep: OnStep },
  { moveAfterMs, moveAfterRows, keepHotMs }: HeadOptions,
): Head => {
  const watermarks = createWatermarks(store, network)
  const hot = createHotTier(store, network, watermarks, onStep)
  const exclusively = createLock()
  let final: Final = { number: 0 }
  let hotRows = 0
  let movedAt = clock.now()
  let droppable: { height: number; at: number }[] = []
  let seen: Watermark | undefined

  const remember = (mark: Watermark): Watermark => {
    seen = mark
    return mark
  }

  const move = async (mark: Watermark, target: number): Promise<Watermark> => {
    const settled = remember(await hot.move(mark, target))
    hotRows = 0
    movedAt = clock.now()
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
        `The head topic of ${network} undoes block ${from}, but blocks up to ${mark.settled} are finalized. The network stopped and nothing was changed. Compare the indexer's node with others; if the chain did go back, index again from scratch (docs/errors.md).`,
      )
    }
    return hot.undo(from, offset)
  }

  /** Steps in order, inserts of neighbouring `new` steps together. */
  const applySteps = async (steps: readonly Step[], mark: Watermark | undefined) => {
    const touched = new Set<string>()
    let rows = 0
    let finalAfter = final
    let pending: NewStep[] = []
    const flush = async () => {
      rows += await hot.add(pending)
      pending = []
    }
    for (const step of steps) {
      if (step.kind === 'new') {
        pending.push(step)
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
    let mark = await watermarks.current()
    if (mark?.state === 'moving') mark = await move(mark, mark.target)
    if (finalizedBefore > final.number) final = { number: finalizedBefore }
    const undone = steps.flatMap((step) => (step.kind === 'undo' ? [step.headers.from] : []))
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
    const closed = () => {
      final = finalAfter
    }
    return { rows, touched, finalized: finalAfter.number, closed }
  }

  const checkFinal = async (called: Final, target: number) => {
    if (called.hash === undefined || called.number !== target) return
    const [row] = await store.query<Tip>(HOT_BLOCK_HASH, { network, number: target }, { route: 'final_hash' })
    if (row && row.block_hash !== called.hash) {
      throw new OperatorError(
        'ASSAY_INGEST_FINAL_MISMATCH',
        `The head topic of ${network} finalizes block ${target} by another hash than the one it published. Nothing was moved and the network stopped. Compare the indexer's node with others, then index again from scratch (docs/errors.md).`,
      )
    }
  }

  const hasWaited = (now: number): boolean =>
    hotRows >= moveAfterRows || now - movedAt >= moveAfterMs * (hotRows < FEW_ROWS ? FEW_ROWS_PATIENCE : 1)

  /** Whether a look at the tables may lead to anything, as far as this process knows. */
  const mayBeDue = (now: number): boolean => {
    if (seen?.state !== 'settled') return true
    return (final.number > seen.settled && hasWaited(now)) || droppable.some(({ at }) => at + keepHotMs <= now)
  }

  const settle = async (): Promise<void> => {
    if (!mayBeDue(clock.now())) return
    const mark = await watermarks.current()
    if (!mark || mark.state === 'undoing') return
    remember(mark)
    if (mark.state === 'moving') {
      await move(mark, mark.target)
      return
    }
    const now = clock.now()
    // A chunk that closes meanwhile replaces `final`: all below has to speak of the same one.
    const called = final
    const tip = called.number > mark.settled ? await hot.tip(mark.settled) : undefined
    const target = Math.min(called.number, tip?.block_number ?? 0)
    if (target > mark.settled && hasWaited(now)) {
      await checkFinal(called, target)
      await move(mark, target)
    }
    const height = droppable.findLast(({ at }) => at + keepHotMs <= now)?.height
    if (height !== undefined) {
      await hot.drop(height)
      droppable = droppable.filter(({ at }) => at + keepHotMs > now)
    }
  }

  const prepare = async (steps: readonly Step[]): Promise<number> => {
    let mark = await watermarks.current()
    if (mark?.state === 'moving') mark = await move(mark, mark.target)
    let tip = mark && (await hot.tip(mark.settled))
    for (const [index, step] of steps.entries()) {
      if (step.kind === 'undo') tip = { block_number: step.headers.from - 1, block_hash: step.headers.hash }
      if (step.kind !== 'new') continue
      if (startsAnew(step, mark, tip)) {
        if (index > 0) return index
        mark = remember(await bridge(mark, step.block.number - 1))
      }
      tip = tipOf(step)
    }
    return steps.length
  }

  return {
    prepare: (steps) => exclusively(() => prepare(steps)),
    apply: (steps, finalizedBefore) => exclusively(() => apply(steps, finalizedBefore)),
    settle: () => exclusively(settle),
    settled: () => seen?.settled,
  }
}
