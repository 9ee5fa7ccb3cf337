/** Latest reports of the roles of all processes, read from topic `status` on demand. */
import type { Bus } from '../../../platform/bus/bus.ts'
import type { Clock } from '../../../platform/context/clock.ts'
import type { Network } from '../../../schema/networks.ts'
import { type PartReport, type RoleReport, roleReport } from '../../../schema/records/service/status.ts'
import { topics } from '../../../schema/topics.ts'
import { REPORT_EVERY_MS } from './reporter.ts'

/** Time without a report after which a role counts as silent, ms. */
const SILENT_MS = 3.5 * REPORT_EVERY_MS
/** Time without a report after which a part is dropped, because its process is gone, ms. */
export const FORGET_MS = 10 * 60_000

/** Last report of one part of a process. */
export type ReportedPart = PartReport & {
  role: string
  instance: string
  /** Time of the report, ms since the epoch. */
  reportedAt: number
  /** Whether later reports are overdue. */
  silent: boolean
}

/** Last report of the indexer of a network, however old. */
export type LastIndexing = {
  /** Last phase other than starting; `starting` if it never had another. */
  phase: string
  /** Highest head of its nodes since it last followed the head. */
  head: number | undefined
}

/** Reports of all processes. */
export type Board = {
  read: () => Promise<ReportedPart[]>
  /** As of the last `read`; `undefined` without a report. */
  lastIndexing: (network: Network) => LastIndexing | undefined
}

/** Updates the last state. A restarted or stopped indexer keeps its phase; only one that follows the head has nothing left to read. */
const next = (before: LastIndexing | undefined, { phase, head }: PartReport['progress']): LastIndexing | undefined => {
  if (phase === undefined) return before
  if (phase === 'head') return { phase, head: head ?? before?.head }
  const heads = [before?.head, head].filter((one) => one !== undefined)
  const known = heads.length > 0 ? Math.max(...heads) : undefined
  if (phase === 'history') return { phase, head: known }
  return { phase: before?.phase ?? 'starting', head: known }
}

const parse = (value: Buffer): RoleReport | undefined => {
  try {
    return roleReport.safeParse(JSON.parse(value.toString())).data
  } catch {
    return undefined
  }
}

/** Creates a board that continues reading where it stopped. Concurrent reads share one pass. */
export const createBoard = (bus: Pick<Bus, 'offsets' | 'read'>, { now }: Pick<Clock, 'now'>): Board => {
  const reports = new Map<string, RoleReport>()
  const indexing = new Map<Network, LastIndexing>()
  let offset = 0n
  let reading: Promise<void> | undefined

  const note = (report: RoleReport) => {
    reports.set(report.instance, report)
    for (const { network, part, progress } of report.parts) {
      const last = part === 'indexing' ? next(indexing.get(network), progress) : undefined
      if (last) indexing.set(network, last)
    }
  }

  const update = async () => {
    const [place] = await bus.offsets(topics.status)
    if (!place) return
    if (place.first > offset || place.next < offset) offset = place.first
    if (place.next === offset) return
    for await (const message of bus.read(topics.status, 0, offset)) {
      const report = parse(message.value)
      // Reports in an unknown format, as of another version, are skipped.
      if (report) note(report)
      offset = message.offset + 1n
    }
  }

  return {
    lastIndexing: (network) => indexing.get(network),
    read: async () => {
      reading ??= update().finally(() => {
        reading = undefined
      })
      await reading
      for (const [instance, { at, parts }] of reports) {
        if (parts.length === 0 || now() - at > FORGET_MS) reports.delete(instance)
      }
      return [...reports.values()].flatMap(({ role, instance, at, parts }) =>
        parts.map((part) => ({ ...part, role, instance, reportedAt: at, silent: now() - at > SILENT_MS })),
      )
    },
  }
}
