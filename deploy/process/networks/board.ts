/** What the roles of all processes have last reported: reads topic `status` when asked, never in between. */
import type { Bus } from '../../../platform/bus/bus.ts'
import type { Clock } from '../../../platform/context/clock.ts'
import type { Network } from '../../../schema/networks.ts'
import { type PartReport, type RoleReport, roleReport } from '../../../schema/records/service/status.ts'
import { topics } from '../../../schema/topics.ts'
import { REPORT_EVERY_MS } from './reporter.ts'

/** A role that has not reported for this long counts as silent, and is forgotten later; ms. */
const SILENT_MS = 3.5 * REPORT_EVERY_MS
/** A part that has not reported for so long is left out: its process is gone for good. */
export const FORGET_MS = 10 * 60_000

/** One part of one process, as it reported last. */
export type ReportedPart = PartReport & {
  role: string
  instance: string
  /** Time of the report, ms since the epoch. */
  reportedAt: number
  /** Whether reports that should have come since then did not. */
  silent: boolean
}

/** What the indexer of a network last reported of itself, however long ago. */
export type LastIndexing = {
  /** What it was at when it was last at something; `starting` while it never was. */
  phase: string
  /** Highest block its nodes have shown since it last followed their head. */
  head: number | undefined
}

/** What all processes report. */
export type Board = {
  read: () => Promise<ReportedPart[]>
  /** As of the last `read`; `undefined` when none was seen. */
  lastIndexing: (network: Network) => LastIndexing | undefined
}

/** An indexer that starts again, or has stopped, is where it was: only one that follows the head has nothing left to read. */
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

/** A board that goes on reading where it stopped. Who asks while it reads gets the same answer. */
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
      // What another version says in words we do not know is left out.
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
