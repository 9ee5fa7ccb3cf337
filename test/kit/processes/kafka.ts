/**
 * A real Kafka broker for tests: that of KAFKA_BROKERS, else one in Docker, else Apache Kafka from Maven Central on
 * this machine's Java, in KRaft mode. `startKafka` says why when none of them is to be had, so that suites can report
 * themselves skipped.
 */
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { appendFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, describe } from 'vitest'
import { freePort } from '../free-port.ts'

/** The newest 3.9: kafkajs 2.2.4 does not speak the protocol versions that Kafka 4 still has (KIP-896). */
export const KAFKA_VERSION = '3.9.2'

const run = promisify(execFile)
const START_MS = 90_000

export type KafkaBroker = {
  brokers: string[]
  /** Stops and starts the same broker on the same data. Absent where the broker is not ours. */
  outage?: { stop: () => Promise<void>; start: () => Promise<void> }
  close: () => Promise<void>
}

const cacheFolder = () =>
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'assay', `kafka-${KAFKA_VERSION}`)

const answers = (command: string, args: string[]) =>
  spawnSync(command, args, { stdio: 'ignore', timeout: 20_000 }).status === 0

/** Whether a daemon answers, not merely whether a socket lies about. */
const dockerAnswers = () =>
  (process.env.DOCKER_HOST !== undefined || existsSync('/var/run/docker.sock')) &&
  answers('docker', ['version', '--format', '{{.Server.Version}}'])

/** Why no broker can be had here, or undefined when one can. Starts nothing. */
export const whyNoKafka = (): string | undefined => {
  if (process.env.KAFKA_BROKERS || dockerAnswers()) return undefined
  if (!answers('java', ['-version'])) return 'neither KAFKA_BROKERS, nor Docker, nor Java'
  if (!existsSync(cacheFolder()) && !answers('mvn', ['-version']))
    return 'neither KAFKA_BROKERS, nor Docker, nor Maven to fetch Kafka'
  return undefined
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>assay</groupId><artifactId>kafka</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${KAFKA_VERSION}</version>
  </dependency></dependencies>
</project>`

/**
 * Fetches Kafka and what it needs from Maven Central, once: later calls find it in the cache. Concurrent calls each
 * fetch into a folder of their own, and the first one finished gives it its name.
 */
export const fetchKafka = async (): Promise<string> => {
  const cache = cacheFolder()
  if (existsSync(cache)) return cache
  await mkdir(join(cache, '..'), { recursive: true })
  const folder = await mkdtemp(`${cache}-`)
  try {
    await writeFile(join(folder, 'pom.xml'), POM)
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${folder}`]
    await run('mvn', ['-B', '-q', '-f', join(folder, 'pom.xml'), ...goal], { timeout: 300_000 })
    await rename(folder, cache).catch((error: unknown) => {
      if (!existsSync(cache)) throw error
    })
    return cache
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const properties = (port: number, controller: number, data: string) =>
  Object.entries({
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controller}`,
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': data,
    'num.partitions': 1,
    'auto.create.topics.enable': false,
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'transaction.state.log.num.partitions': 4,
    'group.initial.rebalance.delay.ms': 0,
    'group.min.session.timeout.ms': 1000,
    'log.retention.check.interval.ms': 1000,
  })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')

const LOG4J = `log4j.rootLogger=WARN, stdout
log4j.appender.stdout=org.apache.log4j.ConsoleAppender
log4j.appender.stdout.layout=org.apache.log4j.PatternLayout
`

const waitForBroker = async (broker: string, alive: () => boolean, failure: () => Promise<string>) => {
  const kafka = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING, retry: { retries: 0 } })
  const end = Date.now() + START_MS
  for (;;) {
    const admin = kafka.admin()
    try {
      await admin.connect()
      await admin.describeCluster()
      return
    } catch (error) {
      if (!alive() || Date.now() > end)
        throw new Error(`Kafka did not start on ${broker}: ${await failure()}`, { cause: error })
      await new Promise((resolve) => setTimeout(resolve, 100))
    } finally {
      await admin.disconnect().catch(() => {})
    }
  }
}

const startJava = async (): Promise<KafkaBroker> => {
  const jars = join(await fetchKafka(), '*')
  const folder = await mkdtemp(join(tmpdir(), 'assay-kafka-'))
  const [port, controller] = [await freePort(), await freePort()]
  const broker = `127.0.0.1:${port}`
  const [config, output] = [join(folder, 'server.properties'), join(folder, 'output.log')]
  await writeFile(config, properties(port, controller, join(folder, 'data')))
  await writeFile(join(folder, 'log4j.properties'), LOG4J)
  const classpath = ['-cp', jars]
  // A leading byte of zeros keeps the id from beginning with a dash, which the tool would take for an option.
  const clusterId = Buffer.from(`00${crypto.randomUUID().replaceAll('-', '').slice(2)}`, 'hex').toString('base64url')
  await run('java', [...classpath, 'kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', config])

  let child: ReturnType<typeof spawn> | undefined
  const start = async () => {
    const options = [
      '-Xmx512m',
      '-Xms256m',
      '-XX:+UseSerialGC',
      `-Dlog4j.configuration=file:${join(folder, 'log4j.properties')}`,
    ]
    const started = spawn('java', [...options, ...classpath, 'kafka.Kafka', config], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (text: Buffer) => appendFile(output, text).catch(() => {}))
    const tail = async () => (await readFile(output, 'utf8').catch(() => '')).slice(-2_000)
    await waitForBroker(broker, () => started.exitCode === null, tail)
  }
  const stop = async () => {
    const stopped = child
    child = undefined
    if (!stopped || stopped.exitCode !== null) return
    const exit = once(stopped, 'exit')
    stopped.kill('SIGTERM')
    const timer = setTimeout(() => stopped.kill('SIGKILL'), 20_000)
    await exit
    clearTimeout(timer)
  }
  const killNow = () => child?.kill('SIGKILL')
  process.once('exit', killNow)
  await start()
  return {
    brokers: [broker],
    outage: { stop, start },
    close: async () => {
      process.off('exit', killNow)
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
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

/** Starts or finds a broker. @throws Error when there should be one and it does not come up; ask `whyNoKafka` first. */
export const startKafka = async (): Promise<KafkaBroker> => {
  const given = process.env.KAFKA_BROKERS
  if (given) return { brokers: given.split(','), close: async () => {} }
  if (dockerAnswers()) {
    try {
      return await startDocker()
    } catch (error) {
      if (!answers('java', ['-version'])) throw error
    }
  }
  return startJava()
}

/** A describe block around one broker, shared by its tests; skipped, with the reason in its name, where none is to be had. */
export const withKafka = (name: string, tests: (broker: () => KafkaBroker) => void): void => {
  const reason = whyNoKafka()
  describe.skipIf(reason)(reason ? `${name} on Kafka (skipped: ${reason})` : `${name} on Kafka`, () => {
    let broker: KafkaBroker | undefined
    beforeAll(async () => {
      broker = await startKafka()
    }, 400_000)
    afterAll(() => broker?.close())
    tests(() => {
      if (!broker) throw new Error('the broker is there from beforeAll on')
      return broker
    })
  })
}
