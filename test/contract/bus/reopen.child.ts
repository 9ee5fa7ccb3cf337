/**
 * Opens and closes a bus again and again while another one on the same folder writes. In a process of its own, because
 * a thread that LMDB has stopped can not fail by itself. Argument: the folder.
 */
import { openBus } from '../../../platform/bus/index.ts'
import { createLog } from '../../../platform/context/log.ts'
import { createTopic, message } from './helpers.ts'

const log = createLog('silent')
const path = process.argv[2]
const bus = await openBus({ path, log })
const topic = await createTopic(bus)
const producer = await bus.producer()
const writing = (async () => {
  for (let number = 0; number < 200; number += 1) await producer.send([{ topic, messages: [message(String(number))] }])
})()
for (let number = 0; number < 100; number += 1) {
  const again = await openBus({ path, log })
  await (await again.producer()).send([{ topic, messages: [message('again')] }])
  await again.close()
}
await writing
const [offsets] = await bus.offsets(topic)
await bus.close()
process.exitCode = offsets?.next === 300n ? 0 : 1
