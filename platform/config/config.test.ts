import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { kafkaAccessOf } from '../bus/access/access.ts'
import { loadConfig } from './config.ts'

const LOGIN = {
  KAFKA_BROKERS: 'broker:9092',
  KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512',
  KAFKA_SASL_USERNAME: 'assay',
  KAFKA_SASL_PASSWORD: 'correct horse',
}

test('an empty environment gives the embedded setup on loopback', () => {
  const config = loadConfig({})
  expect(config).toMatchObject({ ASSAY_HOST: '127.0.0.1', ASSAY_PORT: 8080, ASSAY_DATA: './data', networks: [] })
  expect(config.ASSAY_RATE_LIMITS).toEqual([
    { tier: 'business', limit: 1000, windowMs: 60_000 },
    { tier: 'enterprise', limit: 6000, windowMs: 60_000 },
  ])
})

test('networks are those that have endpoints, in table order', () => {
  const config = loadConfig({
    BASE_RPC_URL: 'https://b.example',
    ETH_RPC_URL: 'http://a.example,wss://c.example',
    ETH_START_BLOCK: '7',
  })
  expect(config.networks).toEqual([
    { network: 'ETH', urls: ['http://a.example', 'wss://c.example'], startBlock: 7 },
    { network: 'BASE', urls: ['https://b.example'] },
  ])
})

test('provider plans and keys belong to their network', () => {
  const config = loadConfig({
    TRON_RPC_URL: 'https://api.trongrid.io',
    TRON_API_KEY: 'hunter2',
    TRON_REQUESTS_PER_SECOND: '15',
    TRON_REQUESTS_PER_DAY: '100000',
  })
  const [tron] = config.networks
  expect(tron).toMatchObject({ network: 'TRON', budget: { perSecond: 15, perDay: 100_000 } })
  expect(tron?.apiKey?.reveal()).toBe('hunter2')
  expect(JSON.stringify(config)).not.toContain('hunter2')
})

