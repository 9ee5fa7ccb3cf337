/**
 * Three networks in one installation, over real nodes and tables, of which two go wrong: one is on another chain than its
 * name says, one goes back below its finalized block and later carries a message nobody can read. The third never notices.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NetworkStatus, Readiness } from '../../../api/http/ops.ts'
import { createContext } from '../../../deploy/process/process.ts'
import { startApi } from '../../../deploy/roles/api.ts'
import { openSharedBus } from '../../../deploy/roles/parts.ts'
import type { RoleName, RunningRole } from '../../../deploy/roles/role.ts'
import { startRole } from '../../../deploy/roles/start.ts'
import { type Config, loadConfig } from '../../../platform/config/config.ts'
import type { Context } from '../../../platform/context/context.ts'
import { topics } from '../../../schema/topics.ts'
import { type Anvil, startAnvil } from '../../kit/chain/anvil.ts'
import { freePort } from '../../kit/free-port.ts'
import { until } from '../../kit/until.ts'

/** Nodes are asked several times, with pauses, before they count as gone. */
const PATIENCE_MS = 300_000
const KEY = 'enterprise-key-of-the-test'
const BNB_CHAIN = 56

let ethereum: Anvil
let bnb: Anvil
let data: string
let config: Config
let url: string
const contexts: Context[] = []
const ended: string[] = []

const context = (role: string) => {
  const made = createContext({ ASSAY_LOG_LEVEL: 'silent' }, role)
  contexts.push(made)
  return made
}
const watched = (role: string, running: RunningRole) => {
  running.done.then(
    () => ended.push(role),
    (error: unknown) => ended.push(`${role}: ${error}`),
  )
  return running
}
const start = async (role: RoleName) => watched(role, await startRole(role, context(role), config))

const status = async (network: string): Promise<NetworkStatus> => {
  const { networks } = (await (await fetch(`${url}/status`)).json()) as { networks: NetworkStatus[] }
  return networks.find((one) => one.network === network)!
}
const partOf = async (network: string, name: string) => (await status(network)).parts.find(({ part }) => part === name)
const ready = async () => {
  const response = await fetch(`${url}/ready`)
  return { code: response.status, ...((await response.json()) as Readiness) }
}
const ask = (address: string) =>
  fetch(`${url}/fraud/check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': KEY },
    body: JSON.stringify({ network: 'ETH', walletAddress: address }),
  })
/** Ethereum goes on: a payment to an address nobody has seen is indexed, stored, scored and served. */
const ethereumGoesOn = async (digit: string) => {
  const [from] = await ethereum.rpc<string[]>('eth_accounts')
  const to = `0x${digit.repeat(40)}`
  await ethereum.rpc('eth_sendTransaction', { from, to, value: '0x1' })
  const answer = await until(
    'the new address is served',
    async () => {
      const response = await ask(to)
      return response.ok && ((await response.json()) as { walletAddress: string })
    },
    PATIENCE_MS,
  )
  expect(answer).toMatchObject({ walletAddress: to, chain: 'ETH' })
  expect(ended).toEqual([])
}

beforeAll(async () => {
  ethereum = await startAnvil({ slotsInAnEpoch: 1 })
  bnb = await startAnvil({ slotsInAnEpoch: 1, chainId: BNB_CHAIN })
  await ethereum.mine(20)
  await bnb.mine(20)
  data = mkdtempSync(join(tmpdir(), 'assay-networks-'))
  config = loadConfig({
    ASSAY_DATA: data,
    ASSAY_PORT: String(await freePort()),
    ASSAY_PLAIN_HTTP: 'true',
    ASSAY_BOOTSTRAP_KEYS: `enterprise:${KEY}`,
    ETH_RPC_URL: ethereum.url,
    ETH_START_BLOCK: '0',
    BNB_RPC_URL: bnb.url,
    BNB_START_BLOCK: '0',
    POLYGON_RPC_URL: ethereum.url,
  })
  const api = await startApi(context('api'), config)
  watched('api', api)
  url = api.urls[0] ?? ''
  await start('scorer')
  await start('indexer')
})

afterAll(async () => {
  for (const { lifecycle } of contexts.reverse()) await lifecycle.close()
  await ethereum?.stop()
  await bnb?.stop()
  if (data) rmSync(data, { recursive: true, force: true })
})

test('names a network whose node is on another chain with its code, and serves the others', async () => {
  const wrong = await until(
    'the wrong chain shows',
    async () => {
      const part = await partOf('POLYGON', 'indexing')
      return part?.state === 'stopped' && part
    },
    PATIENCE_MS,
  )
  expect(wrong.error).toMatchObject({
    code: 'ASSAY_SOURCE_WRONG_CHAIN',
    message: expect.stringContaining('POLYGON_RPC_URL'),
  })
  await ethereumGoesOn('1')
  await until(
    'the others are ready',
    async () => (await status('ETH')).ready && (await status('BNB')).ready,
    PATIENCE_MS,
  )
  const newest = await ethereum.blockNumber()
  await until('the newest block shows as stored', async () => (await status('ETH')).stored === newest, PATIENCE_MS)
  expect(await status('ETH')).toMatchObject({ state: 'running', reasons: [] })
  expect(await status('POLYGON')).toMatchObject({ ready: false, state: 'stopped' })
  expect(await ready()).toMatchObject({
    code: 200,
    ready: true,
    networks: { ETH: true, BNB: true, POLYGON: false },
    reasons: expect.arrayContaining(['indexing of POLYGON is stopped: ASSAY_SOURCE_WRONG_CHAIN']),
  })
})

test('a network with a reorg below finality stops alone', async () => {
  await until('a block is published as final', async () => ((await status('BNB')).finalized ?? 0) >= 18, PATIENCE_MS)
  await bnb.reorg(15)
  await bnb.mine(1)
  const stopped = await until(
    'the reorg stops the network',
    async () => {
      const part = await partOf('BNB', 'indexing')
      return part?.state === 'stopped' && part
    },
    PATIENCE_MS,
  )
  expect(stopped.error?.code).toBe('ASSAY_REORG_TOO_DEEP')
  await ethereumGoesOn('2')
  expect((await ready()).networks).toEqual({ ETH: true, BNB: false, POLYGON: false })
})

test('a network whose ingest stops at an undecodable message stops alone', async () => {
  const bus = await openSharedBus(context('test'), config, ['BNB'])
  const producer = await bus.producer()
  await producer.send([{ topic: topics.head('BNB'), messages: [{ value: Buffer.from('?'), partition: 0 }] }])
  await producer.close()
  const stopped = await until(
    'ingest stops',
    async () => {
      const part = await partOf('BNB', 'ingest')
      return part?.state === 'stopped' && part
    },
    PATIENCE_MS,
  )
  expect(stopped.error?.code).toBe('ASSAY_INGEST_POISON')
  await ethereumGoesOn('3')
  expect((await status('ETH')).parts.map(({ part, state }) => `${part} ${state}`).sort()).toEqual([
    'contracts running',
    'indexing running',
    'ingest running',
    'scoring running',
  ])
})

test('a node that goes down makes its network wait, with code and time', async () => {
  await ethereum.stop()
  const waiting = await until(
    'the network waits',
    async () => {
      const part = await partOf('ETH', 'indexing')
      return part?.state === 'waiting' && part
    },
    PATIENCE_MS,
  )
  expect(waiting.error).toMatchObject({ code: 'ASSAY_RPC_UNAVAILABLE', since: waiting.since })
  expect(ended).toEqual([])
})
