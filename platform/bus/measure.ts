import type { Metrics } from '../context/metrics.ts'
import { isAssayError } from '../errors.ts'
import type { Bus } from './bus.ts'
import { sizeOf } from './delivery/limits.ts'

/** Wraps a bus and counts its traffic. Topics are few and ours, so they are safe as labels. */
export const measureBus = (bus: Bus, metrics: Metrics): Bus => {
  const seconds = metrics.histogram('assay_bus_send_seconds', 'Time until a send was acknowledged, s')
  const sent = metrics.counter('assay_bus_sent_bytes_total', 'Bytes of keys, values and headers sent', ['topic'])
  const messages = metrics.counter('assay_bus_sent_messages_total', 'Messages sent', ['topic'])
  const handed = metrics.counter('assay_bus_received_bytes_total', 'Bytes handed to consumers', ['topic', 'group'])
  const errors = metrics.counter('assay_bus_errors_total', 'Failed sends and commits by error code', ['code'])
  const counted = async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call()
    } catch (error) {
      errors.inc({ code: isAssayError(error) ? error.code : 'unknown' })
      throw error
    }
  }

  return {
    ...bus,
    producer: async (options) => {
      const producer = await bus.producer(options)
      return {
        send: async (sends) => {
          const observe = seconds.startTimer()
          await counted(() => producer.send(sends))
          observe()
          for (const { topic, messages: list } of sends) {
            messages.inc({ topic }, list.length)
            sent.inc(
              { topic },
              list.reduce((sum, message) => sum + sizeOf(message), 0),
            )
          }
        },
        close: () => producer.close(),
      }
    },
    consumer: async (options) => {
      const consumer = await bus.consumer(options)
      const group = options.groupId
      return {
        run: (handle) =>
          consumer.run((batch) => {
            const bytes = batch.messages.reduce((sum, message) => sum + sizeOf(message), 0)
            handed.inc({ topic: batch.topic, group }, bytes)
            return handle({ ...batch, commit: (next) => counted(() => batch.commit(next)) })
          }),
        close: () => consumer.close(),
      }
    },
  }
}
