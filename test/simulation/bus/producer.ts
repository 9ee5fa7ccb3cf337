/** Producers of a simulated process. A broker that fails half-way leaves a transaction open, or part of a plain send behind. */
import type { Producer, Send } from '../../../platform/bus/bus.ts'
import { createPartitioner } from '../../../platform/bus/delivery/partitioner.ts'
import { closed, unavailable } from '../../../platform/bus/errors.ts'
import type { Faults } from '../virtual/faults.ts'
import type { Process } from '../virtual/process.ts'
import type { Scheduler } from '../virtual/scheduler.ts'
import type { Broker } from './broker.ts'

const TRANSACTION_TIMEOUT_MS = 3_000
const SHOW_AFTER_MS = 60

type Deps = { process: Process; broker: Broker; scheduler: Scheduler; faults: () => Faults }

const summary = (sends: readonly Send[]) =>
  sends
    .map(
      ({ topic, messages }) =>
        `${topic} ${messages.map(({ headers }) => (headers?.step ? `${headers.step} ${headers.from}-${headers.to}` : 'message')).join(', ')}`,
    )
    .join('; ')

export const createPlainProducer = ({ process, broker, scheduler, faults }: Deps): Producer => {
  const partitioner = createPartitioner()
  return {
    send: (sends) =>
      process.call(`sends ${summary(sends)}`, {
        perform: () => {
          broker.log.check(sends, partitioner)
          for (const { topic, messages } of sends) {
            const half = scheduler.random.next() < faults().halfDone
            const kept = half ? messages.slice(0, scheduler.random.below(messages.length)) : messages
            broker.log.append(topic, kept, partitioner)
            if (half) throw unavailable('send')
          }
        },
        lost: () => unavailable('send'),
      }),
    close: async () => undefined,
  }
}

export const createTransactionalProducer = async (deps: Deps, transactionalId: string): Promise<Producer> => {
  const { process, broker, scheduler, faults } = deps
  const { log } = broker
  const { random } = scheduler
  const partitioner = createPartitioner()
  let unusable = false
  const epoch = await process.call(`opens producer ${transactionalId}`, {
    perform: () => log.fence(transactionalId),
    lost: () => unavailable('open a producer'),
  })

  const perform = async (sends: readonly Send[]) => {
    log.checkEpoch(transactionalId, epoch)
    log.check(sends, partitioner)
    const transaction = log.begin(transactionalId)
    for (const { topic, messages } of sends) log.append(topic, messages, partitioner, transaction)
    scheduler.after(TRANSACTION_TIMEOUT_MS, () => log.end(transaction, transaction.decided ? 'committed' : 'aborted'))
    await new Promise<void>((resolve) => scheduler.after(random.below(8), resolve))
    if (random.next() < faults().halfDone) throw unavailable('commit')
    if (!process.alive() && random.next() < 0.5) throw unavailable('commit')
    if (transaction.state === 'open') log.checkEpoch(transactionalId, epoch)
    if (transaction.state === 'aborted') throw unavailable('commit')
    transaction.decided = true
    scheduler.after(random.below(SHOW_AFTER_MS), () => log.end(transaction, 'committed'))
  }

  return {
    send: async (sends) => {
      if (unusable) throw closed('producer')
      // A producer has one transaction at a time: the broker makes one visible before it begins the next.
      try {
        await process.call(`sends ${summary(sends)}`, {
          perform: () => perform(sends),
          lost: () => unavailable('send'),
        })
      } catch (error) {
        unusable = true
        throw error
      }
    },
    close: async () => {
      unusable = true
    },
  }
}
