/** What the roles of all processes have last reported: reads topic `status` when asked, never in between. */
import type { Bus } from '../../../platform/bus/bus.ts'
import type { Clock } from '../../../platform/clock.ts'
import { type PartReport, type RoleReport, roleReport } from '../../../schema/records/status.ts'
import { topics } from '../../../schema/topics.ts'
import { REPORT_EVERY_MS } from './reporter.ts'

/** A role that has not reported for this long counts as silent, and is forgotten later; ms. */
const SILENT_MS = 3.5 * REPORT_EVERY_MS
export const FORGET_MS = 10 * 60_000

export type ReportedPart = PartReport & {
  role: string
  instance: string
  /** Time of the report, ms since the epoch. */
  reportedAt: number
  /** Whether reports that should have come since then did not. */
  silent: boolean
}

export type Board = { read: () => Promise<ReportedPart[]> }

const parse = (value: Buffer): RoleReport | undefined => {
  try {
    return roleReport.safeParse(JSON.parse(value.toString())).data
  } catch {
    return undefined
  }
}

export const createBoard = (bus: Pick<Bus, 'offsets' | 'read'>, { now }: Pick<Clock, 'now'>): Board => {
  const reports = new Map<string, RoleReport>()
  let next = 0n
  let reading: Promise<void> | undefined

  const update = async () => {
    const [place] = await bus.offsets(topics.status)
    if (!place) return
    if (place.first > next || place.next < next) next = place.first
    if (place.next === next) return
    for await (const { offset, value } of bus.read(topics.status, 0, next)) {
      const report = parse(value)
      // What another version says in words we do not know is left out.
      if (report) reports.set(report.instance, report)
      next = offset + 1n
    }
  }

  return {
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
