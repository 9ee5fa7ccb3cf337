import type { Context } from '../../../platform/context/context.ts'
import type { Network } from '../../../schema/networks.ts'

/** Progress of the walk over a network's authority logs. */
export type WalkStatus = {
  /** `reading`, `waiting` after a failure, or `read`, possibly with missing logs. */
  state: 'reading' | 'waiting' | 'read'
  /** Next block to read, and the last one. */
  at: number | undefined
  target: number | undefined
  blocksPerSecond: number | undefined
  leftSeconds: number | undefined
  /** Logs whose beginning no endpoint has. */
  missing: number
  /** Code of the failure being waited out. */
  error: string | undefined
}

type Work = { left: number; all: number }

const LOG_EVERY_MS = 10_000

/** Reports a walk's progress: its status, the metrics `assay_authority_*`, and a log line every ten seconds. */
export const walkProgress = ({ clock, log, metrics }: Pick<Context, 'clock' | 'log' | 'metrics'>, network: Network) => {
  const gauge = (name: string, help: string) => metrics.gauge(name, help, ['network'] as const)
  const left = gauge('assay_authority_blocks_left', 'Blocks whose logs of authorities are not read yet')
  const missing = gauge('assay_authority_logs_missing', 'Logs of authorities whose beginning no endpoint has')
  const logs = metrics.counter('assay_authority_logs_total', 'Logs of authorities read', ['network'] as const)
  let began: { at: number; left: number } | undefined
  let loggedAt = clock.now()
  let status: WalkStatus = {
    state: 'reading',
    at: undefined,
    target: undefined,
    blocksPerSecond: undefined,
    leftSeconds: undefined,
    missing: 0,
    error: undefined,
  }

  const measure = (work: Work) => {
    left.set({ network }, work.left)
    const now = clock.now()
    began ??= { at: now, left: work.left }
    const seconds = (now - began.at) / 1_000
    const done = began.left - work.left
    if (seconds <= 0 || done <= 0) return
    const blocksPerSecond = Math.round(done / seconds)
    status = { ...status, blocksPerSecond, leftSeconds: Math.ceil(work.left / (done / seconds)) }
    if (work.left === 0 || now - loggedAt < LOG_EVERY_MS) return
    loggedAt = now
    const percent = Math.floor((100 * (work.all - work.left)) / Math.max(1, work.all))
    log.info({ network, percent, ...status }, 'reading the logs of authorities')
  }

  return {
    status: (): WalkStatus => status,
    working: (work: Work, at: number, target: number) => {
      status = { ...status, state: 'reading', at, target, error: undefined }
      measure(work)
    },
    read: (found: number, work: Work) => {
      logs.inc({ network }, found)
      measure(work)
    },
    failed: (code: string) => {
      status = { ...status, state: 'waiting', error: code }
    },
    finished: (lacking: number) => {
      left.set({ network }, 0)
      missing.set({ network }, lacking)
      status = { ...status, state: 'read', leftSeconds: 0, missing: lacking, error: undefined }
    },
  }
}
