import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRugExplain } from '../../../api/answers/providers/explanations/contract.ts'
import { createRugHistory } from '../../../api/answers/providers/explanations/history.ts'
import type { OutgoingMessage } from '../../../platform/bus/bus.ts'
import { systemClock } from '../../../platform/context/clock.ts'
import type { CreationRow, LiquidityRow } from '../../../schema/block.ts'
import { rugExplanation } from '../../../schema/records/explained/explanations.ts'
import { rugBody } from '../../../schema/records/rug.ts'
import { type ContractRecords, createContractRecords } from '../../../scorer/contracts/records/records.ts'
import { SHARED_THREADS } from '../../kit/contracts/analysis-threads.ts'
import { type Lab, startLab } from '../../kit/contracts/markets/exchange-chain.ts'
import { compiledFile } from '../../kit/contracts/solidity/files.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'

let lab: Lab
let opened: TestStore
let records: ContractRecords
const published: OutgoingMessage[] = []
const deployer = '0x00000000000000000000000000000000000d3910'
const contracts = compiledFile(new URL('../../kit/contracts/tokens/contract-tokens.sol', import.meta.url))
const creationOf = (name: string) => contracts.get(name)?.creation ?? ''

beforeAll(async () => {
  ;[lab, opened] = await Promise.all([startLab(), openTestStore()])
  await lab.installExchange('ETH')
  records = createContractRecords({
    context: { clock: systemClock },
    store: opened.store,
    rpc: { ETH: lab },
    publish: async (messages) => void published.push(...messages),
    options: SHARED_THREADS,
  })
})
afterAll(async () => {
  await lab?.stop()
  await opened?.close()
})

const list = async (name: string) => {
  const from = lab.accounts[0] ?? ''
  const token = await lab.deploy(from, creationOf(name))
  const pair = await lab.addLiquidity('ETH', from, token, 500_000n * 10n ** 18n, 20n * 10n ** 18n)
  if (name === 'Honeypot' || name === 'HeavyTax')
    await lab.send({ from, to: token, data: `0x4437152a${pair.slice(2).padStart(64, '0')}` })
  return { token, pair }
}
const head = {
  network: 'ETH' as const,
  block_number: 1,
  block_time: Math.floor(Date.now() / 1_000) - 3_600,
  position: '1',
  tx_hash: '0x01',
}
const created = (contract: string, maker = deployer): CreationRow => ({
  ...head,
  contract,
  event: 'create',
  creator: maker,
  root_creator: maker,
  code_hash: '',
  code_size: 1,
})
const insert = (table: string, row: object) =>
  opened.store.insert(table, `${JSON.stringify(row)}\n`, { token: `${table}:${JSON.stringify(row)}` })

test('a record is computed once, stored as served, found again, and keeps the time it was first made', async () => {
  const { token, pair } = await list('Impersonal')
  expect(await records.lookup('ETH', [token])).toEqual([undefined])
  const computed = await records.compute('ETH', token)
  expect(rugBody.parse(JSON.parse(computed?.body ?? ''))).toMatchObject({
    pairAddress: pair,
    status: 'Not Fraud',
    chain: 'ETH',
  })
  expect(await records.lookup('ETH', [token, deployer])).toEqual([computed, undefined])
  const again = await records.compute('ETH', token)
  expect(again?.version).toBeGreaterThan(computed?.version ?? 0)
  expect(JSON.parse(again?.body ?? '').createdAt).toBe(JSON.parse(computed?.body ?? '').createdAt)
  expect((await records.lookup('ETH', [token]))[0]?.version).toBe(again?.version)
  expect(published.map(({ key, value }) => ({ key, ...JSON.parse(value.toString()) }))).toEqual(
    [computed, again].map((record) =>
      expect.objectContaining({
        ...{ key: `ETH:${token}:rug_pull`, operation: 'rug_pull', network: 'ETH', address: token, status: 'Not Fraud' },
        ...{ body: record?.body, version: record?.version, data_height: record?.dataHeight },
      }),
    ),
  )
})

test('what the verdict on a contract was is kept, a row for each change, and not for an analysis that says the same', async () => {
  const [trap, { token }] = [await list('Honeypot'), await list('Impersonal')]
  const maker = '0x00000000000000000000000000000000000000c8'
  await insert('creations', created(trap.token, maker))
  await insert('creations', { ...created(token, maker), position: '2' })
  const first = await records.compute('ETH', token)
  await records.compute('ETH', token)
  await records.compute('ETH', trap.token)
  const changed = await records.compute('ETH', token)
  const history = createRugHistory(opened.store)
  const verdictsOf = async (upTo?: number) => {
    const told = await history({ network: 'ETH', address: token, ...(upTo && { upTo }) }, AbortSignal.timeout(60_000))
    return told?.fields.verdicts.map(({ version, record }) => [version, record.probabilityFraud, record.status])
  }
  const rows = [changed, first].map((record) => {
    const { probabilityFraud, status } = JSON.parse(record?.body ?? '')
    return [record?.version, probabilityFraud, status]
  })
  expect(rows.map(([, , status]) => status)).toEqual(['Fraud', 'Not Fraud'])
  expect(await verdictsOf()).toEqual(rows)
  // What was in force between both.
  expect(await verdictsOf((changed?.version ?? 0) - 1)).toEqual(rows.slice(1))
})

