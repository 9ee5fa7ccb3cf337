import { toFunctionSelector } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createContractProvider } from '../../../api/answers/providers/contract.ts'
import { createRugExplain } from '../../../api/answers/providers/explanations/contract.ts'
import type { Clock } from '../../../platform/context/clock.ts'
import { type AuthorityRow, type CreationRow, type LiquidityRow, positionOf } from '../../../schema/block.ts'
import { createRequeueByCreator } from '../../../scorer/contracts/records/creator-verdicts.ts'
import { FRESH_BLOCKS } from '../../../scorer/contracts/records/freshness.ts'
import { type ContractRecords, createContractRecords } from '../../../scorer/contracts/records/records.ts'
import { createContractStream } from '../../../scorer/contracts/records/stream.ts'
import { contractRegistry } from '../../../scorer/contracts/subject/registry.ts'
import { counted, testContext } from '../../kit/context.ts'
import { SHARED_THREADS } from '../../kit/contracts/analysis-threads.ts'
import { type Lab, startLab } from '../../kit/contracts/markets/exchange-chain.ts'
import { compiledFile } from '../../kit/contracts/solidity/files.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'

const HOUR = 3_600_000
const registry = contractRegistry('ETH')!
const factory = registry.exchanges.flatMap((exchange) => (exchange.kind === 'v2' ? [exchange.factory] : []))[0] ?? ''
const contracts = compiledFile(new URL('../../kit/contracts/tokens/contract-tokens.sol', import.meta.url))

let lab: Lab
let opened: TestStore
let now = Date.now()
const clock: Clock = { now: () => now, sleep: async () => {} }
let events = 0

beforeAll(async () => {
  ;[lab, opened] = await Promise.all([startLab(), openTestStore()])
  await lab.installExchange('ETH')
  // Heights of the node beyond those of the rows below, as where tables follow a node.
  await lab.ask('anvil_mine', '0x100')
})
afterAll(async () => {
  await lab?.stop()
  await opened?.close()
})
beforeEach(() => opened.truncate())

const insert = (table: string, row: object) => opened.store.insert(table, `${JSON.stringify(row)}\n`)
const at = (number: number) => ({
  network: 'ETH' as const,
  block_number: number,
  block_time: 1_700_000_000 + number,
})
const head = (number: number) => ({ ...at(number), position: positionOf(number, 0, events++), tx_hash: '0x01' })
const block = (number: number, block_hash = `0xb${number}`) => ({
  ...at(number),
  ...{ block_hash, parent_hash: '', transaction_count: 0, sees_traces: 1 },
})
const listToken = async (name = 'Impersonal') => {
  const from = lab.accounts[0] ?? ''
  const token = await lab.deploy(from, contracts.get(name)?.creation ?? '')
  const pair = await lab.addLiquidity('ETH', from, token, 500_000n * 10n ** 18n, 20n * 10n ** 18n)
  return { token, pair }
}
const poolRow = (number: number, pool: string, token: string, announcedBy = factory) => {
  const [token0 = '', token1 = ''] = [token, registry.wrappedNative].sort()
  return { ...head(number), pool, factory: announcedBy, kind: 'v2', token0, token1, fee: 3_000, hooks: '' }
}
const nothing = '0x00000000000000000000000000000000000000f1'

/** A stream of its own, as after a start: `fails` makes the node refuse. */
const open = (
  fails = () => false,
  network: 'ETH' | 'BNB' = 'ETH',
  dies: (address: string) => boolean = () => false,
) => {
  const context = testContext(clock)
  const rpc = {
    request: (call: { method: string; params: unknown[] }) =>
      fails() ? Promise.reject(new Error('the node is away')) : lab.request(call),
  }
  const records: ContractRecords = createContractRecords({
    context,
    store: opened.store,
    rpc: { ETH: rpc },
    options: SHARED_THREADS,
  })
  const made: string[] = []
  const stream = createContractStream({
    context,
    store: opened.store,
    network,
    registry,
    options: { sweepMs: HOUR },
    records: {
      save: records.save,
      make: (on, address) => {
        made.push(address)
        return dies(address) ? new Promise(() => undefined) : records.make(on, address)
      },
    },
  })
  return { ...stream, context, records, made, takeMade: () => made.splice(0).sort() }
}

