import { steadyTime } from '../../platform/context/clock.ts'
import type { Context } from '../../platform/context/context.ts'
import type { Network } from '../../schema/networks.ts'

type Phase = 'starting' | 'history' | 'head' | 'stopped'

/** Progress of a network's indexing. Block numbers are `undefined` until known. */
export type IndexerStatus = {
  network: Network
  phase: Phase
  /** Newest block the nodes have shown. */
  head: number | undefined
  /** Highest block published. */
  indexed: number | undefined
  /** Highest block published as finalized. */
  finalized: number | undefined
  /** Nothing moved for longer than it should take, or the loop ended with an error. */
  stalled: boolean
  /** Range of the history being published, while it is. */
  historyFrom: number | undefined
  historyTo: number | undefined
  /** A failure that is being waited out, and since when, ms since the epoch. */
  waiting: { code: string; message: string; since: number } | undefined
  /** Code of the error that ended the loop. */
  error: string | undefined
}

/**
 * What the loop reports of itself, and what a process shows of it. Movement is what publishes: seeing a new head is
 * none.
 */
export type Progress = {
  phase: (phase: Phase) => void
  saw: (head: number) => void
  published: (tip: number, finalized: number) => void
  history: (last: number) => void
  historyRange: (from: number, to: number) => void
  reorg: (depth: number) => void
  /** Why nothing is done for now; `undefined` once a step succeeded. */
  waiting: (error: { code: string; message: string } | undefined) => void
  failed: (code: string) => void
  status: () => IndexerStatus
  /** Time since anything moved, ms. */
  quietMs: () => number
  stalled: (stalled: boolean) => void
}

const DEPTHS = [1, 2, 3, 5, 8, 13, 21, 34, 64, 128, 256, 1_024]

/** Progress of one network, in its status and in the metrics `assay_indexer_*`. It begins as moved just now. */
export const createProgress = ({ clock, metrics }: Pick<Context, 'clock' | 'metrics'>, network: Network): Progress => {
  const gauge = (name: string, help: string) => metrics.gauge(name, help, ['network'] as const)
  const head = gauge('assay_indexer_head_block', 'Newest block the nodes have shown')
  const indexed = gauge('assay_indexer_indexed_block', 'Highest block published')
  const finalized = gauge('assay_indexer_finalized_block', 'Highest block published as finalized')
  const stalled = gauge('assay_indexer_stalled', '1 while nothing moves for longer than it should take')
  const reorgs = metrics.counter('assay_indexer_reorgs_total', 'Reorgs followed', ['network'] as const)
  const depths = metrics.histogram(
    'assay_indexer_reorg_depth',
    'Blocks undone by a reorg',
    ['network'] as const,
    DEPTHS,
  )

  const time = steadyTime(clock.now)
  let movedAt = time()
  let status: IndexerStatus = {
    network,
    phase: 'starting',
    head: undefined,
    indexed: undefined,
    finalized: undefined,
    stalled: false,
    historyFrom: undefined,
    historyTo: undefined,
    waiting: undefined,
    error: undefined,
  }
  const set = (change: Partial<IndexerStatus>) => {
    status = { ...status, ...change }
  }
  const place = (tip: number, finalizedTip: number) => {
    if (tip !== status.indexed || finalizedTip !== status.finalized) movedAt = time()
    indexed.set({ network }, tip)
    finalized.set({ network }, finalizedTip)
    set({ indexed: tip, finalized: finalizedTip })
  }

  return {
    phase: (phase) => set(phase === 'history' ? { phase } : { phase, historyFrom: undefined, historyTo: undefined }),
    saw: (number) => {
      head.set({ network }, number)
      set({ head: number })
    },
    published: place,
    history: (last) => place(last, last),
    historyRange: (from, to) => set({ historyFrom: status.historyFrom ?? from, historyTo: to }),
    reorg: (depth) => {
      movedAt = time()
      reorgs.inc({ network })
      depths.observe({ network }, depth)
    },
    waiting: (error) => {
      if (!error && !status.waiting) return
      const since = status.waiting?.since ?? clock.now()
      set({ waiting: error && { code: error.code, message: error.message, since } })
    },
    failed: (code) => {
      stalled.set({ network }, 1)
      set({ error: code, stalled: true })
    },
    status: () => status,
    quietMs: () => time() - movedAt,
    stalled: (is) => {
      stalled.set({ network }, is ? 1 : 0)
      set({ stalled: is })
    },
  }
}