test('an analysis is explained: points add up to the risk score, and flags that could not be determined have their reason', async () => {
  const explain = createRugExplain(opened.store)
  const signal = AbortSignal.timeout(60_000)
  const bare = await lab.deploy(lab.accounts[0] ?? '', creationOf('Impersonal'))
  const trap = (await list('Honeypot')).token
  for (const address of [bare, trap]) {
    await records.compute('ETH', address)
    const told = await explain({ network: 'ETH', address }, signal)
    const { reasons, unknowns, risk_score, ...rest } = rugExplanation
      .omit({ message: true, contractAddress: true, chain: true, coverage: true })
      .parse(told?.fields)
    const points = reasons.filter(({ score }) => score === 'risk_score').map(({ contribution }) => contribution)
    expect(points.reduce((sum, one) => sum + one, 0)).toBe(risk_score)
    expect(rest.modelVersion).toMatch(/^code-/)
    expect(unknowns.includes('is_honeypot: no market to trade on')).toBe(address === bare)
    expect(reasons.some(({ code }) => code === 'is_honeypot')).toBe(address === trap)
  }
  expect(await explain({ network: 'ETH', address: deployer }, signal)).toBeUndefined()
})

test('the deployer of a honeypot is remembered when it deploys again', async () => {
  const [trap, fresh] = [await list('Honeypot'), await list('Impersonal')]
  await insert('creations', created(trap.token))
  await insert('creations', { ...created(fresh.token), position: '2' })
  expect(JSON.parse((await records.compute('ETH', trap.token))?.body ?? '')).toMatchObject({
    contractCreatorAddress: deployer,
    status: 'Fraud',
  })
  const body = JSON.parse((await records.compute('ETH', fresh.token))?.body ?? '')
  expect(body.risk_indicators.honeypot_with_same_creator).toBe(1)
  expect(body.status).toBe('Fraud')
  expect(body.contractCreationTime).toBe(new Date(head.block_time * 1_000).toISOString())
})

test('a record without a proof is not held against other tokens of the deployer', async () => {
  const [taxed, fresh] = [await list('HeavyTax'), await list('Impersonal')]
  const another = '0x00000000000000000000000000000000000000b7'
  await insert('creations', created(taxed.token, another))
  await insert('creations', { ...created(fresh.token, another), position: '2' })
  const trap = JSON.parse((await records.compute('ETH', taxed.token))?.body ?? '')
  expect(trap.risk_indicators.is_honeypot).toBe(1)
  const body = JSON.parse((await records.compute('ETH', fresh.token))?.body ?? '')
  expect(body.risk_indicators.honeypot_with_same_creator).toBe(0)
  expect(body.status).toBe('Not Fraud')
})

test('liquidity events come from the tables, with the score of each sender', async () => {
  const { token, pair } = await list('Impersonal')
  const base = (10n ** 19n).toString()
  const [amount0, amount1] = token < '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2' ? ['1', base] : [base, '1']
  const row: LiquidityRow = {
    ...head,
    pool: pair,
    event: 'remove',
    provider: deployer,
    owner: deployer,
    amount0,
    amount1,
    liquidity: '0',
  }
  await insert('liquidity', row)
  const wallet = {
    network: 'ETH',
    address: deployer,
    version: 1,
    status: 'Fraud',
    probability: 1,
    body: '{}',
    reasons: '[]',
    unknowns: [],
    model_version: 't',
    data_height: 1,
    created_at: 1,
    computed_at: 1,
  }
  await insert('wallet_records', wallet)
  const body = JSON.parse((await records.compute('ETH', token))?.body ?? '')
  expect(body.liquidityEvent).toEqual([
    {
      eventType: 'remove',
      amount: 10,
      token: 'weth',
      tx_hash: '0x01',
      from_address: deployer,
      from_fraud_probability: 1,
      from_fraud_status: 'Fraud',
      createdAt: new Date(head.block_time * 1_000).toISOString(),
    },
  ])
})

test('an account without code has no record', async () => {
  expect(await records.compute('ETH', deployer)).toBeUndefined()
})