test('every token with a pool of a known factory gets a record, once, without being asked for', async () => {
  const [old, fresh] = [await listToken(), await listToken()]
  await insert('pools', poolRow(5, old.pair, old.token))
  await insert('blocks', block(10))
  const stream = open()
  await stream.round()
  expect(stream.takeMade()).toEqual([old.token])
  await insert('pools', poolRow(11, fresh.pair, fresh.token))
  await insert('pools', poolRow(11, '0xaa', nothing, '0xbb'))
  await insert('blocks', block(11))
  await stream.round()
  expect(stream.takeMade()).toEqual([fresh.token])
  expect(await stream.round()).toBe(0)
  expect(await stream.records.lookup('ETH', [old.token, fresh.token, nothing])).toEqual([
    expect.objectContaining({ body: expect.stringContaining(old.pair) }),
    expect.objectContaining({ body: expect.stringContaining(fresh.pair) }),
    undefined,
  ])
  expect(await counted(stream.context, 'assay_contract_analyses_total', { outcome: 'made' })).toBe(2)
})

test('a record is made again when its owner, its deployer or its pool does something, liquidity not at once', async () => {
  const { token, pair } = await listToken('Issuer')
  const deployer = (lab.accounts[0] ?? '').toLowerCase()
  await insert('creations', {
    ...head(4),
    contract: token,
    event: 'create',
    creator: deployer,
    root_creator: deployer,
    code_hash: '',
    code_size: 1,
  } satisfies CreationRow)
  await insert('pools', poolRow(5, pair, token))
  await insert('blocks', block(10))
  const stream = open()
  await stream.round()
  expect(stream.takeMade()).toEqual([token])

  const owned: AuthorityRow = {
    ...head(11),
    authority: token,
    event: 'owner_change',
    subject: nothing,
    actor: deployer,
    amount: '0',
    detail: '',
  }
  await insert('authority', owned)
  await insert('blocks', block(11))
  await stream.round()
  expect(stream.takeMade()).toEqual([token])

  const removed: LiquidityRow = {
    ...head(12),
    pool: pair,
    event: 'remove',
    provider: deployer,
    owner: deployer,
    amount0: '1',
    amount1: '1',
    liquidity: '0',
  }
  await insert('liquidity', removed)
  await insert('blocks', block(12))
  expect(await stream.round()).toBe(0)
  now += HOUR
  // The wish is in the tables: another process finds it.
  const next = open()
  await next.round()
  expect(next.takeMade()).toEqual([token])

  now += HOUR
  await insert('creations', {
    ...head(13),
    contract: nothing,
    event: 'create',
    creator: deployer,
    root_creator: deployer,
    code_hash: '',
    code_size: 1,
  } satisfies CreationRow)
  await insert('blocks', block(13))
  await next.round()
  expect(next.takeMade()).toEqual([token])
  now += HOUR
  await next.round()
  expect(next.takeMade()).toEqual([])
})

test('what fails is counted, put off for longer each time, and done after a restart', async () => {
  const { token, pair } = await listToken()
  await insert('pools', poolRow(5, pair, token))
  await insert('blocks', block(10))
  const broken = open(() => true)
  for (const wait of [0, 31_000, 61_000]) {
    now += wait
    await broken.round()
    expect(broken.takeMade()).toEqual([token])
    await broken.round()
    expect(broken.takeMade()).toEqual([])
  }
  expect(await counted(broken.context, 'assay_contract_analyses_total', { outcome: 'failed' })).toBe(3)
  const mended = open()
  await mended.round()
  expect(mended.takeMade()).toEqual([])
  now += 121_000
  await mended.round()
  expect(mended.takeMade()).toEqual([token])
  now += HOUR
  await mended.round()
  expect(mended.takeMade()).toEqual([])
})

