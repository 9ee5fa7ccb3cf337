/**
 * The chart: its schema against the settings, and what it renders against the roles and the schemas of Kubernetes. Rendering needs
 * helm (or HELM, its path), the schemas of Kubernetes kubernetes-validate from PyPI (or KUBERNETES_VALIDATE), those of operators a folder
 * that `.ci/fetch-operator-schemas` prints (OPERATOR_SCHEMAS). `.ci/run` fetches all of them.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { loadConfig, SECRET_NAMES, SETTING_NAMES } from '../../platform/config/config.ts'
import { NETWORK_CODES } from '../../schema/networks.ts'
import { topics } from '../../schema/topics.ts'

const CHART = join(import.meta.dirname, 'assay')
const HELM = process.env.HELM ?? 'helm'
const VALIDATE = process.env.KUBERNETES_VALIDATE ?? 'kubernetes-validate'
/** The oldest and the newest Kubernetes whose schemas are compared. */
const KUBERNETES = ['1.25', '1.37']
/** Resources of operators, which the schemas of Kubernetes do not have. */
const OF_OPERATORS = [
  'ClickHouseInstallation',
  'Kafka',
  'KafkaNodePool',
  'PodMonitor',
  'PrometheusRule',
  'ScaledObject',
]
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

/** A schema that refuses what it does not name: a server drops it without a word. */
const strict = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(strict)
  if (typeof schema !== 'object' || schema === null) return schema
  // Patterns with flags of Go are left out.
  const known = Object.entries(schema).filter(([name, value]) => name !== 'pattern' || !String(value).includes('(?'))
  const closed = Object.fromEntries(known.map(([name, value]) => [name, strict(value)]))
  return 'properties' in schema && 'type' in schema ? { additionalProperties: false, ...closed } : closed
}
/** The schema in a file, or that of the first version in a definition. */
const schemaIn = (file: string): object => {
  const schema = parse(readFileSync(file, 'utf8'))
  const served = schema.kind === 'CustomResourceDefinition' ? schema.spec.versions : undefined
  return strict(served ? served[0].schema.openAPIV3Schema : schema) as object
}

test('exactly the settings and networks of Assay can be set', () => {
  const { properties } = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8'))
  const settings: string[] = properties.settings.propertyNames.enum
  const secrets: string[] = properties.secrets.properties.keys.items.enum
  expect([...settings, ...secrets, ...FIXED].toSorted()).toEqual([...SETTING_NAMES].toSorted())
  expect(secrets).toEqual(SECRET_NAMES)
  expect(properties.networks.items.enum).toEqual(NETWORK_CODES)
  const template = readFileSync(join(CHART, 'templates/_helpers.tpl'), 'utf8')
  for (const name of FIXED.filter((one) => one !== 'ASSAY_OPS_PORT')) expect(template).toContain(`name: ${name},`)
})

