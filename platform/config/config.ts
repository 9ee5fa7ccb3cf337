/**
 * Configuration: one schema over environment variables, which override a JSON file (`ASSAY_CONFIG`) with the same names.
 * Unknown `ASSAY_*` variables and unknown names in the file are errors: silently ignoring a misspelt setting is worse than
 * refusing to start. `assay check` prints the result.
 */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { familyOf, NETWORK_CODES, type Network, networkInfo } from '../../schema/networks.ts'
import { OperatorError } from '../errors.ts'
import { kafkaProblem, kafkaSettings, retentionSettings } from './kafka.ts'
import { IGNORED, ignoredIn, isForeign, misspeltIn } from './misspelt.ts'
import { nearest } from './nearest.ts'
import { withSecretFiles } from './secret-files.ts'
import { tracingSettings } from './tracing.ts'
import { flag, integer, list, proxies, publicUrl, type Secret, secret, secretText } from './values.ts'

export { type Secret, secret }

const urls = list.pipe(
  z
    .array(
      z.url({
        protocol: /^(https?|wss?)$/,
        error: 'expected a URL that begins with http://, https://, ws:// or wss://',
      }),
    )
    .min(1, 'expected a URL'),
)
const port = integer.pipe(z.number().max(65_535))

/** One or more `limit/window` of a tier, e.g. `business:1000/min`; 0 means no limit. */
const rateLimits = list.pipe(
  z.array(
    z
      .string()
      .regex(/^(business|enterprise):\d+(\/(s|min|h))?$/, 'expected tier:count/window, with s, min or h as the window')
      .transform((text) => {
        const [tier = '', rest = ''] = text.split(':')
        const [count = '0', window = 'min'] = rest.split('/')
        const windowMs = { s: 1_000, min: 60_000, h: 3_600_000 }[window] ?? 60_000
        return { tier: tier as 'business' | 'enterprise', limit: Number(count), windowMs }
      }),
  ),
)

const bootstrapKeys = list.pipe(
  z.array(
    z
      .string()
      // No header can carry other characters, and longer keys are never accepted.
      .regex(
        /^(business|enterprise):[\x21-\x39\x3b-\x7e]{16,256}$/,
        'expected tier:KEY, with a key of 16 to 256 visible ASCII characters',
      )
      .transform((text) => {
        const [tier = '', key = ''] = text.split(':')
        return { tier: tier as 'business' | 'enterprise', key: secret(key) }
      }),
  ),
)

const sealingKeys = list.pipe(
  z.array(z.string().min(32, 'expected keys of at least 32 characters, separated by commas').transform(secret)).min(1),
)

