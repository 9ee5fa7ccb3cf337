/** The files of the composition against the settings and against each other. No container is started. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadConfig, SETTING_NAMES } from '../../platform/config/config.ts'
import { NETWORK_CODES } from '../../schema/networks.ts'
import { KAFKA_VERSIONS } from '../../test/kit/processes/kafka/fetch.ts'
import { createProgram } from '../program.ts'

const HERE = import.meta.dirname
const textOf = (file: string) => readFileSync(join(HERE, file), 'utf8')

type Service = {
  image: string
  command?: string[]
  profiles?: string[]
  environment?: Record<string, string>
  env_file?: string[]
  secrets?: string[]
  volumes?: string[]
  ports?: string[]
  networks?: string[]
  healthcheck?: { test: string[] }
  depends_on?: Record<string, { condition: string }>
  read_only?: boolean
  cap_drop?: string[]
  restart?: string
  stop_grace_period?: string
  security_opt?: string[]
  logging?: { driver: string; options: Record<string, string> }
  deploy?: { resources: { limits: { cpus: string; memory: string } } }
}
type Composition = {
  services: Record<string, Service>
  secrets: Record<string, { file: string }>
  volumes: Record<string, null>
  networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string }[] } } | null>
}
const load = (file: string): Composition => parse(textOf(file), { merge: true })

const { services, secrets, volumes, networks } = load('compose.yaml')
const ROLES = ['indexer', 'scorer', 'api']
const DOCKERFILE = readFileSync(join(HERE, '../image/Dockerfile'), 'utf8')
const EXAMPLE = textOf('settings.env.example')
const [offered = '', fixed = ''] = EXAMPLE.split('# --- Set by compose.yaml')

let folder = ''
/** The secrets of a new installation, made as its operator makes them. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-compose-'))
  cpSync(join(HERE, 'make-secrets.sh'), join(folder, 'make-secrets.sh'))
  expect(spawnSync(join(folder, 'make-secrets.sh'))).toMatchObject({ status: 0 })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Environment of a role as its container has it, with the files of secrets where they are in this test. */
const environmentOf = (role: string, settings: Record<string, string> = {}) =>
  Object.fromEntries(
    Object.entries({ ...settings, ...services[role]?.environment }).map(([name, value]) => [
      name,
      String(value)
        .replace('/run/secrets', join(folder, 'secrets'))
        .replace(/\$\{DOMAIN:-(\w+)\}/, '$1'),
    ]),
  )

test('the stop grace period of a role exceeds its shutdown deadline', () => {
  const most = loadConfig({ ASSAY_DRAIN_SECONDS: '60' }).ASSAY_DRAIN_SECONDS
  expect(() => loadConfig({ ASSAY_DRAIN_SECONDS: '61' })).toThrow()
  for (const role of ROLES) {
    const [, seconds] = /^(\d+)s$/.exec(services[role]?.stop_grace_period ?? '') ?? []
    // What it began may take 30 s besides.
    expect([role, Number(seconds) > most + 30]).toEqual([role, true])
  }
})

