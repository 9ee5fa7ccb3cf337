import { steadyTime } from '../../platform/context/clock.ts'
import type { Context } from '../../platform/context/context.ts'
import type { Network } from '../../schema/networks.ts'

type Phase = 'starting' | 'history' | 'head' | 'stopped'

/** Progress of a network's indexing. Block numbers are `undefined` until known. */
export type IndexerStatus = {
  network: Network
  phase: Phase
  /** Newest block seen on a node. */
  head: number | undefined
  /** Highest block published. */
  indexed: number | undefined
  /** Highest block published as finalized. */
  finalized: number | undefined
  /** No progress for too long, or the loop ended with an error. */
  stalled: boolean
  /** Range of history being published, during that phase. */
  historyFrom: number | undefined
  historyTo: number | undefined
  /** The failure being waited out, and its time in ms since the epoch. */
  waiting: { code: string; message: string; since: number } | undefined
  /** Code of the error that ended the loop. */
  error: string | undefined
}

/** Progress, as the loop reports it and a process shows it. Only publishing counts as progress, not a new head. */
export type Progress = {
  phase: (phase: Phase) => void
  headSeen: (head: number) => void
  published: (tip: number, finalized: number) => void
  history: (last: number) => void
  historyRange: (from: number, to: number) => void
  reorg: (depth: number) => void
  /** Why the loop is waiting; `undefined` once a step succeeded. */
  waiting: (error: { code: string; message: string } | undefined) => void
  failed: (code: string) => void
  status: () => IndexerStatus
  /** Time since the last progress, ms. */
  quietMs: () => number
  stalled: (stalled: boolean) => void
}

const DEPTHS = [1, 2, 3, 5, 8, 13, 21, 34, 64, 128, 256, 1_024]

/** Progress of one network, for its status and the metrics `assay_indexer_*`. Creation counts as progress. */
export const createProgress = ({ clock, metrics }: Pick<Context, 'clock' | 'metrics'>, network: Network): Progress => {
  const gauge = (name: string, help: string) => metrics.gauge(name, help, ['network'] as const)
  const head = gauge('assay_indexer_head_block', 'Newest block reported by nodes')
  const indexed = gauge('assay_indexer_indexed_block', 'Highest block published')
  const finalized = gauge('assay_indexer_finalized_block', 'Highest block published as finalized')
  const stalled = gauge('assay_indexer_stalled', '1 while there is no progress for longer than expected')
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
    headSeen: (number) => {
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