test('the chart has the version of the package', () => {
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
  const OPERATORS = { kafka: { strimzi: { enabled: true } }, clickhouse: { altinity: { enabled: true } } }
  const EVERYTHING = {
    networks: ['ETH', 'BNB', 'HAQQ'],
    settings: { ASSAY_MIXER_MODE: 'interaction', KAFKA_TLS: true, ASSAY_HISTORY_BLOCKS: 500 },
    secrets: { name: 'own', keys: ['CLICKHOUSE_URL', 'REDIS_URL', 'ETH_RPC_URL', 'BNB_RPC_URL', 'HAQQ_RPC_URL'] },
    api: { autoscaling: { enabled: true }, ingress: { enabled: true } },
    scorer: { autoscaling: { enabled: true } },
    monitoring: { enabled: true },
  }

  test('passes the linter with default values and with everything enabled', () => {
    for (const values of [{}, EVERYTHING, OPERATORS]) {
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
    ['a misspelt switch', { scorer: { autoscaling: { enable: true } } }],
    ['a size without a unit', { clickhouse: { altinity: { enabled: true, storage: '500' } } }],
  ])('refuses %s', (_, values) => {
    const { status, stderr } = template(values)
    expect({ status, stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/specifications of the schema/),
    })
  })

  test('has an indexer per network, and roles with valid settings', () => {
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

  test('scales scorers by their queue, and keeps a replica of each role during node drains', () => {
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

  test('passes numbers with many digits through unchanged', () => {
    const file = join(folder, 'numbers.yaml')
    writeFileSync(file, 'settings: { ETH_START_BLOCK: 19000000, ASSAY_HISTORY_BLOCKS: 12345678 }')
    const { stdout } = helm('template', 'trial', CHART, '--kube-version', '1.30.0', '--values', file)
    const settings = parseAllDocuments(stdout)
      .map((document) => document.toJS() as Rendered | null)
      .filter((one) => one?.kind === 'Deployment')
      .map((one) => one?.spec.template.spec.containers[0]?.env ?? [])
    expect(settings).toHaveLength(3)
    for (const env of settings) {
      const { ETH_START_BLOCK, ASSAY_HISTORY_BLOCKS } = loadConfig(
        Object.fromEntries(env.flatMap(({ name, value }) => (/_BLOCKS?$/.test(name) ? [[name, value]] : []))),
      )
      expect({ ETH_START_BLOCK, ASSAY_HISTORY_BLOCKS }).toEqual({
        ETH_START_BLOCK: 19_000_000,
        ASSAY_HISTORY_BLOCKS: 12_345_678,
      })
    }
  })

  test('creates operator resources for Kafka and ClickHouse on request, with the settings of Docker Compose', () => {
    const rendered = render({ ...OPERATORS, scorer: { autoscaling: { enabled: true } } })
    const of = (kind: string) => rendered.find((one) => one.kind === kind)
    const brokers = rendered
      .filter(({ kind }) => kind === 'Deployment')
      .map(({ spec }) => spec.template.spec.containers[0]?.env.find(({ name }) => name === 'KAFKA_BROKERS')?.value)
    // The service that Strimzi makes for a cluster of this name.
    expect(new Set(brokers)).toEqual(new Set([`${of('Kafka')?.metadata.name}-kafka-bootstrap:9092`]))
    expect(of('ScaledObject')?.spec.triggers[0]?.metadata.bootstrapServers).toBe(brokers[0])
    expect(of('KafkaNodePool')?.metadata.labels['strimzi.io/cluster']).toBe(of('Kafka')?.metadata.name)
    expect(of('Kafka')?.spec).toMatchObject({
      kafka: {
        config: { 'default.replication.factor': 3, 'min.insync.replicas': 2, 'auto.create.topics.enable': false },
      },
    })
    const compose = join(CHART, '../../compose')
    const clickhouse = of('ClickHouseInstallation')?.spec as unknown as {
      configuration: { users: Record<string, unknown> }
      templates: { podTemplates: { spec: { containers: { image: string }[] } }[] }
    }
    const grants = [...readFileSync(join(compose, 'clickhouse/grants.xml'), 'utf8').matchAll(/<query>(.*)<\/query>/g)]
    expect(clickhouse.configuration.users['assay/grants/query']).toEqual(grants.map(([, query]) => query))
    expect(clickhouse.configuration.users['assay/k8s_secret_password']).toBe('assay/clickhouse-password')
    expect(clickhouse.templates.podTemplates[0]?.spec.containers[0]?.image).toBe(
      parse(readFileSync(join(compose, 'compose.yaml'), 'utf8'), { merge: true }).services.clickhouse.image,
    )
    // Operators hand labels on to pods, and the policies of the roles would hold for them too.
    const policed = Object.keys(of('NetworkPolicy')?.spec.podSelector as object)
    expect(policed).toEqual(['matchLabels'])
    for (const kind of ['ClickHouseInstallation', 'Kafka', 'KafkaNodePool'])
      expect(Object.keys(of(kind)?.metadata.labels ?? {}).filter((name) => name.startsWith('app.'))).toEqual([])
    expect(render({}).map(({ kind }) => kind)).not.toEqual(expect.arrayContaining(['Kafka', 'ClickHouseInstallation']))
  })

  test('contains the rules and dashboards of deploy/observability', () => {
    const files = join(CHART, '../../observability')
    const rendered = render({ ...EVERYTHING, monitoring: { enabled: true, labels: { release: 'prometheus' } } })
    const rule = rendered.find(({ kind }) => kind === 'PrometheusRule')
    expect(rule?.spec).toEqual(parse(readFileSync(join(files, 'alerts.yml'), 'utf8')))
    expect(rule?.metadata.labels).toEqual({ release: 'prometheus' })
    const { data } = rendered.find(({ kind }) => kind === 'ConfigMap') as unknown as { data: Record<string, string> }
    const dashboards = readdirSync(join(files, 'dashboards'))
    expect(Object.keys(data).toSorted()).toEqual(dashboards.toSorted())
    for (const name of dashboards) expect(data[name]).toBe(readFileSync(join(files, 'dashboards', name), 'utf8'))
    // What the alerts know a role by.
    const monitor = rendered.find(({ kind }) => kind === 'PodMonitor')?.spec as unknown as { jobLabel: string }
    const deployment = rendered.find(({ kind }) => kind === 'Deployment')
    expect(deployment?.spec.template.metadata.labels[monitor.jobLabel]).toBe('assay')
  })

  test('matches the guide: values, secret and commands', () => {
    const guide = readFileSync(join(CHART, '../../../docs/operate/running-on-kubernetes.md'), 'utf8')
    const values = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => parse(text))
    const [own, withOperators] = values
    expect(values).toHaveLength(2)
    const secret = /create secret generic (\S+)/.exec(guide)?.[1]
    const literals = [...guide.matchAll(/--from-literal=([\w-]+)=/g)].map(([, name]) => name)
    expect(own.secrets).toEqual({ name: secret, keys: literals.filter((name) => name !== 'clickhouse-password') })
    const rendered = { ...own, ...withOperators }
    const names = helm('template', 'main', CHART, '--kube-version', '1.30.0', '--values', valuesIn(rendered)).stdout
    const [, deployment] = /exec deploy\/(\S+) -- node deploy\/assay.js keys create/.exec(guide) ?? []
    expect(names).toContain(`name: ${deployment}\n`)
    const [, pod] = /exec chi-(\S+)-assay-0-0-0 /.exec(guide) ?? []
    expect(parseAllDocuments(names).map((one) => one.toJS())).toContainEqual(
      expect.objectContaining({ kind: 'ClickHouseInstallation', metadata: { name: pod } }),
    )
    expect(guide).toContain(`@clickhouse-${pod}:8123/assay`)
  })

  const schemas = process.env.OPERATOR_SCHEMAS ?? ''
  const noSchemas = existsSync(schemas) ? '' : ' (skipped: no OPERATOR_SCHEMAS)'
  let rendered: Rendered[] | undefined
  describe.each(OF_OPERATORS)('an object of kind %s', (kind) => {
    const isOurs = kind === 'ClickHouseInstallation'
    test.skipIf(!isOurs && noSchemas)(`has no field that its operator does not know${isOurs ? '' : noSchemas}`, () => {
      const folder = isOurs ? join(import.meta.dirname, 'schemas') : schemas
      const file = readdirSync(folder).find((name) => name.startsWith(`${kind}.`)) ?? ''
      const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(
        schemaIn(join(folder, file)),
      )
      rendered ??= render({ ...EVERYTHING, ...OPERATORS })
      const object = rendered.find((one) => one.kind === kind)
      const errorsOf = (value: unknown) => {
        validate(value)
        return (
          validate.errors?.map(
            ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
          ) ?? []
        )
      }
      expect(errorsOf(object)).toEqual([])
      expect(errorsOf({ ...object, spec: { ...object?.spec, misspelt: true } })).toHaveLength(1)
    })
  })

  const without = spawnSync(VALIDATE, ['--version']).status === 0 ? '' : ' (skipped: no kubernetes-validate)'
  describe.skipIf(without)(`the schemas of Kubernetes${without}`, () => {
    const validate = (version: string, text: string) => {
      const file = join(folder, 'rendered.yaml')
      writeFileSync(file, text)
      const { status, stdout, stderr } = spawnSync(VALIDATE, ['-k', version, '--strict', file], { encoding: 'utf8' })
      const unknown = [...`${stdout}${stderr}`.matchAll(/Couldn't find schema for kind (\w+)/g)].map(([, kind]) => kind)
      const checked = [...`${stdout}${stderr}`.matchAll(/ passed for resource (\S+)\//g)].map(([, kind]) => kind)
      return { status, unknown, checked }
    }

    test.each(KUBERNETES)(
      'accept every object of the chart in Kubernetes %s',
      (version) => {
        const text = [{}, { ...EVERYTHING, ...OPERATORS }].map((values) => template(values).stdout).join('')
        const kinds = parseAllDocuments(text).flatMap((one) =>
          one.contents === null ? [] : [one.toJS().kind as string],
        )
        const { status, unknown, checked } = validate(version, text)
        expect(status).toBe(0)
        // What the operator of ClickHouse makes pods and claims of, which its own schema leaves open.
        const installation = parseAllDocuments(text)
          .map((one) => one.toJS() as Rendered | null)
          .find((one) => one?.kind === 'ClickHouseInstallation')
        const templates = (installation?.spec.templates ?? {}) as Record<string, { spec: object }[]>
        const { podTemplates, volumeClaimTemplates } = templates
        const made = [
          { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: podTemplates?.[0]?.spec },
          {
            apiVersion: 'v1',
            kind: 'PersistentVolumeClaim',
            metadata: { name: 'a' },
            spec: volumeClaimTemplates?.[0]?.spec,
          },
        ]
        for (const one of made) expect(validate(version, JSON.stringify(one))).toMatchObject({ status: 0, unknown: [] })
        expect(unknown.toSorted()).toEqual(kinds.filter((kind) => OF_OPERATORS.includes(kind)).toSorted())
        expect(checked).toHaveLength(kinds.length - unknown.length)
      },
      120_000,
    )

    test('refuse an object with a misspelt field or a wrong type', () => {
      const { stdout } = template({})
      for (const broken of [
        stdout.replace('readinessProbe:', 'readynessProbe:'),
        stdout.replace('replicas: 1', "replicas: 'one'"),
      ]) {
        expect(broken).not.toBe(stdout)
        expect(validate('1.30', broken).status).not.toBe(0)
      }
    }, 120_000)
  })
})