test('every setting is in the settings file or set by the composition', () => {
  const named = offered.match(/^#[A-Z0-9_]+(?==)/gm)?.map((name) => name.slice(1)) ?? []
  const given = fixed.match(/[A-Z][A-Z0-9_]{3,}/g)?.filter((name) => name.includes('_')) ?? []
  expect([...named, ...given].toSorted()).toEqual([...SETTING_NAMES].toSorted())
  for (const role of ROLES) expect(services[role]?.env_file).toEqual(['settings.env'])
})

test.each(ROLES)('the settings of %s are valid and point to services of the composition', (role) => {
  const endpoints = Object.fromEntries(NETWORK_CODES.map((code) => [`${code}_RPC_URL`, 'https://node.example']))
  const config = loadConfig(environmentOf(role, endpoints))
  expect(config.networks.map(({ network }) => network)).toEqual(NETWORK_CODES)
  const [host] = config.KAFKA_BROKERS?.map((broker) => broker.split(':')[0] ?? '') ?? []
  const reached = [
    host,
    new URL(config.CLICKHOUSE_URL?.reveal() ?? '').hostname,
    new URL(config.REDIS_URL?.reveal() ?? '').hostname,
  ]
  expect(reached).toEqual(['kafka', 'clickhouse', 'redis'])
  for (const name of reached) {
    expect(services[name ?? '']?.networks).toContain('data')
    expect(services[role]?.depends_on?.[name ?? '']).toEqual({ condition: 'service_healthy' })
  }
  // Others than this container ask for health and metrics.
  expect(config.ASSAY_HOST).toBe('0.0.0.0')
})

test('the API trusts only the network of the proxy, and publishes no port on the host', () => {
  const config = loadConfig(environmentOf('api'))
  expect(config.ASSAY_TRUST_PROXY).toEqual(networks.edge?.ipam?.config.map(({ subnet }) => subnet))
  const onEdge = Object.entries(services).flatMap(([name, one]) => (one.networks?.includes('edge') ? [name] : []))
  expect(onEdge).toEqual(['api', 'proxy'])
  const open = Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`))
  expect(open).toEqual([
    'proxy 80:80',
    'proxy 443:443',
    'prometheus 127.0.0.1:9090:9090',
    'grafana 127.0.0.1:3000:3000',
  ])
  expect(textOf('Caddyfile')).toContain(`reverse_proxy api:${config.ASSAY_PORT}`)
  expect(networks.data).toEqual({ internal: true })
  for (const name of ['kafka', 'clickhouse', 'redis']) expect(services[name]?.networks).toEqual(['data'])
})

test.each(Object.keys(services))('%s has limits, restarts, and rotates its log', (name) => {
  expect(services[name]).toMatchObject({
    restart: 'unless-stopped',
    security_opt: ['no-new-privileges:true'],
    logging: { driver: 'json-file', options: { 'max-size': '20m', 'max-file': '5' } },
    deploy: { resources: { limits: { cpus: expect.any(String), memory: expect.stringMatching(/^\d+[mg]$/) } } },
  })
  const checked = ROLES.includes(name) || services[name]?.healthcheck !== undefined
  expect(checked).toBe(true)
  expect(services[name]?.image).toMatch(/:[\w.${}-]+$/)
  expect(services[name]?.image).not.toMatch(/latest/)
})

test('roles have read-only file systems and no privileges', () => {
  for (const role of ROLES) {
    expect(services[role]).toMatchObject({ read_only: true, cap_drop: ['ALL'], command: [role] })
    expect(services[role]?.volumes).toBeUndefined()
  }
})

test('make-secrets.sh creates secret files once, and no password is in the files', () => {
  const made = readdirSync(join(folder, 'secrets')).toSorted()
  expect(
    Object.values(secrets)
      .map(({ file }) => file.replace('secrets/', ''))
      .toSorted(),
  ).toEqual(made)
  const used = new Set(Object.values(services).flatMap((one) => one.secrets ?? []))
  expect([...used].toSorted()).toEqual(Object.keys(secrets).toSorted())
  expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700)

  const read = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8')
  const before = made.map(read)
  expect(read('clickhouse_url')).toBe(`http://assay:${read('clickhouse_password')}@clickhouse:8123/assay`)
  expect(read('redis_users')).toContain(`user assay on >${new URL(read('redis_url')).password} ~assay:*`)
  expect(spawnSync(join(folder, 'make-secrets.sh'))).toMatchObject({ status: 0 })
  expect(made.map(read)).toEqual(before)

  for (const { environment = {} } of Object.values(services)) {
    const inline = Object.keys(environment).filter(
      (name) => /PASSWORD|SECRET|_KEY$/.test(name) && !name.endsWith('_FILE'),
    )
    expect(inline).toEqual([])
  }
})

test('every mounted file and volume exists', () => {
  for (const { volumes: mounts = [] } of [...Object.values(services), ...Object.values(load('keeper.yaml').services)]) {
    for (const mount of mounts) {
      const [source = ''] = mount.split(':')
      if (source.startsWith('.'))
        expect({ source, exists: existsSync(join(HERE, source)) }).toEqual({ source, exists: true })
      else expect(Object.keys({ ...volumes, ...load('keeper.yaml').volumes })).toContain(source)
    }
  }
})

/** Python with compose-spec from PyPI, which `.ci/run` fetches: it reads files as the Compose specification has them. */
const PYTHON = process.env.PYTHON ?? 'python3'
const READ = `
import compose_spec, sys
read = compose_spec.PyCompose.from_json(sys.stdin.read())
if sys.argv[1:] == ["whole"]: read.validate()
print(len(read.services))
`
const without = spawnSync(PYTHON, ['-c', 'import compose_spec']).status === 0 ? '' : ' (skipped: no compose-spec)'

test.skipIf(without)(
  `the files are valid in the Compose specification${without}`,
  () => {
    const read = (text: string, ...how: string[]) =>
      spawnSync(PYTHON, ['-c', READ, ...how], { input: JSON.stringify(parse(text, { merge: true })), encoding: 'utf8' })
    // With the variables as they are when nobody sets them.
    const text = textOf('compose.yaml').replaceAll(/\$\{\w+:-(\w+)\}/g, '$1')
    expect(read(text, 'whole')).toMatchObject({ status: 0, stderr: '', stdout: `${Object.keys(services).length}\n` })
    expect(read(textOf('keeper.yaml'))).toMatchObject({ status: 0, stderr: '' })
    for (const [word, other] of [
      ['condition: service_healthy', 'condition: service_helthy'],
      ['networks: [edge]', 'networks: [egde]'],
      ['memory: 2g', 'memory: 2x'],
    ] as const) {
      expect(text).toContain(word)
      expect([word, read(text.replace(word, other), 'whole').status]).toEqual([word, 1])
    }
  },
  60_000,
)

const ALL = Object.entries({ ...load('keeper.yaml').services, ...services })

test('every volume, network and secret is used, and each container has the secrets it reads', () => {
  const used = (what: 'volumes' | 'networks') =>
    new Set(ALL.flatMap(([, one]) => one[what] ?? []).map((name) => name.split(':')[0] ?? ''))
  expect([...used('volumes')].filter((name) => !name.startsWith('.')).toSorted()).toEqual(
    Object.keys({ ...volumes, ...load('keeper.yaml').volumes }).toSorted(),
  )
  expect([...used('networks')].toSorted()).toEqual(Object.keys(networks).toSorted())
  let read = 0
  for (const [name, one] of ALL) {
    const places = JSON.stringify([one.environment ?? {}, one.command ?? []]).matchAll(/\/run\/secrets\/(\w+)/g)
    for (const [, secret] of places) {
      read += 1
      expect([name, one.secrets]).toEqual([name, expect.arrayContaining([secret])])
    }
  }
  expect(read).toBeGreaterThan(8)
})

test('every service that another waits for has a health check', () => {
  const waits = [...ALL, ...Object.entries(load('keeper.yaml').services)].flatMap(([name, { depends_on: on = {} }]) =>
    Object.entries(on).map(([other, { condition }]) => ({ name, other, condition })),
  )
  expect(waits.length).toBeGreaterThan(10)
  const merged = Object.fromEntries(ALL)
  for (const { name, other, condition } of waits) {
    const checked =
      merged[other]?.healthcheck !== undefined || (ROLES.includes(other) && /^HEALTHCHECK /m.test(DOCKERFILE))
    expect({ name, other, condition, checked }).toEqual({ name, other, condition: 'service_healthy', checked: true })
  }
})

test('uses the default image of the Dockerfile, with the ports and files of the roles', () => {
  const { build, image } = services.api as Service & { build: { context: string; dockerfile: string } }
  const root = join(HERE, build.context)
  expect(readFileSync(join(root, build.dockerfile), 'utf8')).toBe(DOCKERFILE)
  for (const role of ROLES) expect(services[role]).toMatchObject({ image, build })
  // The last stage is what is built: without the embedded engine, which the composition does not use.
  expect(DOCKERFILE.match(/^FROM .*$/gm)?.at(-1)).toBe('FROM base AS roles')
  const config = loadConfig(environmentOf('api'))
  expect(/^EXPOSE (.*)$/m.exec(DOCKERFILE)?.[1]).toBe(`${config.ASSAY_PORT} ${config.ASSAY_OPS_PORT}`)
  for (const [, file = ''] of DOCKERFILE.matchAll(/"(deploy\/[\w/.]+)"/g))
    expect([file, existsSync(join(root, file))]).toEqual([file, true])
  const user = /^USER (\d+):/m.exec(DOCKERFILE)?.[1]
  expect(user).not.toBe('0')
})

test('servers have the tested versions, one version each', () => {
  const versionOf = (name: string, file = 'compose.yaml') => load(file).services[name]?.image.split(':')[1] ?? ''
  const [major, minor] = KAFKA_VERSIONS['3'].split('.')
  expect(versionOf('kafka')).toMatch(new RegExp(`^${major}\\.${minor}\\.`))
  expect(versionOf('keeper', 'keeper.yaml')).toBe(versionOf('clickhouse'))
})

test('Prometheus and Grafana find their mounted files and each other', () => {
  const mounted = (name: string) =>
    new Map(
      (services[name]?.volumes ?? [])
        .map((mount) => mount.split(':'))
        .map(([source = '', target = '']) => [target, source]),
    )
  const prometheus = mounted('prometheus')
  const { rule_files: rules } = parse(textOf('prometheus/prometheus.yml')) as { rule_files: string[] }
  const config = services.prometheus?.command?.find((one) => one.startsWith('--config.file='))?.split('=')[1] ?? ''
  expect([prometheus.get(config), ...rules.map((file) => prometheus.get(file))]).toEqual([
    './prometheus/prometheus.yml',
    '../observability/alerts.yml',
  ])
  const grafana = mounted('grafana')
  const { providers } = parse(textOf('grafana/provisioning/dashboards/assay.yaml'))
  expect(grafana.get(providers[0].options.path)).toBe('../observability/dashboards')
  expect(grafana.get('/etc/grafana/provisioning')).toBe('./grafana/provisioning')
  const { datasources } = parse(textOf('grafana/provisioning/datasources/prometheus.yaml'))
  const { hostname, port } = new URL(datasources[0].url)
  expect(services.prometheus?.ports).toEqual([`127.0.0.1:${port}:${port}`])
  expect(services[hostname]?.networks?.filter((name) => services.grafana?.networks?.includes(name))).toEqual(['watch'])
  const dashboards = join(HERE, '../observability/dashboards')
  for (const file of readdirSync(dashboards)) {
    const uids = readFileSync(join(dashboards, file), 'utf8').matchAll(/"type": "prometheus",\s*"uid": "([^"]+)"/g)
    expect(new Set([...uids].map(([, uid]) => uid))).toEqual(new Set([datasources[0].uid]))
  }
})