const general = {
  /** Folder of the embedded profile: log, database, devnet, scenario. */
  ASSAY_DATA: z.string().default('./data'),
  ASSAY_HOST: z.string().default('127.0.0.1'),
  ASSAY_PORT: port.default(8080),
  /** Separate address of the agent surface; by default both surfaces share one port. */
  ASSAY_AGENT_HOST: z.string().optional(),
  ASSAY_AGENT_PORT: port.optional(),
  /** Port of health, readiness and metrics of the indexer and scorer processes. */
  ASSAY_OPS_PORT: port.default(9464),
  ASSAY_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  ASSAY_BOOTSTRAP_KEYS: bootstrapKeys.optional(),
  ASSAY_RATE_LIMITS: rateLimits.prefault('business:1000/min,enterprise:6000/min'),
  ASSAY_TLS_CERT: z.string().optional(),
  ASSAY_TLS_KEY: z.string().optional(),
  /** Addresses or CIDR ranges of proxies whose X-Forwarded-* headers are trusted. */
  ASSAY_TRUST_PROXY: proxies.optional(),
  /** Set to true to serve plain HTTP between loopback addresses. `assay up` does so unless this is set to false. */
  ASSAY_PLAIN_HTTP: flag.optional(),
  /** Maximum number of open connections per API listener. */
  ASSAY_MAX_CONNECTIONS: integer.pipe(z.number().min(1)).default(10_000),
  /** How long the API still serves after `/ready` fails at shutdown, so that load balancers notice, seconds. */
  ASSAY_DRAIN_SECONDS: integer.pipe(z.number().min(0).max(60)).default(0),
  /** Whether answers are written to the audit log; `required` refuses calls while that fails. */
  ASSAY_AUDIT_LOG: z.enum(['off', 'on', 'required']).default('off'),
  /** Days that audit log entries are kept; for ever if not set. */
  ASSAY_AUDIT_LOG_DAYS: integer.pipe(z.number().min(1).max(36_500)).optional(),
  /** Addresses that a key may watch. */
  ASSAY_WATCH_LIMIT: integer.pipe(z.number().max(1_000_000)).default(100_000),
  /** Keys that encrypt the secrets of webhooks: the first encrypts, all decrypt. Without a key no webhooks are sent. */
  ASSAY_WEBHOOK_KEY: sealingKeys.optional(),
  /** Set to true to allow webhooks to loopback addresses over plain HTTP, for tests and demonstrations. */
  ASSAY_WEBHOOK_LOOPBACK: flag.default(false),
  /** Port on 127.0.0.1 where `npm start` serves ClickHouse drivers, read-only; not opened if not set. */
  ASSAY_SQL_PORT: port.optional(),
  /** Password of that port, 16 characters or more. */
  ASSAY_SQL_PASSWORD: z.string().min(16, 'expected 16 characters or more').transform(secret).optional(),
  /** Whether the API serves the console at `/console/`. */
  ASSAY_CONSOLE: flag.default(true),
  /** Secret of console sessions; replicas behind one address need the same. Random at each start if not set. */
  ASSAY_CONSOLE_SECRET: secretText.optional(),
  /** Public URL of the agent surface, named in the agent card and in payment offers. */
  ASSAY_PUBLIC_URL: publicUrl.optional(),
  ASSAY_X402_RECEIVER: z.string().optional(),
  ASSAY_X402_FACILITATOR_URL: z.url().optional(),
  /** Key that pays gas for settlement when the facilitator runs in process. */
  ASSAY_X402_FACILITATOR_KEY: secretText.optional(),
  ASSAY_X402_RPC_URL: z.url().optional(),
  /** Networks of the separate processes; by default all with an RPC URL. */
  ASSAY_NETWORKS: list.pipe(z.array(z.enum(NETWORK_CODES))).optional(),
  /** Hours behind the head where indexing starts when no start block is given. */
  ASSAY_HISTORY_HOURS: integer.pipe(z.number().max(87_600)).default(3),
  /** The same as a number of blocks, for every network; overrides the hours. */
  ASSAY_HISTORY_BLOCKS: integer.optional(),
  /**
   * Logs of sanctions oracles, issuers and mixers, from their first block. `required`: a network is not ready before they are
   * complete. `optional`: it is (for nodes without these logs). `off`: not read. What is missing counts as unknown.
   */
  ASSAY_AUTHORITY_LOGS: z.enum(['required', 'optional', 'off']).default('required'),
  /** Whether to fetch a wallet's past, if the index starts late, when a call with `calculate: true` asks for the wallet. */
  ASSAY_WALLET_PASTS: z.enum(['on', 'off']).default('on'),
  /** How long such a call waits for the past, ms; longer fetches continue in the background. */
  ASSAY_WALLET_PASTS_WAIT_MS: integer.pipe(z.number().max(60_000)).default(3_000),
  /** Maximum number of blocks read for one wallet's past. Wallets with more blocks or transactions are sampled. */
  ASSAY_WALLET_PASTS_BLOCKS: integer.pipe(z.number().min(1).max(20_000)).default(1_000),
  /** Threads that read EVM blocks while an index catches up. Default: one per core, at most four. */
  ASSAY_INDEX_THREADS: integer.pipe(z.number().max(64)).optional(),
  /** Seconds after which the finalized block of the only responding host of several is accepted; never if not set. */
  ASSAY_LONE_FINALITY_SECONDS: integer.pipe(z.number().min(60)).optional(),
  /** ClickHouse cluster with one shard that replicates the tables. */
  ASSAY_CLUSTER: z.string().optional(),
  /** `interaction` raises the mixer flag for any use of a mixer that the wallet itself initiates. */
  ASSAY_MIXER_MODE: z.enum(['strict', 'interaction']).default('strict'),
  /** Set to false if nodes charge for it; token names and decimals are then unknown. */
  ASSAY_TOKEN_METADATA: flag.default(true),
  /** Service for the verification status of contract sources, API key in the query; not asked if not set. */
  ASSAY_SOURCES_URL: z
    .url({ protocol: /^https?$/ })
    .transform(secret)
    .optional(),
  /** Hours between the scorer's fetches of label lists; not fetched if not set. */
  ASSAY_LABELS_UPDATE_HOURS: integer.pipe(z.number().min(1).max(720)).optional(),
  /** Lists that the scorer fetches, and `assay labels update` without a name. */
  ASSAY_LABELS_LISTS: list.prefault('ofac'),
  /** JSON file with more lists, or other URLs of known ones; see `docs/labels.md`. */
  ASSAY_LABELS_CATALOGUE: z.string().optional(),
  ...kafkaSettings,
  ...retentionSettings,
  ...tracingSettings,
  CLICKHOUSE_URL: secretText.optional(),
  REDIS_URL: secretText.optional(),
}