test.each([
  [{ TRON_REQUESTS_PER_DAY: '0' }, 'TRON_REQUESTS_PER_DAY'],
  [{ ETH_API_KEY: 'hunter2' }, 'Put the key into ETH_RPC_URL'],
  [{ ASSAY_PROT: '1' }, 'unknown setting ASSAY_PROT (did you mean ASSAY_PORT?)'],
  [{ ASSAY_SOMETHING_ELSE: '1' }, 'unknown setting ASSAY_SOMETHING_ELSE. Nothing'],
  [{ ETH_RPC_ULR: 'http://a.example' }, 'ETH_RPC_ULR (did you mean ETH_RPC_URL?)'],
  [{ ETH_RPC_URL_FIL: '/secret' }, 'did you mean ETH_RPC_URL_FILE?'],
  [{ KAFKA_BROKER: 'b:9092' }, 'ASSAY_IGNORED_VARIABLES=KAFKA_BROKER'],
  [{ ASSAY_AGNT_PORT: '8081' }, 'did you mean ASSAY_AGENT_PORT?'],
  [{ ASSAY_PORT: '70000' }, 'ASSAY_PORT'],
  [{ ETH_RPC_URL: 'ftp://x' }, 'ETH_RPC_URL: expected a URL that begins with http://'],
  [{ ASSAY_TLS_CERT: 'a' }, 'ASSAY_TLS_CERT and ASSAY_TLS_KEY'],
  [{ ASSAY_SQL_PORT: '8123' }, 'ASSAY_SQL_PORT and ASSAY_SQL_PASSWORD'],
  [{ ASSAY_SQL_PORT: '8123', ASSAY_SQL_PASSWORD: 'short' }, '16 characters or more'],
  [
    { ASSAY_SQL_PORT: '8123', ASSAY_SQL_PASSWORD: 'p'.repeat(16), CLICKHOUSE_URL: 'http://ch' },
    'ASSAY_SQL_PORT is for the embedded store',
  ],
  [{ KAFKA_TLS_CA: '/ca.pem' }, 'KAFKA_TLS=true'],
  [{ KAFKA_TLS: 'true', KAFKA_TLS_KEY: '/key.pem' }, 'KAFKA_TLS_CERT and KAFKA_TLS_KEY'],
  [{ KAFKA_SASL_MECHANISM: 'PLAIN', KAFKA_SASL_USERNAME: 'u' }, 'KAFKA_SASL_PASSWORD'],
  [{ KAFKA_SASL_MECHANISM: 'GSSAPI' }, 'KAFKA_SASL_MECHANISM'],
  [{ KAFKA_CLIENT: 'librdkafka' }, 'KAFKA_CLIENT'],
  [{ ASSAY_RETENTION_RESCORE_HOURS: '7d' }, 'ASSAY_RETENTION_RESCORE_HOURS'],
  [{ ASSAY_MIXER_MODE: 'loose' }, 'ASSAY_MIXER_MODE'],
  [{ ASSAY_RATE_LIMITS: 'gold:1/min' }, 'ASSAY_RATE_LIMITS'],
  [{ ASSAY_BOOTSTRAP_KEYS: 'business:short' }, 'ASSAY_BOOTSTRAP_KEYS'],
  // No request could ever bring these.
  [{ ASSAY_BOOTSTRAP_KEYS: 'business:schlüssel-mit-umlaut' }, 'visible ASCII'],
  [{ ASSAY_BOOTSTRAP_KEYS: `business:${'k'.repeat(257)}` }, '16 to 256'],
  // A trusted proxy decides the caller's address, host and protocol.
  [{ ASSAY_TRUST_PROXY: '0.0.0.0/0' }, 'ASSAY_TRUST_PROXY'],
  [{ ASSAY_TRUST_PROXY: '10.0.0.0/8,::/0' }, 'ASSAY_TRUST_PROXY'],
  [{ ASSAY_TRUST_PROXY: '::ffff:0:0/96' }, 'ASSAY_TRUST_PROXY'],
  [{ ASSAY_TRUST_PROXY: '::ffff:0.0.0.0/96' }, 'ASSAY_TRUST_PROXY'],
  [{ ASSAY_TRUST_PROXY: '10.0.0.0/33' }, 'ASSAY_TRUST_PROXY'],
  [{ ASSAY_TRUST_PROXY: 'true' }, 'ASSAY_TRUST_PROXY'],
  [{ ASSAY_PUBLIC_URL: 'http://assay.example' }, 'ASSAY_PUBLIC_URL'],
  [{ ASSAY_PUBLIC_URL: 'https://user:word@assay.example' }, 'ASSAY_PUBLIC_URL'],
  [{ ASSAY_PUBLIC_URL: 'https://assay.example/?a=b' }, 'ASSAY_PUBLIC_URL'],
  [{ ASSAY_PUBLIC_URL: 'javascript:alert(1)' }, 'ASSAY_PUBLIC_URL'],
  [{ ASSAY_PUBLIC_URL: 'nonsense' }, 'ASSAY_PUBLIC_URL'],
])('%j is refused and named', (env, named) => {
  expect(() => loadConfig(env)).toThrow(
    expect.objectContaining({ code: 'ASSAY_CONFIG_INVALID', message: expect.stringContaining(named) }),
  )
})

test.each([
  { ASSAY_TRUST_PROXY: '10.0.0.0/8, 127.0.0.1,fd00::/8,::ffff:10.0.0.0/104' },
  { ASSAY_PUBLIC_URL: 'https://assay.example:8443/risk/' },
  { ASSAY_PUBLIC_URL: 'http://localhost:8080' },
])('%j is taken', (env) => {
  expect(() => loadConfig(env)).not.toThrow()
})

