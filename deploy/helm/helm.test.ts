/** The chart: its schema against the settings, and what it renders against the roles. Rendering needs helm. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { loadConfig, SECRET_NAMES, SETTING_NAMES } from '../../platform/config.ts'
import { NETWORK_CODES } from '../../schema/networks.ts'
import { topics } from '../../schema/topics.ts'

const CHART = join(import.meta.dirname, 'assay')
const HELM = process.env.HELM ?? 'helm'
/** What templates/_helpers.tpl gives each role. */
const FIXED = [
  'ASSAY_HOST',
  'ASSAY_PORT',
  'ASSAY_OPS_PORT',
  'ASSAY_NETWORKS',
  'ASSAY_PUBLIC_URL',
  'ASSAY_TRUST_PROXY',
  'KAFKA_BROKERS',
]

test('every setting and every network can be given, and nothing else', () => {
  const { properties } = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8'))
  const settings: string[] = properties.settings.propertyNames.enum
  const secrets: string[] = properties.secrets.properties.keys.items.enum
  expect([...settings, ...secrets, ...FIXED].toSorted()).toEqual([...SETTING_NAMES].toSorted())
  expect(secrets).toEqual(SECRET_NAMES)
  expect(properties.networks.items.enum).toEqual(NETWORK_CODES)
  const template = readFileSync(join(CHART, 'templates/_helpers.tpl'), 'utf8')
  for (const name of FIXED.filter((one) => one !== 'ASSAY_OPS_PORT')) expect(template).toContain(`name: ${name},`)
})