const positive = integer.pipe(z.number().min(1))

/** Networks whose explorers have Etherscan's account module. */
const WITH_EXPLORER = NETWORK_CODES.filter((code) => networkInfo(code).dialect !== null)

const explorerUrl = z.url({ protocol: /^https?$/ }).transform(secret)

const perNetwork = Object.fromEntries(
  NETWORK_CODES.flatMap((code) => [
    [`${code}_RPC_URL`, urls.optional()],
    [`${code}_START_BLOCK`, integer.optional()],
    [`${code}_API_KEY`, secretText.optional()],
    [`${code}_REQUESTS_PER_SECOND`, positive.optional()],
    [`${code}_REQUESTS_PER_DAY`, positive.optional()],
    ...(WITH_EXPLORER.includes(code) ? [[`${code}_EXPLORER_URL`, explorerUrl.optional()] as const] : []),
  ]),
) as Record<`${Network}_RPC_URL`, z.ZodOptional<typeof urls>> &
  Record<`${Network}_START_BLOCK`, z.ZodOptional<typeof integer>> &
  Record<`${Network}_API_KEY`, z.ZodOptional<typeof secretText>> &
  Record<`${Network}_EXPLORER_URL`, z.ZodOptional<typeof explorerUrl>> &
  Record<`${Network}_REQUESTS_PER_${'SECOND' | 'DAY'}`, z.ZodOptional<typeof positive>>

const settings = z.strictObject({ ...general, ...perNetwork })

/** A network to index. */
export type ConfiguredNetwork = {
  network: Network
  urls: string[]
  startBlock?: number
  apiKey?: Secret
  /** The account module of an explorer, key included. */
  explorer?: Secret
  /** Request limits of each endpoint's plan. */
  budget?: { perSecond?: number | undefined; perDay?: number | undefined }
}

/** All settings, validated, with defaults. Unset settings without a default are absent. */
export type Config = z.output<typeof settings> & {
  /** Networks to index, with their endpoints. */
  networks: ConfiguredNetwork[]
}

const OWN_PREFIX = /^ASSAY_/
const KNOWN_NAMES = new Set(Object.keys(settings.shape))
/** Variables read elsewhere: config file, other programs, image revision, URL and key of commands, folders of tests. */
export const OTHER_VARIABLES: ReadonlySet<string> = new Set([
  'ASSAY_CONFIG',
  'ASSAY_FIXTURES',
  IGNORED,
  'ASSAY_LABELLED_DATA',
  'ASSAY_REVISION',
  'ASSAY_SOLC_DIR',
  'ASSAY_KEY',
  'ASSAY_URL',
])

/** Networks whose providers take an API key beside their URLs. */
const KEYED = NETWORK_CODES.filter((code) => familyOf(code).keyedProvider !== null)
/** Names that are only known so that their error can explain where the key belongs. */
const REFUSED_NAMES = new Set(NETWORK_CODES.filter((code) => !KEYED.includes(code)).map((code) => `${code}_API_KEY`))

/** Names of all settings. */
export const SETTING_NAMES: readonly string[] = Object.keys(settings.shape).filter((name) => !REFUSED_NAMES.has(name))

/** Settings whose value may be or contain a secret: `<NAME>_FILE` may name a file with the value. */
export const SECRET_NAMES: readonly string[] = [
  'ASSAY_BOOTSTRAP_KEYS',
  'ASSAY_WEBHOOK_KEY',
  'ASSAY_CONSOLE_SECRET',
  'ASSAY_SQL_PASSWORD',
  'ASSAY_X402_FACILITATOR_KEY',
  'ASSAY_X402_RPC_URL',
  'CLICKHOUSE_URL',
  'KAFKA_SASL_PASSWORD',
  'REDIS_URL',
  ...NETWORK_CODES.map((code) => `${code}_RPC_URL`),
  ...KEYED.map((code) => `${code}_API_KEY`),
  ...WITH_EXPLORER.map((code) => `${code}_EXPLORER_URL`),
]

const relevant = (env: NodeJS.ProcessEnv): Record<string, string> => {
  const ignored = ignoredIn(env)
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined &&
        entry[1] !== '' &&
        !OTHER_VARIABLES.has(entry[0]) &&
        (OWN_PREFIX.test(entry[0]) || KNOWN_NAMES.has(entry[0])) &&
        !isForeign(entry[0], entry[1]) &&
        (KNOWN_NAMES.has(entry[0]) || !ignored.has(entry[0])),
    ),
  )
}

const unknownSetting = (name: string): string => {
  const suggestion = nearest(name, [
    ...SETTING_NAMES,
    ...SECRET_NAMES.map((secret) => `${secret}_FILE`),
    ...OTHER_VARIABLES,
  ])
  return `unknown setting ${name}${suggestion === undefined ? '' : ` (did you mean ${suggestion}?)`}`
}

