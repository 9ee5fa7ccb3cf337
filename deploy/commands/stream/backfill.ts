/** `assay backfill`: final blocks of a range, onto the history topic. Works beside a running indexer and scorer. */
import { randomUUID } from 'node:crypto'
import { type BackfillRange, backfill } from '../../../indexer/follow/backfill.ts'
import type { Config } from '../../../platform/config/config.ts'
import { RetryableError } from '../../../platform/errors.ts'
import type { Network } from '../../../schema/networks.ts'
import { storedNeighbours, storedRanges } from '../../../scorer/ledger/blocks/stored.ts'
import { duration } from '../../command-line/text.ts'
import { openToolStore } from '../../process/store-socket.ts'
import { openSharedBus } from '../../roles/parts.ts'
import { openBlockReader, openSource } from '../../roles/source.ts'
import { runTool } from '../tool.ts'
import { missingIn } from './ranges.ts'

/** What `assay backfill` was asked for. */
export type BackfillRequest = {
  network: Network
  range: BackfillRange
  /** Whether blocks that are stored are published too, for topics that no longer hold them. */
  stored: boolean
  json?: boolean
}

const CONCURRENCY = 32
const MAX_BYTES = 64_000_000
const RETRIES = 20
const PAUSE_MS = 1_000
const MAX_PAUSE_MS = 30_000

/** Publishes blocks of the range that are not stored. An interrupted run may be repeated: what is there is left out. */
export const backfillCommand = (config: Config, { network, range, stored, json }: BackfillRequest): Promise<void> =>
  runTool(
    config,
    'backfill',
    async ({ context, signal, say, report, progress }) => {
      const { clock } = context
      const store = await openToolStore(context, config)
      const bus = await openSharedBus(context, config, [network])
      const { source } = openSource(context, config, network, { reader: openBlockReader(context, config) })
      await source.verify()
      const missing = stored ? [range] : missingIn(range, await storedRanges(store, network))
      // Failures are repeated within this run; a later one publishes everything again, since nobody knows what the topic has lost.
      const anew = stored ? randomUUID() : undefined
      const all = missing.reduce((sum, { from, to }) => sum + to - from + 1, 0)
      const again = (from: number) =>
        `assay backfill --network ${network} --from ${from} --to ${range.to}${stored ? ' --again' : ''}`
      const startedAt = clock.now()
      let done = 0
      let fetched = 0
      const reported = () => {
        const seconds = (clock.now() - startedAt) / 1_000
        report({ network, ...range, missing: all, published: done, fetched, seconds, interrupted: signal.aborted })
      }
      if (all === 0) {
        reported()
        return say(`Blocks ${range.from} to ${range.to} of ${network} are all stored; nothing was published.`)
      }
      if (!stored) say(`${all} blocks of ${network} are missing from ${range.from} to ${range.to}.`)

      /** One part, again with pauses while nodes or the bus fail: what was published is found on the topic. */
      const part = async (one: BackfillRange): Promise<void> => {
        const before = done
        for (let failures = 0; ; failures += 1) {
          try {
            const last = await backfill({
              context,
              source,
              bus,
              range: one,
              neighbours: await storedNeighbours(store, network, one),
              runId: anew,
              options: { concurrency: CONCURRENCY, maxBytes: MAX_BYTES, signal },
              published: ({ number }, count) => {
                failures = 0
                fetched += count
                done = before + number - one.from + 1
                progress(() => {
                  const rate = fetched / (Math.max(1, clock.now() - startedAt) / 1_000)
                  return `${done} of ${all} blocks are published, ${rate.toFixed(0)} a second, ${duration(((all - done) / rate) * 1_000)} left`
                })
              },
            })
            if (last) done = before + last.number - one.from + 1
            return
          } catch (error) {
            if (signal.aborted) return
            if (!(error instanceof RetryableError) || failures >= RETRIES) throw error
            say(`${error.code}: ${error.message}`)
            if (error.code === 'ASSAY_INDEXER_BROKEN_CHAIN') source.rotate?.()
            await clock.sleep(Math.min(MAX_PAUSE_MS, PAUSE_MS * 2 ** failures), signal).catch(() => undefined)
          }
        }
      }
      for (const one of missing) if (!signal.aborted) await part(one)
      reported()
      if (signal.aborted)
        return say(`Interrupted after ${done} of ${all} blocks. Go on with: ${again(range.from + (stored ? done : 0))}`)
      say(
        `${all} blocks of ${network} are on the history topic, ${fetched} of them by this run in ${duration(clock.now() - startedAt)}.`,
      )
      say(
        stored
          ? `Blocks that are in the tables stay as they are. Make them again with: assay reindex --network ${network} --base`
          : 'The scorer puts them into tables and scores the wallets they touch.',
      )
    },
    { json },
  )
