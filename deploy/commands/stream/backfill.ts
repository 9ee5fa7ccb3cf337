/** `assay backfill`: publishes final blocks of a range to the history topic. Works beside a running indexer and scorer. */
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

/** Options of `assay backfill`. */
export type BackfillRequest = {
  network: Network
  range: BackfillRange
  /** Whether to publish stored blocks too, for topics that no longer hold them. */
  stored: boolean
  json?: boolean
}

const CONCURRENCY = 32
const MAX_BYTES = 64_000_000
const MAX_RETRIES = 20
const PAUSE_MS = 1_000
const MAX_PAUSE_MS = 30_000

/** Publishes blocks of the range that are not stored. An interrupted run can be repeated; published blocks are skipped. */
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
      // Identifies this run: its retries skip what it published, a later run publishes all, since the topic may have lost blocks.
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
        return say(`All blocks of ${network} from ${range.from} to ${range.to} are stored; nothing was published.`)
      }
      if (!stored) say(`${all} blocks of ${network} are missing from ${range.from} to ${range.to}.`)

      /** One part of the range, with retries while nodes or the bus fail. Published blocks are found on the topic. */
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
                  return `${done} of ${all} blocks published, ${rate.toFixed(0)} blocks/s, ${duration(((all - done) / rate) * 1_000)} left`
                })
              },
            })
            if (last) done = before + last.number - one.from + 1
            return
          } catch (error) {
            if (signal.aborted) return
            if (!(error instanceof RetryableError) || failures >= MAX_RETRIES) throw error
            say(`${error.code}: ${error.message}`)
            if (error.code === 'ASSAY_INDEXER_BROKEN_CHAIN') source.rotate?.()
            await clock.sleep(Math.min(MAX_PAUSE_MS, PAUSE_MS * 2 ** failures), signal).catch(() => undefined)
          }
        }
      }
      for (const one of missing) if (!signal.aborted) await part(one)
      reported()
      if (signal.aborted)
        return say(
          `Interrupted after ${done} of ${all} blocks. Continue with: ${again(range.from + (stored ? done : 0))}`,
        )
      say(
        `${all} blocks of ${network} are on the history topic, ${fetched} of them published by this run in ${duration(clock.now() - startedAt)}.`,
      )
      say(
        stored
          ? `Blocks in the tables are unchanged. Rebuild them with: assay reindex --network ${network} --base`
          : 'The scorer stores them and scores the affected wallets.',
      )
    },
    { json },
  )
