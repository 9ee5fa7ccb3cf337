/**
 * A real Kafka broker for tests: that of KAFKA_BROKERS, else one in Docker, else Apache Kafka from Maven Central on
 * this machine's Java. `startKafka` returns the reason if none is available, so that suites can report themselves
 * skipped. KAFKA_BROKERS and Docker provide Kafka 3 without passwords; other brokers need Java.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe } from 'vitest'
import { type KafkaLine, kafkaFolder } from './kafka/fetch.ts'
import { type KafkaBroker, startJava } from './kafka/java.ts'

export type { KafkaBroker } from './kafka/java.ts'

/** Kind of broker: `line` 3 by default, `secure` with listeners for TLS and SASL, `two` with a second broker. */
export type KafkaWanted = { line?: KafkaLine; secure?: boolean; two?: boolean }

const answers = (command: string, args: string[]) =>
  spawnSync(command, args, { stdio: 'ignore', timeout: 20_000 }).status === 0

/** Whether a daemon answers, not merely whether a socket exists. */
const dockerAnswers = () =>
  (process.env.DOCKER_HOST !== undefined || existsSync('/var/run/docker.sock')) &&
  answers('docker', ['version', '--format', '{{.Server.Version}}'])

const isPlain = ({ line = '3', secure = false, two = false }: KafkaWanted) => line === '3' && !secure && !two

/** Reason why no such broker is available here, else undefined. Starts nothing. */
const whyNoKafka = (wanted: KafkaWanted): string | undefined => {
  if (isPlain(wanted) && (process.env.KAFKA_BROKERS || dockerAnswers())) return undefined
  const others = isPlain(wanted) ? 'neither KAFKA_BROKERS, nor Docker, nor' : 'no'
  if (!answers('java', ['-version'])) return `${others} Java`
  if (!existsSync(kafkaFolder(wanted.line ?? '3')) && !answers('mvn', ['-version']))
    return `${others} Maven to fetch Kafka`
  if (wanted.secure && !answers('openssl', ['version'])) return 'no openssl to make certificates'
  return undefined
}

const startDocker = async (): Promise<KafkaBroker> => {
  const { KafkaContainer } = await import('@testcontainers/kafka')
  const container = await new KafkaContainer('confluentinc/cp-kafka:7.9.0').withKraft().start()
  return {
    brokers: [`${container.getHost()}:${container.getMappedPort(9093)}`],
    close: async () => {
      await container.stop()
    },
  }
}

const startKafka = async (wanted: KafkaWanted): Promise<KafkaBroker> => {
  const { line = '3', secure = false, two = false } = wanted
  const given = process.env.KAFKA_BROKERS
  if (given && isPlain(wanted)) return { brokers: given.split(','), close: async () => {} }
  if (isPlain(wanted) && dockerAnswers()) {
    try {
      return await startDocker()
    } catch (error) {
      if (!answers('java', ['-version'])) throw error
    }
  }
  return startJava(line, { secure, two })
}

/** A describe block around one broker, shared by its tests; skipped, with the reason in its name, if none is available. */
export const withKafka = (name: string, tests: (broker: () => KafkaBroker) => void, wanted: KafkaWanted = {}): void => {
  const reason = whyNoKafka(wanted)
  const on = `${name} on Kafka ${wanted.line ?? '3'}`
  describe.skipIf(reason)(reason ? `${on} (skipped: ${reason})` : on, () => {
    let broker: KafkaBroker | undefined
    beforeAll(async () => {
      broker = await startKafka(wanted)
    }, 400_000)
    afterAll(() => broker?.close())
    tests(() => {
      if (!broker) throw new Error('the broker is there from beforeAll on')
      return broker
    })
  })
}