test('the chart is of the version that is built', () => {
  const { version } = JSON.parse(readFileSync(join(CHART, '../../../package.json'), 'utf8'))
  expect(parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8'))).toMatchObject({ version, appVersion: version })
})

type Container = {
  image: string
  args: string[]
  env: { name: string; value: string }[]
  ports: { containerPort: number }[]
  securityContext: unknown
  readinessProbe: { httpGet: { path: string } }
}
type Rendered = {
  kind: string
  metadata: { name: string; labels: Record<string, string> }
  spec: Record<string, unknown> & {
    replicas?: number
    strategy?: unknown
    selector: { matchLabels: Record<string, string> }
    template: {
      metadata: { labels: Record<string, string> }
      spec: { containers: [Container]; securityContext: unknown; terminationGracePeriodSeconds: number }
    }
    triggers: { metadata: Record<string, string> }[]
  }
}

const reason = spawnSync(HELM, ['version', '--short']).status === 0 ? '' : ' (skipped: no helm)'

describe.skipIf(reason)(`the rendered chart${reason}`, () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-helm-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const helm = (...args: string[]) => spawnSync(HELM, args, { encoding: 'utf8' })
  const valuesIn = (values: unknown): string => {
    const file = join(folder, 'values.json')
    writeFileSync(file, JSON.stringify(values))
    return file
  }
  // A helm that go install built takes an old Kubernetes for granted.
  const template = (values: unknown) =>
    helm('template', 'trial', CHART, '--kube-version', '1.30.0', '--values', valuesIn(values))
  const render = (values: unknown): Rendered[] => {
    const { status, stdout, stderr } = template(values)
    expect({ status, stderr }).toMatchObject({ status: 0 })
    return parseAllDocuments(stdout).flatMap((document) =>
      document.contents === null ? [] : [document.toJS() as Rendered],
    )
  }
  const EVERYTHING = {
    networks: ['ETH', 'BNB', 'HAQQ'],
    settings: { ASSAY_MIXER_MODE: 'interaction', KAFKA_TLS: true, ASSAY_HISTORY_BLOCKS: 500 },
    secrets: { name: 'own', keys: ['CLICKHOUSE_URL', 'REDIS_URL', 'ETH_RPC_URL', 'BNB_RPC_URL', 'HAQQ_RPC_URL'] },
    api: { autoscaling: { enabled: true }, ingress: { enabled: true } },
    scorer: { autoscaling: { enabled: true } },
    monitoring: { enabled: true },
  }

  test('passes the linter with its own values and with everything switched on', () => {
    for (const values of [{}, EVERYTHING]) {
      const { status, stdout } = helm('lint', '--strict', CHART, '--values', valuesIn(values))
      expect({ status, stdout }).toMatchObject({ status: 0 })
    }
  })

  test.each([
    ['a network that is not one', { networks: ['DOGE'] }],
    ['a setting that is not one', { settings: { ASSAY_PROT: '1' } }],
    ['a secret among the settings', { settings: { CLICKHOUSE_URL: 'http://u:p@h' } }],
    ['a public URL without TLS', { api: { publicUrl: 'http://assay.example.com' } }],
    ['brokers without a port', { kafka: { brokers: 'kafka' } }],
  ])('refuses %s', (_, values) => {
    const { status, stderr } = template(values)
    expect({ status, stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/specifications of the schema/),
    })
  })

  test('has an indexer for each network, and roles whose settings are accepted', () => {
    const rendered = render(EVERYTHING)
    const deployments = rendered.filter(({ kind }) => kind === 'Deployment')
    expect(deployments.map(({ metadata }) => metadata.name)).toEqual([
      'trial-indexer-eth',
      'trial-indexer-bnb',
      'trial-indexer-haqq',
      'trial-api',
      'trial-scorer',
    ])
    const secrets = join(folder, 'secrets')
    mkdirSync(secrets)
    for (const key of EVERYTHING.secrets.keys)
      writeFileSync(join(secrets, key), key === 'REDIS_URL' ? 'redis://r' : 'https://u:p@h')
    for (const { metadata, spec } of deployments) {
      const {
        containers: [container],
        securityContext,
      } = spec.template.spec
      const env = Object.fromEntries(
        container.env.map(({ name, value }) => [name, value.replace('/run/secrets/assay', secrets)]),
      )
      const config = loadConfig(env)
      expect(config).toMatchObject({
        ASSAY_MIXER_MODE: 'interaction',
        KAFKA_TLS: true,
        ASSAY_HISTORY_BLOCKS: 500,
        ASSAY_HOST: '0.0.0.0',
      })
      const role = container.args[0]
      expect(config.ASSAY_NETWORKS).toHaveLength(role === 'indexer' ? 1 : 3)
      expect(container.ports[0]?.containerPort).toBe(role === 'api' ? config.ASSAY_PORT : config.ASSAY_OPS_PORT)
      expect(container.image).toBe('assay:0.2.0')
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
      // Longer than what it began (30 s) and the pause for load balancers may take together.
      expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(config.ASSAY_DRAIN_SECONDS + 30)
      expect([role, config.ASSAY_DRAIN_SECONDS]).toEqual([role, role === 'api' ? 15 : 0])
      expect(container.readinessProbe.httpGet.path).toBe('/ready')
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels)
      if (role === 'indexer') expect(spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } })
      else expect(spec.replicas, metadata.name).toBeUndefined()
    }
  })

  test('scales scorers by the queue they read, and keeps a replica of each role while nodes are drained', () => {
    const rendered = render(EVERYTHING)
    const scaled = rendered.find(({ kind }) => kind === 'ScaledObject')
    expect(scaled?.spec.triggers.map(({ metadata }) => [metadata.topic, metadata.consumerGroup])).toEqual(
      (['ETH', 'BNB', 'HAQQ'] as const).map((network) => [topics.rescore(network), `scoring.${network}`]),
    )
    expect(rendered.filter(({ kind }) => kind === 'PodDisruptionBudget')).toHaveLength(2)
    expect(rendered.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['HorizontalPodAutoscaler', 'Ingress', 'NetworkPolicy', 'PodMonitor', 'Service']),
    )
    expect(render({}).map(({ kind }) => kind)).not.toEqual(expect.arrayContaining(['ScaledObject']))
  })
})
