/**
 * The experiment of somebody who knows nothing of our code: an installation is pointed at a chain of twenty million blocks, indexes the
 * newest of them, and is asked about people from the first moment its API listens, for all operations. Nothing new happens on the
 * chain, so no answer may turn.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NetworkStatus } from '../../../api/http/ops.ts'
import { createContext } from '../../../deploy/process/process.ts'
import { startApi } from '../../../deploy/roles/api.ts'
import { startRole } from '../../../deploy/roles/start.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import type { Context } from '../../../platform/context/context.ts'
import { create, pay, sanction } from '../../kit/chain/mainnet/actions.ts'
import { createMainnet, type Mainnet } from '../../kit/chain/mainnet/chain.ts'
import { PLANS } from '../../kit/chain/mainnet/limits.ts'
import { type MainnetNode, startMainnetNode } from '../../kit/chain/mainnet/node.ts'
import { addressOf, createSchedule, type Resident } from '../../kit/chain/mainnet/residents.ts'
import { contractOf } from '../../kit/chain/mainnet/transactions.ts'
import { counted } from '../../kit/context.ts'
import { freePort } from '../../kit/free-port.ts'
import { copyTemplate, storeTemplate } from '../../kit/store/store-template.ts'
import { sized, THOROUGH } from '../../kit/thorough.ts'
import { until as untilWithin } from '../../kit/until.ts'

const HEIGHT = 20_000_000
const HISTORY = 100
const KEY = 'enterprise-key-of-the-test'
/** At night answers are looked at more often, for turns that last a moment. */
const EVERY_MS = sized(500, 200)
const until: typeof untilWithin = (what, check) => untilWithin(what, check, 200_000)

/** What an answer of each operation claims of a wallet. */
const CLAIMS: Record<string, readonly string[]> = {
  '/fraud/check': ['status', 'probabilityFraud', 'forensic_details', 'sanctionData'],
  '/fraud/audit': ['status', 'probabilityFraud', 'forensic_details'],
  '/segmentation/wallet-segment': ['walletQuality', 'categories'],
  '/users/credit-score': ['creditData'],
  '/rug/pull-check': [
    'status',
    'probabilityFraud',
    'risk_score',
    'risk_indicators',
    'forensic_details',
    'contractCreatorAddress',
  ],
}
const WHO: readonly Resident[] = ['listed', 'thief', 'clean']
/** What answers about contracts claim, of one that a sanctioned wallet created and of another's. */
const ON_CONTRACTS = '/rug/pull-check'
const CREATORS: readonly Resident[] = ['listed', 'clean']

/** When a record was made is no claim. */
const withoutTimes = (key: string, value: unknown) => (/^(created|updated)At$/.test(key) ? undefined : value)

type Seen = { path: string; who: string; status: number; error: unknown; claim: string }

let chain: Mainnet
let node: MainnetNode
let data: string
let contexts: Context[] = []

beforeAll(async () => {
  const headTime = Math.floor(Date.now() / 1_000) - 3_600
  const contracts = CREATORS.map((name) => ({ block: HEIGHT - 10, ...create(name) }))
  chain = await createMainnet({ height: HEIGHT, schedule: [...createSchedule(HEIGHT), ...contracts], headTime })
  node = await startMainnetNode(chain)
  data = mkdtempSync(join(tmpdir(), 'assay-late-'))
  copyTemplate(await storeTemplate(), join(data, 'store'))
})
const stop = async () => {
  for (const { lifecycle } of contexts.toReversed()) await lifecycle.close()
  contexts = []
}
afterAll(async () => {
  await stop()
  await node?.stop()
  if (data) rmSync(data, { recursive: true, force: true })
})