/** @throws OperatorError ASSAY_CONFIG_INVALID for misspelt names such as `ETH_RPC_ULR`, which would otherwise be ignored. */
const refuseMisspelt = (env: NodeJS.ProcessEnv): void => {
  const misspelt = misspeltIn(env, [...KNOWN_NAMES, ...SECRET_NAMES.map((name) => `${name}_FILE`)])
  if (misspelt.length === 0) return
  const list = misspelt.map(({ name, suggestion }) => `${name} (did you mean ${suggestion}?)`).join(', ')
  throw new OperatorError(
    'ASSAY_CONFIG_INVALID',
    `No setting has this name: ${list}. Nothing was started. Correct the name, or, if the variable belongs to another program, set ${IGNORED}=${misspelt.map(({ name }) => name).join(',')}.`,
  )
}

const fileValues = (path: string | undefined): Record<string, unknown> => {
  if (!path) return {}
  try {
    return z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String))
      .parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (cause) {
    throw new OperatorError(
      'ASSAY_CONFIG_INVALID',
      `The configuration file ${path} cannot be read. Nothing was started. Correct the file that ASSAY_CONFIG names.`,
      { cause },
    )
  }
}

/** @throws OperatorError ASSAY_CONFIG_INVALID naming every offending setting, never its value. */
export const loadConfig = (given: NodeJS.ProcessEnv = process.env): Config => {
  refuseMisspelt(given)
  const env = withSecretFiles(given, SECRET_NAMES)
  const parsed = settings.safeParse({ ...fileValues(env.ASSAY_CONFIG), ...relevant(env) })
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map(unknownSetting).join(', ')
        : `${String(issue.path[0] ?? 'configuration')}: ${issue.message}`,
    )
    throw new OperatorError(
      'ASSAY_CONFIG_INVALID',
      `The configuration is invalid: ${problems.join('; ')}. Nothing was started. See docs/operate/configuration.md.`,
    )
  }
  const config = parsed.data
  if ((config.ASSAY_TLS_CERT === undefined) !== (config.ASSAY_TLS_KEY === undefined)) {
    throw new OperatorError(
      'ASSAY_CONFIG_INVALID',
      'Only one of ASSAY_TLS_CERT and ASSAY_TLS_KEY is set. Nothing was started. Set both or neither.',
    )
  }
  if ((config.ASSAY_SQL_PORT === undefined) !== (config.ASSAY_SQL_PASSWORD === undefined)) {
    throw new OperatorError(
      'ASSAY_CONFIG_INVALID',
      'Only one of ASSAY_SQL_PORT and ASSAY_SQL_PASSWORD is set. Nothing was started. Set both or neither.',
    )
  }
  if (config.ASSAY_SQL_PORT !== undefined && config.CLICKHOUSE_URL) {
    throw new OperatorError(
      'ASSAY_CONFIG_INVALID',
      'ASSAY_SQL_PORT is for the embedded store, but CLICKHOUSE_URL is set. Nothing was started. Remove ASSAY_SQL_PORT and connect SQL clients to the server.',
    )
  }
  const problem = kafkaProblem(config)
  if (problem)
    throw new OperatorError(
      'ASSAY_CONFIG_INVALID',
      `${problem} Nothing was started. See docs/operate/configuration.md.`,
    )
  const keyless = NETWORK_CODES.find((code) => config[`${code}_API_KEY`] && !familyOf(code).keyedProvider)
  if (keyless) {
    throw new OperatorError(
      'ASSAY_CONFIG_INVALID',
      `${keyless}_API_KEY is set, but providers of ${keyless} expect the key in the URL. Nothing was started. Put the key into ${keyless}_RPC_URL.`,
    )
  }
  const networks = NETWORK_CODES.flatMap((network) => {
    const endpoints = config[`${network}_RPC_URL`]
    if (!endpoints) return []
    const startBlock = config[`${network}_START_BLOCK`]
    const apiKey = config[`${network}_API_KEY`]
    const explorer = config[`${network}_EXPLORER_URL`]
    const perSecond = config[`${network}_REQUESTS_PER_SECOND`]
    const perDay = config[`${network}_REQUESTS_PER_DAY`]
    const limited = perSecond !== undefined || perDay !== undefined
    return [
      {
        network,
        urls: endpoints,
        ...(startBlock !== undefined && { startBlock }),
        ...(apiKey && { apiKey }),
        ...(explorer && { explorer }),
        ...(limited && { budget: { perSecond, perDay } }),
      },
    ]
  })
  return { ...config, networks }
}
