/**
 * Keeps records in memory fresh: follows topic `records` from where it ends when the process starts. What is in memory is
 * replaced, what is not stays out; a replica that falls behind is caught up by the age at which records are looked up again.
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

/** Reads until the lifecycle ends, from the end of the topic as it was at the start. */
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
        // A scorer may be newer than we are.
        if (!known.success) continue
        const stored = { body, version, dataHeight: data_height, unsure: hasIncompleteLog(unknowns) }
        reader.refresh(known.data, { network, address }, stored)
        tookOver(recordKey(known.data, { network, address }), message.headers)
      }
    }
  })
}
