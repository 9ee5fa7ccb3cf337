/**
 * Keeps cached records fresh: follows topic `records` from its end at process start. Replaces cached records only. A replica that
 * falls behind still refreshes records by their age.
 */
import { z } from 'zod'
import type { Bus } from '../../../platform/bus/bus.ts'
import type { Context } from '../../../platform/context/context.ts'
import { periodically } from '../../../platform/context/periodic.ts'
import { OPERATIONS } from '../../../schema/records/operations.ts'
import { publishedRecord } from '../../../schema/records/stored.ts'
import { topics } from '../../../schema/topics.ts'
import { hasIncompleteLog } from '../../../scorer/ledger/authorities/coverage.ts'
import { tookOver } from './first-answers.ts'
import { type Reader, recordKey } from './reader.ts'

const PAUSE_MS = 500

const operations = z.enum(Object.values(OPERATIONS).map(({ id }) => id))

/** Follows the topic until the lifecycle ends. */
export const followRecords = async (context: Context, bus: Bus, reader: Pick<Reader, 'refresh'>): Promise<void> => {
  const next = new Map((await bus.offsets(topics.records)).map(({ partition, next }) => [partition, next]))
  periodically(context, 'follow records', PAUSE_MS, async () => {
    for (const [partition, from] of next) {
      for await (const message of bus.read(topics.records, partition, from)) {
        next.set(partition, message.offset + 1n)
        const { operation, network, address, version, body, data_height, unknowns } = publishedRecord.parse(
          JSON.parse(message.value.toString()),
        )
        const known = operations.safeParse(operation)
        // A newer scorer may publish operations that this version does not know.
        if (!known.success) continue
        const stored = { body, version, dataHeight: data_height, unsure: hasIncompleteLog(unknowns) }
        reader.refresh(known.data, { network, address }, stored)
        tookOver(recordKey(known.data, { network, address }), message.headers)
      }
    }
  })
}