test('an analysis that ends the process is counted, comes later and alone, and holds nobody else up', async () => {
  const [deadly, other] = [await listToken(), await listToken()]
  await insert('pools', poolRow(6, deadly.pair, deadly.token))
  await insert('pools', poolRow(5, other.pair, other.token))
  await insert('blocks', block(10))
  /** Starts, meets what it meets, and is gone in the middle of the analysis. */
  const die = async () => {
    const stream = open(undefined, 'ETH', (address) => address === deadly.token)
    void stream.round()
    await vi.waitUntil(() => stream.made.includes(deadly.token), { timeout: 30_000 })
    return stream.takeMade()
  }
  expect(await die()).toContain(deadly.token)
  const next = open()
  await next.round()
  expect(next.takeMade(), 'right after the restart').not.toContain(deadly.token)
  now += 31_000
  expect(await die()).toContain(deadly.token)
  now += 31_000
  const later = open()
  await later.round()
  expect(later.takeMade(), 'half a minute after the second time').not.toContain(deadly.token)
  now += 31_000
  const last = open()
  await last.round()
  expect(last.made).toContain(deadly.token)
  await last.round()
  const found = await last.records.lookup('ETH', [deadly.token, other.token])
  expect(found.every((record) => record !== undefined)).toBe(true)
  now += HOUR
  last.takeMade()
  await last.round()
  expect(last.takeMade()).toEqual([])
})

test('an address without code is not asked about again and again', async () => {
  await insert('pools', poolRow(5, '0xaa', nothing))
  await insert('blocks', block(10))
  const stream = open()
  await stream.round()
  now += HOUR
  await stream.round()
  expect(stream.takeMade()).toEqual([nothing])
})

test('a record of a block that a reorg took away is made again, and events of the new branch are followed', async () => {
  const [{ token, pair }, other] = [await listToken(), await listToken()]
  const mined = Number(await lab.ask<string>('eth_blockNumber'))
  const { hash } = await lab.ask<{ hash: string }>('eth_getBlockByNumber', 'latest', false)
  const hot = (number: number, at: string, version: number, gone = 0) => ({
    ...block(number, at),
    version,
    is_deleted: gone,
  })
  await insert('watermarks', { network: 'ETH', version: 1, state: 'settled', settled: 3, target: 3 })
  await insert('pools', poolRow(2, pair, token))
  await insert('blocks', block(3))
  await insert('blocks_hot', hot(mined, hash, 1))
  const stream = open()
  await stream.round()
  expect(stream.takeMade()).toEqual([token])
  expect(await stream.round()).toBe(0)

  await insert('blocks_hot', hot(mined, hash, 2, 1))
  await insert('blocks_hot', hot(mined, '0xother', 3))
  await insert('pools_hot', { ...poolRow(mined, other.pair, other.token), version: 3, is_deleted: 0 })
  await stream.round()
  expect(stream.takeMade()).toEqual([token, other.token].sort())
})

test('a node that fails everything is left alone, and nothing is lost', async () => {
  const many = [await listToken(), await listToken(), await listToken()]
  for (const { token, pair } of many) await insert('pools', poolRow(5, pair, token))
  await insert('blocks', block(10))
  let away = true
  const stream = open(() => away)
  await stream.round()
  expect(stream.takeMade()).toHaveLength(3)
  away = false
  now += HOUR
  await stream.round()
  const found = await stream.records.lookup(
    'ETH',
    many.map(({ token }) => token),
  )
  expect(found.every((record) => record !== undefined)).toBe(true)
})