test('hides secrets in messages and JSON', () => {
  const config = loadConfig({
    ASSAY_BOOTSTRAP_KEYS: 'business:0123456789abcdef0',
    CLICKHOUSE_URL: 'http://u:p@h',
    ...LOGIN,
  })
  expect(JSON.stringify(config)).not.toMatch(/0123456789abcdef0|u:p|correct horse/)
  expect(JSON.stringify(kafkaAccessOf(config))).not.toContain('correct horse')
  expect(kafkaAccessOf(config)?.login?.password.reveal()).toBe('correct horse')
  expect(config.ASSAY_BOOTSTRAP_KEYS?.[0]?.key.reveal()).toBe('0123456789abcdef0')
})

test('names a certificate that cannot be read', () => {
  const config = loadConfig({ KAFKA_BROKERS: 'broker:9092', KAFKA_TLS: 'true', KAFKA_TLS_CA: '/nowhere/ca.pem' })
  expect(() => kafkaAccessOf(config)).toThrow(
    expect.objectContaining({ code: 'ASSAY_CONFIG_INVALID', message: expect.stringContaining('/nowhere/ca.pem') }),
  )
})

test('reads a secret from a file, which must exist, not be empty and be the only source', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-config-'))
  const file = join(folder, 'url')
  writeFileSync(file, 'http://assay:word@store:8123/assay\n')
  writeFileSync(join(folder, 'empty'), '\n')
  const revealed = (env: NodeJS.ProcessEnv) => loadConfig(env).CLICKHOUSE_URL?.reveal()
  expect(revealed({ CLICKHOUSE_URL_FILE: file })).toBe('http://assay:word@store:8123/assay')
  expect(revealed({ CLICKHOUSE_URL_FILE: '', CLICKHOUSE_URL: 'http://other' })).toBe('http://other')
  for (const env of [
    { CLICKHOUSE_URL_FILE: join(folder, 'none') },
    { CLICKHOUSE_URL_FILE: join(folder, 'empty') },
    { CLICKHOUSE_URL_FILE: file, CLICKHOUSE_URL: 'http://other' },
  ]) {
    expect(() => loadConfig(env)).toThrow(
      expect.objectContaining({
        code: 'ASSAY_CONFIG_INVALID',
        message: expect.stringMatching(/CLICKHOUSE_URL_FILE(?!.*word)/),
      }),
    )
  }
  expect(() => loadConfig({ ASSAY_PORT_FILE: file })).toThrow('unknown setting ASSAY_PORT_FILE')
  rmSync(folder, { recursive: true })
})

test('ignores settings of other programs', () => {
  const others = {
    // Of Kubernetes, for services assay and assay-api.
    ASSAY_PORT: 'tcp://10.0.0.7:8080',
    ASSAY_SERVICE_HOST: '10.0.0.7',
    ASSAY_SERVICE_PORT_HTTP: '8080',
    ASSAY_PORT_8080_TCP_ADDR: '10.0.0.7',
    ASSAY_API_PORT: 'tcp://10.0.0.7:8080',
    // Of the tests, of images that run beside us, of tools of developers.
    ASSAY_TEST_SEED: '7',
    KAFKA_BROKER_ID: '1',
    KAFKA_HEAP_OPTS: '-Xmx1g',
    CLICKHOUSE_DB: 'default',
    REDIS_PASSWORD: 'x',
    ETH_KEYSTORE: '/keys',
    BASE_URL: 'https://a.example',
    MAINNET_RPC_URL: 'https://a.example',
  }
  expect(loadConfig(others)).toMatchObject({ ASSAY_PORT: 8080, networks: [] })
})

test('accepts a name that looks misspelt if the real setting is set or the name is ignored', () => {
  expect(loadConfig({ KAFKA_BROKERS: 'a:1', KAFKA_BROKER: 'b:1' }).KAFKA_BROKERS).toEqual(['a:1'])
  expect(loadConfig({ KAFKA_BROKER: 'b:1', ASSAY_IGNORED_VARIABLES: 'KAFKA_BROKER' }).KAFKA_BROKERS).toBeUndefined()
  expect(loadConfig({ ASSAY_OURS: '1', ASSAY_IGNORED_VARIABLES: 'ASSAY_OURS' }).networks).toEqual([])
})