test('Prometheus scrapes every role at its port', () => {
  const { scrape_configs: jobs } = parse(textOf('prometheus/prometheus.yml')) as {
    scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[]
  }
  const targets = jobs.flatMap(({ static_configs: groups }) => groups.flatMap((group) => group.targets))
  const { ASSAY_OPS_PORT: ops, ASSAY_PORT: port } = loadConfig(environmentOf('api'))
  expect(targets).toEqual([`indexer:${ops}`, `scorer:${ops}`, `api:${port}`, 'clickhouse:9363'])
  for (const target of targets) expect(services[target.split(':')[0] ?? '']?.networks).toContain('data')
  expect(textOf('clickhouse/server.xml')).toContain('<port>9363</port>')
})

test('with Keeper the roles create replicated tables on the cluster that ClickHouse defines', () => {
  const added = load('keeper.yaml').services
  for (const role of ROLES) {
    const cluster = added[role]?.environment?.ASSAY_CLUSTER
    expect(cluster).toBe('assay')
    expect(textOf('clickhouse/cluster.xml')).toContain(`<${cluster}>\n            <shard>`)
    expect(loadConfig({ ...environmentOf(role), ...added[role]?.environment }).ASSAY_CLUSTER).toBe('assay')
  }
})

test('the commands of the guide are commands', () => {
  const guide = readFileSync(join(HERE, '../../docs/operate/running-with-compose.md'), 'utf8')
  const commands = [...guide.matchAll(/docker compose .*run --rm (\S+) ([^`\n]+)/g)]
  expect(commands.length).toBeGreaterThan(1)
  for (const [, service = '', line = ''] of commands) {
    expect(ROLES).toContain(service)
    const [first, second] = line.split(' ')
    const command = createProgram().commands.find((one) => one.name() === first)
    expect(command, line).toBeDefined()
    if (command?.commands.length) expect(command.commands.map((one) => one.name())).toContain(second)
  }
})
