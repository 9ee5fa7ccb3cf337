/** Reports the state of the networks of this role to other processes: topic `status`, on changes and regularly. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Bus } from '../../../platform/bus/bus.ts'
import type { Context } from '../../../platform/context/context.ts'
import type { PartReport, RoleReport } from '../../../schema/records/service/status.ts'
import { topics } from '../../../schema/topics.ts'

/** Interval of checks for changes, ms. */
const LOOK_MS = 2_500
/** Interval of reports without changes, ms. */
export const REPORT_EVERY_MS = 10_000

/** Fields whose changes are reported at once. New heights wait for the next report. */
const outline = (parts: readonly PartReport[]): string =>
  JSON.stringify(
    parts.map(({ network, part, state, trouble, progress }) => [
      network,
      part,
      state,
      trouble?.code,
      progress.phase,
      progress.waitsFor,
    ]),
  )

/** Reports until the lifecycle ends, and once more at the end, so that a planned end does not look like silence. */
export const reportStatus = async (
  { clock, lifecycle, log }: Pick<Context, 'clock' | 'lifecycle' | 'log'>,
  bus: Bus,
  role: string,
  parts: () => PartReport[],
): Promise<void> => {
  const { signal } = lifecycle
  const instance = `${hostname()}/${randomUUID().slice(0, 8)}`
  const producer = await bus.producer()
  const send = (report: RoleReport) =>
    producer.send([{ topic: topics.status, messages: [{ value: Buffer.from(JSON.stringify(report)) }] }])

  const work = async () => {
    let reported = ''
    let reportedAt = Number.NEGATIVE_INFINITY
    while (!signal.aborted) {
      const now = clock.now()
      const current = parts()
      const seen = outline(current)
      if (seen !== reported || now - reportedAt >= REPORT_EVERY_MS) {
        try {
          await send({ role, instance, at: now, parts: current })
          reported = seen
          reportedAt = now
        } catch (err) {
          log.warn({ err }, 'failed to report the state of the networks')
        }
      }
      await clock.sleep(LOOK_MS, signal).catch(() => undefined)
    }
  }
  const ended = work()
  lifecycle.onClose('status reports', async () => {
    await ended
    // A report without parts means that the role has ended.
    await send({ role, instance, at: clock.now(), parts: [] }).catch(() => undefined)
    await producer.close()
  })
}
