/** Tells the other processes how the networks of this role are doing: topic `status`, on every change and from time to time. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Bus } from '../../../platform/bus/bus.ts'
import type { Context } from '../../../platform/context/context.ts'
import type { PartReport, RoleReport } from '../../../schema/records/service/status.ts'
import { topics } from '../../../schema/topics.ts'

/** How often what has changed is looked for, and how often all is reported although nothing did; ms. */
const LOOK_MS = 2_500
/** Pause between two reports of a role without news, ms. */
export const REPORT_EVERY_MS = 10_000

/** What a change of is reported at once; blocks come with the next report. */
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

/** Reports until the lifecycle ends, and once more then, so that a planned end is not taken for silence. */
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
    let told = ''
    let toldAt = Number.NEGATIVE_INFINITY
    while (!signal.aborted) {
      const now = clock.now()
      const current = parts()
      const seen = outline(current)
      if (seen !== told || now - toldAt >= REPORT_EVERY_MS) {
        try {
          await send({ role, instance, at: now, parts: current })
          told = seen
          toldAt = now
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
    // Without parts the role has left, and is not held for silent.
    await send({ role, instance, at: clock.now(), parts: [] }).catch(() => undefined)
    await producer.close()
  })
}
