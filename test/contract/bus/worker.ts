/** A thread of the embedded bus: consumes a group and tells its parent each message it has committed. */
import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { openEmbeddedBus } from '../../../platform/bus/embedded.ts'
import { systemClock } from '../../../platform/context/clock.ts'
import { createLog } from '../../../platform/context/log.ts'
import { commitAll, texts } from './helpers.ts'

const { groupId, topic, ...options } = z
  .object({ path: z.string(), groupId: z.string(), topic: z.string(), leaseMs: z.number() })
  .parse(workerData)
const bus = await openEmbeddedBus({ log: createLog('silent'), clock: systemClock }, options)
const consumer = await bus.consumer({ groupId, topics: [topic], maxBytes: 10_000 })
const running = consumer.run(async (batch) => {
  await commitAll(batch)
  parentPort?.postMessage(texts(batch.messages))
})
parentPort?.once('message', async () => {
  await bus.close()
  await running
  parentPort?.close()
})
parentPort?.postMessage([])
