/**
 * Compares stored final blocks with the chain: every height is stored once, each block follows the one before, and rows equal
 * those of a verified fetch from the node. Table `tokens` is skipped, because its rows depend on which tokens the indexer had
 * seen before.
 */
import type { Source } from '../../../indexer/source/source.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type Block, TABLES, type TableName } from '../../../schema/block.ts'
import { digestOf, type RowDigest } from '../../../schema/tables/chain/digest.ts'
import { type StoredBlock, storedBlocks, storedDigests } from '../../../scorer/ledger/blocks/stored.ts'
import type { BlockRange } from './options.ts'

/** Heights whose rows are read at once, with one scan of each table. */
const PAGE = 2_000
const COMPARED = TABLES.filter((table) => table !== 'tokens')
/** Tables whose rows need call traces to be complete. */
const TRACED: ReadonlySet<TableName> = new Set(['ledger', 'creations', 'blocks'])

/** A problem of a stored block. */
export type Finding = {
  number: number
  /** Description that completes "block 12 …". */
  what: string
  /** Whether the stored block may be replaced with the node's. */
  repairable: boolean
}

/** Inputs of a comparison. `concurrency` is the number of blocks fetched at a time. */
export type ChainCheck = {
  store: Store
  source: Pick<Source, 'network' | 'block'>
  /** Whether to compare a height with the node; links between blocks are always checked. */
  compares: (number: number) => boolean
  concurrency: number
  signal: AbortSignal
  found: (finding: Finding) => void
  /** Called with the number of heights checked, and of those compared with the node. */
  progress: (checked: number, compared: number) => void
}

/** Results in the order of the items, with limited concurrency. */
const inOrder = async function* <T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<[T, R]> {
  const ahead: { item: T; result: Promise<R> }[] = []
  let next = 0
  for (;;) {
    while (ahead.length < concurrency && next < items.length) {
      const item = items[next++] as T
      const result = work(item)
      result.catch(() => undefined)
      ahead.push({ item, result })
    }
    const first = ahead.shift()
    if (!first) return
    yield [first.item, await first.result]
  }
}

const NOTHING: RowDigest = { rows: 0, digest: 0n }

/** Missing, duplicate and unlinked blocks. @param below the stored block before the range, if any */
const linkFindings = function* (
  { from, to }: BlockRange,
  blocks: ReadonlyMap<number, StoredBlock>,
  below: StoredBlock | undefined,
): Generator<Finding> {
  let last = below
  for (let number = from; number <= to; number += 1) {
    const block = blocks.get(number)
    if (!block) yield { number, what: 'is not stored', repairable: true }
    else if (block.copies !== 1) yield { number, what: `is stored ${block.copies} times`, repairable: true }
    else if (last && last.number === number - 1 && last.hash !== block.parent) {
      yield { number, what: `has parent ${block.parent}, but block ${last.number} is ${last.hash}`, repairable: true }
    }
    last = block
  }
}

const rowFindings = function* (
  stored: StoredBlock,
  chain: Block,
  digests: ReadonlyMap<TableName, ReadonlyMap<number, RowDigest>>,
): Generator<Finding> {
  const { number } = stored
  if (chain.hash !== stored.hash) {
    yield { number, what: `is ${stored.hash}, but on the chain it is ${chain.hash}`, repairable: true }
    return
  }
  const tracesGone = stored.traces === 1 && chain.rows.blocks[0]?.sees_traces === 0
  if (tracesGone)
    yield {
      number,
      what: 'cannot be fully compared, because the node no longer has its traces',
      repairable: false,
    }
  for (const table of COMPARED) {
    if (tracesGone && TRACED.has(table)) continue
    const actual = digests.get(table)?.get(number) ?? NOTHING
    const expected = digestOf(table, chain.rows[table])
    if (actual.rows === expected.rows && actual.digest === expected.digest) continue
    const what =
      actual.rows === expected.rows
        ? `has rows in table ${table} that differ from the chain`
        : `has ${actual.rows} rows in table ${table}, expected ${expected.rows}`
    yield { number, what, repairable: true }
  }
}

/** Checks a range in which every height has to be stored. Ends early after the signal. @returns the last height checked */
export const verifyChain = async (check: ChainCheck, range: BlockRange): Promise<number> => {
  const { store, source, compares, concurrency, signal, found, progress } = check
  const { network } = source
  let [below] = await storedBlocks(store, network, { from: range.from - 1, to: range.from - 1 })
  let compared = 0
  for (let from = range.from; from <= range.to; from += PAGE) {
    if (signal.aborted) return from - 1
    const page = { from, to: Math.min(from + PAGE - 1, range.to) }
    const blocks = new Map((await storedBlocks(store, network, page)).map((block) => [block.number, block]))
    for (const finding of linkFindings(page, blocks, below)) found(finding)
    below = blocks.get(page.to)
    const chosen = [...blocks.values()].filter(({ number, copies }) => copies === 1 && compares(number))
    const numbers = chosen.map(({ number }) => number)
    const digests = new Map<TableName, Map<number, RowDigest>>()
    if (numbers.length > 0) {
      for (const table of COMPARED) digests.set(table, await storedDigests(store, network, table, numbers))
    }
    for await (const [stored, chain] of inOrder(chosen, concurrency, ({ number }) =>
      source.block({ number }, signal),
    )) {
      if (signal.aborted) return stored.number - 1
      if (!chain) found({ number: stored.number, what: 'is not known to any node', repairable: false })
      else for (const finding of rowFindings(stored, chain, digests)) found(finding)
      compared += 1
      progress(stored.number - range.from + 1, compared)
    }
    progress(page.to - range.from + 1, compared)
  }
  return range.to
}
