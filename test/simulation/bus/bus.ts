/** The Bus port of one simulated process. */
import type { Bus } from '../../../platform/bus/bus.ts'
import { unavailable } from '../../../platform/bus/errors.ts'
import type { Faults } from '../virtual/faults.ts'
import type { Process } from '../virtual/process.ts'
import type { Scheduler } from '../virtual/scheduler.ts'
import type { Broker } from './broker.ts'
import { createConsumer } from './consumer.ts'
import { createPlainProducer, createTransactionalProducer } from './producer.ts'

type Deps = { process: Process; broker: Broker; scheduler: Scheduler; faults: () => Faults }

export const createSimulatedBus = (deps: Deps): Bus => {
  const { process, broker } = deps
  const { log } = broker
  const ask = <T>(what: string, perform: () => T) =>
    process.call(what, { perform, lost: () => unavailable(what), quiet: true })

  return {
    createTopics: (specs) => ask('create topics', () => log.createTopics(specs)),
    describeTopics: (names) =>
      ask('describe topics', () =>
        names.map((topic) => {
          const { spec } = log.topic(topic)
          return { topic, partitions: spec.partitions, compacted: spec.compacted ?? false, deletes: false }
        }),
      ),
    producer: async ({ transactionalId } = {}) =>
      transactionalId === undefined ? createPlainProducer(deps) : createTransactionalProducer(deps, transactionalId),
    consumer: async (options) => createConsumer(deps, options),
    offsets: (topic) => ask('offsets', () => log.offsets(topic)),
    read: async function* (topic, partition, from) {
      yield* await ask('read', () => log.read(topic, partition, from))
    },
    lag: (group, topic) => ask('lag', () => broker.lag(group, topic)),
    healthy: async () => true,
    close: async () => undefined,
  }
}