/** An API that listens; its indexer and scorer are started by whoever wants them. */
const install = async () => {
  const config = loadConfig({
    ASSAY_DATA: data,
    ASSAY_PORT: String(await freePort()),
    ASSAY_PLAIN_HTTP: 'true',
    ASSAY_BOOTSTRAP_KEYS: `enterprise:${KEY}`,
    ETH_RPC_URL: node.url,
    ASSAY_HISTORY_BLOCKS: String(HISTORY),
    ASSAY_WALLET_PASTS_WAIT_MS: '60000',
  })
  const context = (role: string): Context => {
    const made = createContext({ ASSAY_LOG_LEVEL: 'silent' }, role)
    contexts.push(made)
    return made
  }
  const api = await startApi(context('api'), config)
  const [url = ''] = api.urls
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': KEY },
      body: JSON.stringify({ network: 'ETH', ...body }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return {
    post,
    status: async () => {
      const { networks } = (await (await fetch(`${url}/status`)).json()) as { networks: NetworkStatus[] }
      return networks[0] as NetworkStatus
    },
    start: async (role: 'scorer' | 'indexer') => {
      const own = context(role)
      await startRole(role, own, config)
      return own
    },
  }
}
type Installation = Awaited<ReturnType<typeof install>>

/** What somebody created with the last transaction. */
const createdBy = (name: string): string => contractOf(name, chain.account(addressOf(name), HEIGHT).nonce - 1)

/** Asks for everything about everybody, over and over, until told to end. */
const observe = ({ post }: Installation, who: readonly string[] = WHO) => {
  const seen: Seen[] = []
  const ask = async (path: string, name: string) => {
    const walletAddress = path === ON_CONTRACTS ? createdBy(name) : addressOf(name)
    const { status, body } = await post(path, { walletAddress })
    const claim = JSON.stringify(
      (CLAIMS[path] ?? []).map((field) => body[field]),
      withoutTimes,
    )
    seen.push({ path, who: name, status, error: body.error, claim })
  }
  let over = false
  const asking = (async () => {
    while (!over) {
      const pause = sleep(EVERY_MS)
      for (const path of Object.keys(CLAIMS)) {
        const some = path === ON_CONTRACTS ? who.filter((name) => CREATORS.some((one) => one === name)) : who
        await Promise.all(some.map((name) => ask(path, name)))
      }
      await pause
    }
  })()
  asking.catch(() => undefined)
  return {
    seen,
    answered: (times: number) => seen.filter(({ status }) => status === 200).length >= times,
    end: async () => {
      over = true
      await asking
      return seen
    },
  }
}

/** Answers about the same, one after the other, without those that repeat the one before and those that give none (503). */
const turnsOf = (seen: readonly Seen[]): string[][] => {
  const turns = new Map<string, string[]>()
  for (const { path, who, status, claim } of seen) {
    if (status === 503) continue
    const key = `${path} ${who}`
    const said = `${key}: ${status} ${claim}`
    const before = turns.get(key) ?? []
    if (before.at(-1) !== said) turns.set(key, [...before, said])
  }
  return [...turns.values()]
}

test('answers of an index of the newest blocks stay the same while it catches up, and old sanctions are found', async () => {
  let held = true
  node.limits = {
    ...PLANS.infura,
    onPost: (calls) => {
      if (held && calls.some(({ method }) => method === 'eth_getLogs')) throw new Error('the line is dead')
    },
  }
  const installation = await install()
  const { post, start, status } = installation
  const observation = observe(installation)
  const scorer = await start('scorer')
  await start('indexer')
  await until('the blocks are stored and their wallets scored, without any log of an authority', async () => {
    const { stored } = await status()
    return stored === HEIGHT && (await counted(scorer, 'assay_scored_records_total')) > 20
  })
  held = false
  await until('it has caught up', async () => (await status()).catchingUp === undefined)
  const answers = observation.seen.length
  const rugs = (name: Resident) =>
    observation.seen.filter(({ path, who, status }) => path === ON_CONTRACTS && who === name && status === 200)
  await until(
    'everything was answered some times',
    () => observation.answered(4 * WHO.length * 4) && CREATORS.every((name) => rugs(name).length > 2),
  )
  const seen = await observation.end()

  expect(turnsOf(seen).filter(({ length }) => length > 1)).toEqual([])
  expect(seen.slice(0, answers).some(({ error }) => error === 'CATCHING_UP')).toBe(true)
  const found = async (name: Resident, more: object = {}) =>
    (await post('/fraud/check', { walletAddress: addressOf(name), ...more })).body
  expect(await found('listed')).toMatchObject({ status: 'Fraud', forensic_details: { sanctioned: '1' } })
  expect(await found('frozen')).toMatchObject({ status: 'Fraud', forensic_details: { blacklist_doubt: '1' } })
  // What others create is not held against somebody whom the index has not seen before.
  const claims = Object.fromEntries(CREATORS.map((name) => [name, JSON.parse(rugs(name)[0]?.claim ?? '[]')]))
  expect([claims.listed[0], claims.clean[0]]).toEqual(['Fraud', 'Not Fraud'])
  expect(claims.clean[1]).toBeLessThan(claims.listed[1] / 2)
  // Twenty million blocks, 10,000 results a call.
  expect(node.counts.calls.get('eth_getLogs')).toBeLessThan(120)

  // What lies before the index is called unknown until somebody wants it to be fetched.
  const { body } = await post('/fraud/explain', { walletAddress: addressOf('thief') })
  expect(body.coverage).toMatchObject({ wallet: { past: 'unknown' } })
  expect(body.unknowns).toContainEqual(expect.stringContaining('the past of the wallet is not known'))
  expect(await found('thief', { calculate: true })).toMatchObject({
    status: 'Fraud',
    forensic_details: { blackmail_activities: '1' },
  })
}, 700_000)

test.runIf(THOROUGH)(
  'after an hour of downtime, never answers from old data, however early it is asked',
  async () => {
    await stop()
    await chain.mine(10, [sanction('clean')])
    await chain.mine(290, [pay('bank', 'clean', 5n)])
    const installation = await install()
    const observation = observe(installation, ['clean', 'listed'])
    // Nobody has started the indexer yet, and nobody has said that there is none.
    await until('it was asked some times', () => observation.seen.length > 20)
    await installation.start('scorer')
    await installation.start('indexer')
    await until('everything is answered', () => observation.answered(2 * 4 * 2))
    const seen = await observation.end()
    expect(turnsOf(seen).filter(({ length }) => length > 1)).toEqual([])
    expect(seen.findLast(({ who, path }) => who === 'clean' && path === '/fraud/check')?.claim).toMatch(
      /^\["Fraud","1.00",\{.*"sanctioned":"1"/,
    )
  },
  400_000,
)