test('a stored record is served while nothing happens to it, however long, and analysed anew after what does', async () => {
  const [{ token, pair }, other] = [await listToken('Issuer'), await listToken()]
  const owner = (lab.accounts[0] ?? '').toLowerCase()
  await insert('pools', poolRow(5, pair, token))
  await insert('pools', poolRow(5, other.pair, other.token))
  // Its creator announces the pool once more, as one whose reserves nobody knows.
  await insert('pools', { ...poolRow(6, pair, token, '0xbb'), kind: 'v4' })
  const parties = { provider: owner, owner, liquidity: '0' }
  for (const pool of [pair, other.pair])
    await insert('liquidity', { ...head(5), pool, event: 'add', ...parties, amount0: '1000', amount1: '1000' })
  await insert('blocks', block(10))
  const stream = open()
  const { lookup, compute } = createContractProvider(stream.records)
  const served = async () => {
    const subjects = [token, other.token].map((address) => ({ network: 'ETH' as const, address }))
    return (await lookup(subjects, AbortSignal.timeout(5_000))).map((found) => found !== undefined)
  }
  const renew = (address = token) => compute({ network: 'ETH', address }, AbortSignal.timeout(5_000))
  const swap = async (number: number, amount0: string, amount1: string) => {
    const who = { initiator: nothing, sender: nothing, recipient: nothing }
    await insert('swaps', { ...head(number), pool: pair, ...who, amount0, amount1 })
    await insert('blocks', block(number))
  }
  // Nobody has followed the network so far.
  await stream.records.compute('ETH', token)
  expect(await served()).toEqual([false, false])
  await stream.round()
  now += 24 * HOUR
  expect(await served()).toEqual([true, true])

  await swap(11, '100', '-91')
  await swap(12, '100', '-75')
  expect(await served(), 'moved a little').toEqual([true, true])
  await swap(13, '100', '-64')
  expect(await served(), 'moved by a third in all').toEqual([false, true])
  await renew()
  expect(await served()).toEqual([true, true])

  const call = { ...head(14), sender: owner, receiver: token, value: '0', fee: '0', nonce: 1, type: 2, gas_used: '1' }
  const plain = { selector: '0x8456cb59', input_size: 4, message: '' }
  await insert('transactions', { ...call, ...plain, status: 0 })
  await insert('transactions', { ...call, ...plain, position: positionOf(14, 1, 0), sender: nothing, status: 1 })
  await insert('blocks', block(14))
  expect(await served(), 'a call that failed, and a call of a stranger').toEqual([true, true])
  await insert('transactions', { ...call, ...plain, block_number: 15, position: positionOf(15, 0, 0), status: 1 })
  await insert('blocks', block(15))
  expect(await served(), 'a call of the owner').toEqual([false, true])
  await renew()

  const { amount0, amount1 } = { amount0: '1', amount1: '1' }
  await insert('liquidity', { ...head(16), pool: other.pair, event: 'remove', ...parties, amount0, amount1 })
  await insert('blocks', block(16))
  expect(await served(), 'liquidity the stream has not seen yet').toEqual([true, false])
  await stream.round()
  expect(await served(), 'the stream has made it again').toEqual([true, true])
  await insert('liquidity', { ...head(17), pool: other.pair, event: 'remove', ...parties, amount0, amount1 })
  await insert('blocks', block(17))
  await stream.round()
  expect(await served(), 'the stream has put it off').toEqual([true, false])
  await renew(other.token)
  expect(await served()).toEqual([true, true])

  await insert('blocks', block(15 + FRESH_BLOCKS))
  expect(await served()).toEqual([true, true])
  await insert('blocks', block(18 + FRESH_BLOCKS))
  expect(await served(), 'too many blocks').toEqual([false, false])
})

test('a contract that transfers ask, and whoever rules it, concern the record of the token', async () => {
  const chief = (lab.accounts[3] ?? '').toLowerCase()
  const helper = await lab.deploy(chief, contracts.get('Registrar')?.creation ?? '')
  const { token, pair } = await listToken('AsksRegistrar')
  const appoint = `${toFunctionSelector('appoint(address)')}${helper.slice(2).padStart(64, '0')}`
  await lab.send({ from: lab.accounts[0] ?? '', to: token, data: appoint })
  await insert('pools', poolRow(5, pair, token))
  await insert('blocks', block(10))
  const stream = open()
  const { lookup } = createContractProvider(stream.records)
  const served = async () =>
    (await lookup([{ network: 'ETH', address: token }], AbortSignal.timeout(5_000)))[0] !== undefined
  await stream.round()
  expect(await served()).toBe(true)

  const call = {
    ...head(11),
    sender: chief,
    value: '0',
    fee: '0',
    nonce: 1,
    type: 2,
    gas_used: '1',
    status: 1,
    message: '',
  }
  const strike = { receiver: helper, selector: '0x8456cb59', input_size: 4 }
  await insert('transactions', {
    ...call,
    receiver: token,
    selector: '',
    input_size: 0,
    position: positionOf(11, 0, 0),
  })
  await insert('transactions', { ...call, ...strike, sender: nothing, position: positionOf(11, 1, 0) })
  await insert('blocks', block(11))
  expect(await served(), 'coins that its ruler sent, and a call of a stranger').toBe(true)
  await insert('transactions', { ...call, ...strike, block_number: 12, position: positionOf(12, 0, 0) })
  await insert('blocks', block(12))
  expect(await served(), 'a call of its ruler').toBe(false)
  await stream.records.compute('ETH', token)

  const turned = { authority: helper, event: 'owner_change', subject: nothing, actor: chief, amount: '0', detail: '' }
  await insert('authority', { ...head(13), ...turned })
  await insert('blocks', block(13))
  stream.takeMade()
  await stream.round()
  expect(stream.takeMade(), 'another ruler').toEqual([token])
})

