import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { kafkaAccessOf } from '../../../platform/bus/access/access.ts'
import type { Bus } from '../../../platform/bus/bus.ts'
import { type BusOptions, type KafkaClient, openBus } from '../../../platform/bus/index.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import { KAFKA_USER } from '../../kit/processes/kafka/security.ts'
import { withKafka } from '../../kit/processes/kafka.ts'
import { until } from '../../kit/until.ts'
import { consume, message, readAll, texts, unique } from './helpers.ts'

const LOGIN = { KAFKA_SASL_USERNAME: KAFKA_USER.username, KAFKA_SASL_PASSWORD: KAFKA_USER.password }

withKafka(
  'TLS and SASL',
  (broker) => {
    const opened: Bus[] = []
    afterEach(async () => {
      for (const bus of opened.splice(0)) await bus.close()
    })
    const lines: string[] = []
    const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })

    const open = async (kafkaClient: KafkaClient, env: Record<string, string>, more: Partial<BusOptions> = {}) => {
      const access = kafkaAccessOf(loadConfig(env))
      const bus = await openBus({
        kafkaBrokers: access?.brokers,
        kafkaTls: access?.tls,
        kafkaLogin: access?.login,
        kafkaClient,
        log,
        ...more,
      })
      opened.push(bus)
      return bus
    }
    const listeners = () => {
      const { listeners: found } = broker()
      if (!found) throw new Error('the broker was asked for listeners with TLS')
      return found
    }
    const tls = () => ({ KAFKA_TLS: 'true', KAFKA_TLS_CA: listeners().certificates.ca })
    const scram = (mechanism: string) => ({ ...LOGIN, KAFKA_SASL_MECHANISM: mechanism })
    const refusal = async (client: KafkaClient, env: Record<string, string>) => {
      const bus = await open(client, env)
      return bus.createTopics([{ topic: unique('topic'), partitions: 1 }]).then(
        () => ({ code: 'none', message: '' }),
        ({ code, message }: { code: string; message: string }) => ({ code, message }),
      )
    }

    describe.each(['kafkajs', 'platformatic'] as const)('through %s', (client) => {
      test.each([
        ['SCRAM-SHA-512 over TLS', () => ({ KAFKA_BROKERS: listeners().secure, ...tls(), ...scram('SCRAM-SHA-512') })],
        ['SCRAM-SHA-256 over TLS', () => ({ KAFKA_BROKERS: listeners().secure, ...tls(), ...scram('SCRAM-SHA-256') })],
        ['PLAIN over TLS', () => ({ KAFKA_BROKERS: listeners().secure, ...tls(), ...scram('PLAIN') })],
        ['SCRAM-SHA-512 without TLS', () => ({ KAFKA_BROKERS: listeners().login, ...scram('SCRAM-SHA-512') })],
        [
          'a client certificate',
          () => ({
            KAFKA_BROKERS: listeners().mutual,
            ...tls(),
            KAFKA_TLS_CERT: listeners().certificates.client.cert,
            KAFKA_TLS_KEY: listeners().certificates.client.key,
          }),
        ],
      ])('sends, reads and consumes with %s', async (_, env) => {
        const bus = await open(client, env())
        const topic = unique('topic')
        await bus.createTopics([{ topic, partitions: 1 }])
        const producer = await bus.producer({ transactionalId: unique('id') })
        await producer.send([{ topic, messages: [message('one'), message('two')] }])
        expect(texts(await readAll(bus, topic))).toEqual(['one', 'two'])
        const { got, consumer } = await consume(bus, { groupId: unique('group'), topics: [topic] })
        await until('both', () => got.length === 2)
        await consumer.close()
      })

      test.each([
        [
          'a wrong password',
          'ASSAY_BUS_LOGIN_REFUSED',
          'KAFKA_SASL_PASSWORD',
          () => ({
            KAFKA_BROKERS: listeners().secure,
            ...tls(),
            ...scram('SCRAM-SHA-512'),
            KAFKA_SASL_PASSWORD: 'wrong',
          }),
        ],
        [
          'a wrong password with PLAIN',
          'ASSAY_BUS_LOGIN_REFUSED',
          'KAFKA_SASL_PASSWORD',
          () => ({ KAFKA_BROKERS: listeners().secure, ...tls(), ...scram('PLAIN'), KAFKA_SASL_PASSWORD: 'wrong' }),
        ],
        [
          'an unknown user',
          'ASSAY_BUS_LOGIN_REFUSED',
          'KAFKA_SASL_USERNAME',
          () => ({ KAFKA_BROKERS: listeners().login, ...scram('SCRAM-SHA-256'), KAFKA_SASL_USERNAME: 'nobody' }),
        ],
        [
          'an authority that did not sign',
          'ASSAY_BUS_TLS_REFUSED',
          'KAFKA_TLS_CA',
          () => ({
            KAFKA_BROKERS: listeners().secure,
            ...tls(),
            KAFKA_TLS_CA: listeners().certificates.otherCa,
            ...scram('PLAIN'),
          }),
        ],
        [
          'no authority at all',
          'ASSAY_BUS_TLS_REFUSED',
          'KAFKA_TLS_CA',
          () => ({ KAFKA_BROKERS: listeners().secure, KAFKA_TLS: 'true', ...scram('PLAIN') }),
        ],
        [
          'no TLS where the broker has it',
          'ASSAY_BUS_TLS_REFUSED',
          'KAFKA_TLS=true',
          () => ({ KAFKA_BROKERS: listeners().secure, ...scram('PLAIN') }),
        ],
        [
          'TLS where the broker has none',
          'ASSAY_BUS_TLS_REFUSED',
          'Remove KAFKA_TLS',
          () => ({ KAFKA_BROKERS: listeners().login, ...tls(), ...scram('PLAIN') }),
        ],
        [
          'no client certificate where one is asked',
          'ASSAY_BUS_TLS_REFUSED',
          'KAFKA_TLS_CERT',
          () => ({ KAFKA_BROKERS: listeners().mutual, ...tls() }),
        ],
      ])('%s is %s and names %s', async (_, code, named, env) => {
        expect(await refusal(client, env())).toEqual({ code, message: expect.stringContaining(named) })
      })
    })

    test('no line of the log holds the password', () => {
      expect(lines.length).toBeGreaterThan(0)
      expect(lines.join('')).not.toContain(KAFKA_USER.password)
    })
  },
  { secure: true },
)
