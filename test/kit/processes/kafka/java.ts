/** Apache Kafka on this machine's Java, in KRaft mode, in its own process and folder. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../free-port.ts'
import { THOROUGH } from '../../thorough.ts'
import { fetchKafka, type KafkaLine } from './fetch.ts'
import { type Certificates, makeCertificates, scramOptions, securityProperties } from './security.ts'

const run = promisify(execFile)
const START_MS = THOROUGH ? 240_000 : 90_000

/** Ports of a broker that requires certificates or passwords, and the credentials. */
export type SecureListeners = { secure: string; mutual: string; login: string; certificates: Certificates }

export type KafkaBroker = {
  brokers: string[]
  /** Stops and starts the same broker on the same data; kills it; pauses and resumes it. Absent if the broker is not ours. */
  outage?: {
    stop: () => Promise<void>
    start: () => Promise<void>
    kill: () => Promise<void>
    halt: () => void
    resume: () => void
  }
  /** The same for the second broker, which is no controller. */
  second?: NonNullable<KafkaBroker['outage']>
  listeners?: SecureListeners
  close: () => Promise<void>
}

/** The first node is broker and controller, others are brokers. */
const properties = (
  data: string,
  { node, controller, copies }: { node: number; controller: number; copies: number },
  ports: Record<string, number>,
  protocols: Record<string, string>,
  more: Record<string, string>,
) => {
  const at = (names: string[]) => names.map((name) => `${name}://127.0.0.1:${ports[name]}`).join(',')
  const names = Object.keys(ports)
  return Object.entries({
    'process.roles': node === 1 ? 'broker,controller' : 'broker',
    'node.id': node,
    'controller.quorum.voters': `1@127.0.0.1:${controller}`,
    listeners: at(names),
    'advertised.listeners': at(names.filter((name) => name !== 'CONTROLLER')),
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'listener.security.protocol.map': [...new Set([...names, 'CONTROLLER'])]
      .map((name) => `${name}:${protocols[name] ?? 'PLAINTEXT'}`)
      .join(','),
    'log.dirs': data,
    'num.partitions': 1,
    'auto.create.topics.enable': false,
    'default.replication.factor': copies,
    'offsets.topic.replication.factor': copies,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': copies,
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

type Process = NonNullable<KafkaBroker['outage']>

/** Programs end soon: no optimizing compiler, and classes of a release are not verified again, a seventh of a start. */
const SHORT_LIVED = ['-XX:TieredStopAtLevel=1', '-XX:+UnlockDiagnosticVMOptions', '-XX:-BytecodeVerificationRemote']

/** Formats the folder of a node and starts it. */
const startNode = async (
  line: KafkaLine,
  { folder, text, port, format }: { folder: string; text: string; port: number; format: readonly string[] },
): Promise<Process> => {
  const jars = join(await fetchKafka(line), '*')
  const [config, output] = [join(folder, 'server.properties'), join(folder, 'output.log')]
  await writeFile(config, text)
  const logging = LOGGING[line]
  await writeFile(join(folder, logging.file), logging.text)
  const java = [
    '-Xmx512m',
    '-Xms256m',
    '-XX:+UseSerialGC',
    ...SHORT_LIVED,
    `-D${logging.option}=file:${join(folder, logging.file)}`,
  ]
  const classpath = ['-cp', jars]
  await run('java', [...SHORT_LIVED, ...classpath, 'kafka.tools.StorageTool', 'format', '-c', config, ...format])

  let child: ReturnType<typeof spawn> | undefined
  const start = async () => {
    const started = spawn('java', [...java, ...classpath, 'kafka.Kafka', config], { stdio: ['ignore', 'pipe', 'pipe'] })
    child = started
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (data: Buffer) => appendFile(output, data).catch(() => {}))
    const end = Date.now() + START_MS
    while (!(await accepts(port))) {
      if (started.exitCode !== null || Date.now() > end) {
        const tail = (await readFile(output, 'utf8').catch(() => '')).slice(-2_000)
        throw new Error(`Kafka did not start on port ${port}: ${tail}`)
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
  await start()
  return {
    stop: () => end('SIGTERM'),
    start,
    kill: () => end('SIGKILL'),
    halt: () => child?.kill('SIGSTOP'),
    resume: () => child?.kill('SIGCONT'),
  }
}

/** Starts a broker of a line; `secure` adds listeners for TLS and SASL to the open one, `two` a second broker. */
export const startJava = async (
  line: KafkaLine,
  { secure = false, two = false }: { secure?: boolean; two?: boolean } = {},
): Promise<KafkaBroker> => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-kafka-'))
  const protocols = secure ? { SECURE: 'SASL_SSL', MUTUAL: 'SSL', LOGIN: 'SASL_PLAINTEXT' } : {}
  const ports: Record<string, number> = {}
  for (const name of ['PLAINTEXT', 'CONTROLLER', ...Object.keys(protocols)]) ports[name] = await freePort()
  const address = (name: string) => `127.0.0.1:${ports[name]}`
  const certificates = secure ? await makeCertificates(folder) : undefined
  const { PLAINTEXT: port = 0, CONTROLLER: controller = 0 } = ports
  const more = certificates ? securityProperties(certificates) : {}
  // A leading zero byte keeps the id from beginning with a dash, which the tool would parse as an option.
  const clusterId = Buffer.from(`00${crypto.randomUUID().replaceAll('-', '').slice(2)}`, 'hex').toString('base64url')
  const format = ['-t', clusterId]
  const nodes: Process[] = []
  const brokers = [address('PLAINTEXT')]
  const copies = two ? 2 : 1
  const text = properties(join(folder, 'data'), { node: 1, controller, copies }, ports, protocols, more)
  nodes.push(await startNode(line, { folder, port, text, format: secure ? [...format, ...scramOptions()] : format }))
  const end = async () => {
    await Promise.all(nodes.map((node) => node.kill()))
    await rm(folder, { recursive: true, force: true })
  }
  if (two) {
    const own = join(folder, 'second')
    await mkdir(own)
    const beside = await freePort()
    const text = properties(join(own, 'data'), { node: 2, controller, copies }, { PLAINTEXT: beside }, {}, {})
    try {
      nodes.push(await startNode(line, { folder: own, port: beside, text, format }))
    } catch (error) {
      await end()
      throw error
    }
    brokers.push(`127.0.0.1:${beside}`)
  }
  const killNow = () => {
    for (const node of nodes) void node.kill()
  }
  process.once('exit', killNow)
  const [outage, second] = nodes
  return {
    brokers,
    ...(outage && { outage }),
    ...(second && { second }),
    ...(certificates && {
      listeners: { secure: address('SECURE'), mutual: address('MUTUAL'), login: address('LOGIN'), certificates },
    }),
    close: async () => {
      process.off('exit', killNow)
      await end()
    },
  }
}
