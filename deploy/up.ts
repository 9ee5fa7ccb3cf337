/**
 * `npm start`: everything in one process. The API runs on the main thread, scorer and indexer on worker threads, with the
 * embedded bus and store in `ASSAY_DATA`. Without RPC settings a local chain is started for the demonstration.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../platform/config/config.ts'
import { loadConfig } from '../platform/config/config.ts'
import type { Context } from '../platform/context/context.ts'
import { historyLines, showCatchingUp } from './command-line/catching-up.ts'
import { loadDemo } from './load-demo.ts'
import { preflight } from './preflight/preflight.ts'
import { serveAnalysts } from './process/analyst-port.ts'
import { serveStore } from './process/store-socket.ts'
import { type RoleThread, startRoleThread } from './process/thread.ts'
import { startApi } from './roles/api.ts'

/** API keys that `npm start` creates for local use, one per tier. */
export type DemoKeys = { business: string; enterprise: string }

const KEYS_RECHECK_MS = 60_000

const say = (line = '') => process.stdout.write(`${line}\n`)

/** Writes a secret for its owner only, whole or not at all: a full disk would leave a part of a key, which would pass for the key. */
const writeSecret = (file: string, text: string): void => {
  writeFileSync(`${file}.part`, text, { mode: 0o600 })
  renameSync(`${file}.part`, file)
}

/** Keys of an earlier start, or new ones, in a file that only its owner can read. */
const demoKeys = (dataDir: string): DemoKeys => {
  const file = join(dataDir, 'keys.json')
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DemoKeys
  } catch {
    const fresh = () => `demo-${randomBytes(24).toString('base64url')}`
    const keys = { business: fresh(), enterprise: fresh() }
    writeSecret(file, JSON.stringify(keys))
    return keys
  }
}

/** Key that encrypts webhook secrets in the store, in a file that only its owner can read. */
const webhookKey = (dataDir: string): string => {
  const file = join(dataDir, 'webhook-key')
  try {
    return readFileSync(file, 'utf8')
  } catch {
    const key = randomBytes(32).toString('base64url')
    writeSecret(file, key)
    return key
  }
}

const withSettings = (settings: Record<string, string>): Config => loadConfig({ ...process.env, ...settings })

const showUsage = (
  url: string,
  keys: DemoKeys | undefined,
  example: string | undefined,
  console: string | undefined,
) => {
  say(`\nAPI       ${url}   (page: ${url}/docs, schema: ${url}/openapi.json, metrics: ${url}/metrics)`)
  if (console) say(`Console   ${url}${console}   (one-time sign-in link, valid for ten minutes)`)
  if (keys) {
    say(`Keys      business    ${keys.business}`)
    say(`          enterprise  ${keys.enterprise}`)
  }
  const address = example ?? '0x...'
  const key = keys?.business ?? '$KEY'
  say('\nTry it:')
  say(
    `  curl -s ${url}/fraud/check -H 'x-api-key: ${key}' -H 'content-type: application/json' \\\n    -d '{"network": "ETH", "walletAddress": "${address}"}'`,
  )
  say(
    `  curl -s ${url}/fraud/check -H 'x-api-key: ${key}' -H 'content-type: application/json' \\\n    -d '{"network": "ETH", "walletAddress": "${address}", "calculate": true}'`,
  )
  if (example) say('  npm run assay -- demo --check')
  say('\nPress Ctrl-C to stop. The next start resumes from here.')
}

const demonstrate = async (context: Context, dataDir: string) => {
  const { startDemonstration } = await loadDemo(() => import('./demo/demonstration.ts'))
  return startDemonstration(context, dataDir, say)
}

/** Starts all parts in order of their dependencies. `done` settles when any part has ended. */
export const startUp = async (context: Context, config: Config): Promise<{ done: Promise<unknown> }> => {
  const startedAt = context.clock.now()
  await preflight(context, config, say)
  if (config.networks.length > 0) for (const line of historyLines(config)) say(line)
  const demo = config.networks.length === 0 ? await demonstrate(context, config.ASSAY_DATA) : undefined
  const keys = config.ASSAY_BOOTSTRAP_KEYS ? undefined : demoKeys(config.ASSAY_DATA)
  const settings: Record<string, string> = {
    ...demo?.settings,
    ...(keys && { ASSAY_BOOTSTRAP_KEYS: `business:${keys.business},enterprise:${keys.enterprise}` }),
    ...(!config.ASSAY_WEBHOOK_KEY && { ASSAY_WEBHOOK_KEY: webhookKey(config.ASSAY_DATA) }),
    // Webhook endpoints of the demonstration are on this machine.
    ...(demo && { ASSAY_WEBHOOK_LOOPBACK: 'true' }),
    // Plain HTTP is allowed on this machine, unless TLS, a proxy or the setting itself is configured.
    ...(config.ASSAY_PLAIN_HTTP === undefined &&
      !config.ASSAY_TLS_CERT &&
      !config.ASSAY_TRUST_PROXY?.length && { ASSAY_PLAIN_HTTP: 'true' }),
    // Keeps the terminal readable: only warnings and errors are logged unless a level is set.
    ASSAY_LOG_LEVEL: process.env.ASSAY_LOG_LEVEL ?? 'warn',
  }
  const threads: RoleThread[] = []
  // No other process can write to an embedded store, so keys change only through this one.
  const tuning = config.CLICKHOUSE_URL ? {} : { keysRefreshMs: KEYS_RECHECK_MS }
  const api = await startApi(context, withSettings(settings), { tuning })
  await serveStore(context, config, { written: api.api.written })
  const sqlPort = await serveAnalysts(context, config)
  if (sqlPort !== undefined) say(`SQL       http://127.0.0.1:${sqlPort} for ClickHouse clients (docs/use/analysts.md)`)
  const startThread = async (role: 'scorer' | 'indexer') => {
    const thread = await startRoleThread(context, role, settings)
    context.metrics.join(thread.metrics)
    threads.push(thread)
  }
  await startThread('scorer')
  // After a crash the scenario is played again from the start. The indexer starts afterwards so that it does not see both.
  const scenario = await demo?.played
  await startThread('indexer')
  const [url = ''] = api.urls
  writeFileSync(join(config.ASSAY_DATA, 'api.json'), JSON.stringify({ url }))
  const key = keys?.enterprise ?? config.ASSAY_BOOTSTRAP_KEYS?.[0]?.key.reveal()
  await demo?.showVerdicts(url, key ?? '')
  if (demo) say(`Verdicts were ready ${((context.clock.now() - startedAt) / 1_000).toFixed(1)} s after the start.`)
  const example = scenario?.entries.find(({ expect }) => expect.status === 'Fraud')?.address
  showUsage(url, keys, example, key && api.api.consoleLink(key))
  if (!demo) {
    const { clock, lifecycle } = context
    void showCatchingUp({ status: api.status, clock, signal: lifecycle.signal, out: process.stdout })
  }
  return { done: Promise.race([api.done, ...(demo ? [demo.done] : []), ...threads.map(({ done }) => done)]) }
}
