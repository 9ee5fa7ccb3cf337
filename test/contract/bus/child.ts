/**
 * A producer in a process of its own, to be killed. Argument: JSON of bus options, transactional id and two topics.
 * Sends transactions of three messages over both topics without end and prints the number of each acknowledged one.
 */
import { openBus } from '../../../platform/bus/index.ts'
import { createLog } from '../../../platform/context/log.ts'
import { childArguments } from './helpers.ts'

const { bus: options, transactionalId, topics } = childArguments.parse(JSON.parse(process.argv[2] ?? ''))
const bus = await openBus({ ...options, log: createLog('silent') })
const producer = await bus.producer({ transactionalId })
const padding = 'x'.repeat(5_000)
for (let number = 0; ; number += 1) {
  const text = (part: string) => ({ value: Buffer.from(`${number} ${part} ${padding}`) })
  await producer.send([
    { topic: topics[0], messages: [text('undo'), text('redo')] },
    { topic: topics[1], messages: [text('other')] },
  ])
  process.stdout.write(`${number}\n`)
}
