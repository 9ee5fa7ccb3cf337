/** Apache Kafka on this machine's Java, in KRaft mode, in a process and folder of its own. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../free-port.ts'
import { fetchKafka, type KafkaLine } from './fetch.ts'
import { type Certificates, makeCertificates, scramOptions, securityProperties } from './security.ts'

const run = promisify(execFile)
const START_MS = 90_000

/** Ports of a broker that asks for certificates or passwords, and what opens them. */
export type SecureListeners = { secure: string; mutual: string; login: string; certificates: Certificates }

export type KafkaBroker = {
  brokers: string[]
  /** Stops and starts the same broker on the same data; kills it; halts it and lets it go on. Absent where the broker is not ours. */
  outage?: {
    stop: () => Promise<void>
    start: () => Promise<void>
    kill: () => Promise<void>
    halt: () => void
    resume: () => void
  }
  listeners?: SecureListeners
  close: () => Promise<void>
}

const properties = (
  data: string,
  ports: Record<string, number>,
  protocols: Record<string, string>,
  more: Record<string, string>,
) => {
  const at = (names: string[]) => names.map((name) => `${name}://127.0.0.1:${ports[name]}`).join(',')
  const names = Object.keys(ports)
  return Object.entries({
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${ports.CONTROLLER}`,
    listeners: at(names),
    'advertised.listeners': at(names.filter((name) => name !== 'CONTROLLER')),
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'listener.security.protocol.map': names.map((name) => `${name}:${protocols[name] ?? 'PLAINTEXT'}`).join(','),
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
    ...more,
  })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

/** Kafka 3 logs through reload4j, Kafka 4 through Log4j 2. */
const LOGGING = {
  '3': {
    file: 'log4j.properties',
    option: 'log4j.configuration',
    text: 'log4j.rootLogger=WARN, stdout\nlog4j.appender.stdout=org.apache.log4j.ConsoleAppender\nlog4j.appender.stdout.layout=org.apache.log4j.PatternLayout\n',
  },
  '4': {
    file: 'log4j2.properties',
    option: 'log4j2.configurationFile',
    text: 'rootLogger.level=warn\nrootLogger.appenderRef.stdout.ref=stdout\nappender.stdout.type=Console\nappender.stdout.name=stdout\nappender.stdout.layout.type=PatternLayout\n',
  },
} as const

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

/** Starts a broker of a line; with `secure` it has listeners for TLS and SASL besides the open one. */
export const startJava = async (
  line: KafkaLine,
  { secure = false }: { secure?: boolean } = {},
): Promise<KafkaBroker> => {
  const jars = join(await fetchKafka(line), '*')
  const folder = await mkdtemp(join(tmpdir(), 'assay-kafka-'))
  const protocols = secure ? { SECURE: 'SASL_SSL', MUTUAL: 'SSL', LOGIN: 'SASL_PLAINTEXT' } : {}
  const ports: Record<string, number> = {}
  for (const name of ['PLAINTEXT', 'CONTROLLER', ...Object.keys(protocols)]) ports[name] = await freePort()
  const address = (name: string) => `127.0.0.1:${ports[name]}`
  const certificates = secure ? await makeCertificates(folder) : undefined
  const [config, output] = [join(folder, 'server.properties'), join(folder, 'output.log')]
  const more = certificates ? securityProperties(certificates) : {}
  await writeFile(config, properties(join(folder, 'data'), ports, protocols, more))
  const logging = LOGGING[line]
  await writeFile(join(folder, logging.file), logging.text)
  const java = [
    '-Xmx512m',
    '-Xms256m',
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    `-D${logging.option}=file:${join(folder, logging.file)}`,
  ]
  const classpath = ['-cp', jars]
  // A leading byte of zeros keeps the id from beginning with a dash, which the tool would take for an option.
  const clusterId = Buffer.from(`00${crypto.randomUUID().replaceAll('-', '').slice(2)}`, 'hex').toString('base64url')
  const users = secure ? scramOptions() : []
  const format = ['kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', config, ...users]
  await run('java', ['-XX:TieredStopAtLevel=1', ...classpath, ...format])

  let child: ReturnType<typeof spawn> | undefined
  const start = async () => {
    const started = spawn('java', [...java, ...classpath, 'kafka.Kafka', config], { stdio: ['ignore', 'pipe', 'pipe'] })
    child = started
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (text: Buffer) => appendFile(output, text).catch(() => {}))
    const end = Date.now() + START_MS
    while (!(await accepts(ports.PLAINTEXT ?? 0))) {
      if (started.exitCode !== null || Date.now() > end) {
        const tail = (await readFile(output, 'utf8').catch(() => '')).slice(-2_000)
        throw new Error(`Kafka did not start on ${address('PLAINTEXT')}: ${tail}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const stopped = child
    child = undefined
    if (!stopped || stopped.exitCode !== null) return
    const exit = once(stopped, 'exit')
    stopped.kill(signal)
    const timer = setTimeout(() => stopped.kill('SIGKILL'), 20_000)
    await exit
    clearTimeout(timer)
  }
  const killNow = () => child?.kill('SIGKILL')
  process.once('exit', killNow)
  await start()
  return {
    brokers: [address('PLAINTEXT')],
    outage: {
      stop: () => end('SIGTERM'),
      start,
      kill: () => end('SIGKILL'),
      halt: () => child?.kill('SIGSTOP'),
      resume: () => child?.kill('SIGCONT'),
    },
    ...(certificates && {
      listeners: { secure: address('SECURE'), mutual: address('MUTUAL'), login: address('LOGIN'), certificates },
    }),
    close: async () => {
      process.off('exit', killNow)
      await end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