test('while nothing changes the tables are looked at rarely, and soon after a change', async () => {
  await insert('blocks', block(10))
  const rounds = async (changes: (() => number) | undefined) => {
    const asked = vi.spyOn(opened.store, 'query')
    const began = now
    const context = testContext({
      now: () => now,
      sleep: async (ms) => {
        now += ms
        if (now - began > 45_000) await context.lifecycle.close()
      },
    })
    const records = createContractRecords({ context, store: opened.store, rpc: {} })
    await createContractStream({ context, store: opened.store, records, network: 'ETH', registry, changes }).run()
    const found = asked.mock.calls.filter(([, , options]) => options?.route === 'heights').length
    asked.mockRestore()
    return found
  }
  const unknown = await rounds(undefined)
  const quiet = await rounds(() => 7)
  let changed = 0
  const busy = await rounds(() => changed++)
  expect(unknown).toBeGreaterThan(10)
  expect(quiet).toBeLessThan(4)
  expect(busy).toBe(unknown)
})

test('a stored record turns when the verdict on its creator does, and back when the creator is cleared', async () => {
  const [{ token, pair }, other] = [await listToken(), await listToken()]
  const [maker, bystander] = [`0x${'1a'.repeat(20)}`, `0x${'1b'.repeat(20)}`]
  for (const [contract, creator] of [
    [token, maker],
    [other.token, bystander],
  ] as const) {
    const row: CreationRow = {
      ...head(4),
      ...{ contract, event: 'create', creator, root_creator: creator, code_hash: '', code_size: 1 },
    }
    await insert('creations', row)
  }
  await insert('pools', poolRow(5, pair, token))
  await insert('pools', poolRow(5, other.pair, other.token))
  await insert('blocks', block(10))
  const stream = open()
  const queue = createRequeueByCreator({ store: opened.store, clock })
  const { lookup } = createContractProvider(stream.records)
  const creatorWeight = async () => {
    const [record] = await lookup([{ network: 'ETH', address: token }], AbortSignal.timeout(5_000))
    const told = await createRugExplain(opened.store)({ network: 'ETH', address: token }, AbortSignal.timeout(5_000))
    return [record !== undefined, told?.fields.reasons.find(({ code }) => code === 'creator')?.contribution]
  }
  let version = 0
  const judge = async (status: 'Fraud' | 'Not Fraud', address = maker) => {
    const probability = status === 'Fraud' ? 1 : 0.1
    version += 1
    await insert('wallet_records', {
      ...{ network: 'ETH', address, version, status, probability, body: '{}', reasons: '[]', unknowns: [] },
      ...{ model_version: 't', data_height: 10, created_at: 1, computed_at: 1 },
    })
    return queue('ETH', [{ address, status, changed: true }])
  }
  await stream.round()
  expect(stream.takeMade()).toEqual([token, other.token].sort())
  expect(await creatorWeight()).toEqual([true, 0.125])
  expect(await judge('Not Fraud'), 'a verdict that turned nothing').toBe(0)

  now += 1_000
  expect(await judge('Fraud')).toBe(1)
  expect(await creatorWeight(), 'not served as it was').toEqual([false, 0.125])
  await stream.round()
  expect(stream.takeMade()).toEqual([token])
  expect(await creatorWeight()).toEqual([true, 0.5])
  expect(await queue('ETH', [{ address: maker, status: 'Fraud', changed: true }]), 'said again').toBe(0)

  now += 1_000
  expect(await judge('Not Fraud')).toBe(1)
  await stream.round()
  expect(stream.takeMade()).toEqual([token])
  expect(await creatorWeight()).toEqual([true, 0.05])
})
