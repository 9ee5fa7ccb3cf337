/** What the tables add to an analysis: pools against any asset, holders, the whole list of events, equal code. */
import { toFunctionSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRugExplain } from '../../../api/answers/providers/explanations/contract.ts'
import { systemClock } from '../../../platform/context/clock.ts'
import { factsUnknown } from '../../../schema/records/explained/token-facts.ts'
import { rugBody } from '../../../schema/records/rug.ts'
import { type ContractRecords, createContractRecords } from '../../../scorer/contracts/records/records.ts'
import { contractRegistry } from '../../../scorer/contracts/subject/registry.ts'
import { writeLabels } from '../../../scorer/ledger/labels/write.ts'
import { SHARED_THREADS } from '../../kit/contracts/analysis-threads.ts'
import { type Lab, startLab } from '../../kit/contracts/markets/exchange-chain.ts'
import { compiledFile } from '../../kit/contracts/solidity/files.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'

const ZERO = `0x${'0'.repeat(40)}`
const E18 = 10n ** 18n
const LAUNCHPAD = '0x00000000000000000000000000000000001a0ad0'
const registry = contractRegistry('ETH')!
const [exchange] = registry.exchanges.flatMap((item) => (item.kind === 'v2' ? [item] : []))
const factory = exchange?.factory ?? ''
const contracts = compiledFile(new URL('../../kit/contracts/tokens/contract-tokens.sol', import.meta.url))
const pad = (address: string) => address.slice(2).toLowerCase().padStart(64, '0')
const word = (value: bigint) => value.toString(16).padStart(64, '0')
const now = Math.floor(Date.now() / 1_000)

let lab: Lab
let opened: TestStore
let records: ContractRecords
let from = ''
/** Known to the registry of this test: a dollar that prices the native coin, and an asset that is no base. */
let dollar = ''
let asset = ''
/** An asset nobody knows, with a deep pool, and one with next to nothing in its pool. */
let stranger = ''
let worthless = ''
/** Of the registry, but nobody can be given any. */
let scattered = ''

const deploy = (name: string) => lab.deploy(from, contracts.get(name)?.creation ?? '')
const list = async (name: string, native = 20n * E18) => {
  const token = await deploy(name)
  const pair = await lab.addLiquidity('ETH', from, token, 500_000n * E18, native)
  if (/Honeypot|ClosesByAge|PatientGarden/.test(name))
    await lab.send({ from, to: token, data: `0x4437152a${pad(pair)}` })
  return { token, pair }
}
/** Blocks that the tables hold. */
const whole = { epoch: 1, slot: 1, first_block: 1, last_block: 1_000_000, claimed_by: '', version: 1 }
const insert = (table: string, ...rows: object[]) =>
  opened.store.insert(table, rows.map((row) => `${JSON.stringify({ network: 'ETH', ...row })}\n`).join(''))
const head = { block_number: 5, block_time: now - 90 * 86_400, tx_hash: '0x01' }

beforeAll(async () => {
  ;[lab, opened] = await Promise.all([startLab(), openTestStore()])
  from = (lab.accounts[0] ?? '').toLowerCase()
  await lab.installExchange('ETH')
  dollar = (await list('Plain')).token
  asset = (await list('Plain')).token
  stranger = (await list('Plain')).token
  worthless = (await list('Plain', 10n ** 15n)).token
  scattered = (await list('Scattered')).token
  const base = { decimals: 18, stable: false }
  const assets = [asset, scattered].map((address) => ({ ...base, address, symbol: 'ast' }))
  const bases = [registry.bases[0]!, { address: dollar, symbol: 'usd', decimals: 18, stable: true }]
  records = createContractRecords({
    context: { clock: systemClock },
    store: opened.store,
    rpc: { ETH: lab },
    options: {
      ...SHARED_THREADS,
      registry: {
        ...registry,
        bases,
        assets: new Map([...bases, ...assets].map((one) => [one.address, one])),
        launchpads: new Map([[LAUNCHPAD, 'pad.test']]),
        publicFactories: [LAUNCHPAD],
      },
    },
  })
  await insert('covered_ranges', whole)
})
afterAll(async () => {
  await lab?.stop()
  await opened?.close()
})

const bodyOf = async (token: string) => rugBody.parse(JSON.parse((await records.compute('ETH', token))?.body ?? ''))
const explained = async (token: string) => {
  const found = await createRugExplain(opened.store)({ network: 'ETH', address: token }, AbortSignal.timeout(60_000))
  if (!found) throw new Error('no explanation')
  return found.fields
}
const analysed = async (token: string) => ({ body: await bodyOf(token), told: await explained(token) })

/** A pool of the token against another asset, 500,000 of each, announced by `by`. */
const poolAgainst = async (token: string, other: string, by = factory) => {
  await lab.send({ from, to: factory, data: `0xc9c65396${pad(token)}${pad(other)}` })
  const answer = await lab.ask<string>(
    'eth_call',
    { to: factory, data: `0xe6a43905${pad(token)}${pad(other)}` },
    'latest',
  )
  const pool = `0x${answer.slice(26)}`
  // Of the other asset, its pool against the wrapped coin has half of a million.
  await lab.send({ from, to: token, data: `0xa9059cbb${pad(pool)}${word(200_000n * E18)}` })
  await lab.send({ from, to: other, data: `0xa9059cbb${pad(pool)}${word(100_000n * E18)}` })
  await lab.send({ from, to: pool, data: `0x6a627842${pad(from)}` })
  const [token0, token1] = token < other ? [token, other] : [other, token]
  await insert('pools', { ...head, position: '9', pool, factory: by, kind: 'v2', token0, token1, fee: 0, hooks: '' })
  return pool
}

describe('pools against other assets', () => {
  test('a pool against a registered asset that is no base is traded on and priced by the pool of that asset', async () => {
    const token = await deploy('Impersonal')
    const pool = await poolAgainst(token, asset)
    const { body, told } = await analysed(token)
    expect(body.pairAddress).toBe(pool)
    expect(body.risk_indicators).toMatchObject({ is_in_dex: 1, is_honeypot: 0, cannot_buy: 0 })
    expect(body.risk_indicators.liquidity).toBeCloseTo(100_000, 3)
    // Half a coin of the asset, which is worth a dollar, times a million.
    expect(body.risk_indicators.market_cap).toBeCloseTo(500_000, -3)
    expect(told.unknowns.filter((line) => line.startsWith('is_honeypot'))).toEqual([])
    // Whatever the order of their addresses, the pool is about the token that is known least.
    expect((await bodyOf(pool)).pairAddress).toBe(pool)
    expect(
      await opened.store.query('SELECT token FROM contract_records WHERE address = {pool:String}', { pool }),
    ).toEqual([{ token }])
    const trap = await deploy('Honeypot')
    await lab.send({ from, to: trap, data: `0x4437152a${pad(await poolAgainst(trap, asset))}` })
    expect((await bodyOf(trap)).risk_indicators.is_honeypot).toBe(1)
  })

  test('against an asset nobody knows there is a market, and nothing is concluded from trades', async () => {
    const token = await deploy('Honeypot')
    const pool = await poolAgainst(token, stranger)
    const { body, told } = await analysed(token)
    expect(body).toMatchObject({ pairAddress: pool, risk_indicators: { is_in_dex: 1, is_honeypot: 0 } })
    expect(body.risk_indicators.market_cap).toBeCloseTo(500_000, -3)
    expect(told.unknowns).toContain('is_honeypot: its pool is against pln, which no registry lists')
  })

  test('where nobody can be given anything to pay with, nothing is concluded either', async () => {
    const token = await deploy('Impersonal')
    await poolAgainst(token, scattered)
    const { body, told } = await analysed(token)
    expect(body.risk_indicators).toMatchObject({ is_in_dex: 1, cannot_buy: 0, buy_tax: 0 })
    expect(told.unknowns).toContain('cannot_buy: nobody could be given any ast to trade with')
  })

  test('an asset whose own pool holds next to nothing makes no market, nor does a factory nobody registered', async () => {
    const token = await deploy('Impersonal')
    await poolAgainst(token, worthless)
    expect((await bodyOf(token)).risk_indicators).toMatchObject({ is_in_dex: 0, market_cap: 0 })
    const other = await deploy('Impersonal')
    await poolAgainst(other, asset, ZERO)
    expect((await bodyOf(other)).pairAddress).toBe('')
  })

  test('a trap does not hide behind a deep pool against an asset of its own', async () => {
    const { token, pair } = await list('Honeypot', E18)
    await poolAgainst(token, stranger)
    expect(await bodyOf(token)).toMatchObject({ pairAddress: pair, risk_indicators: { is_honeypot: 1 } })
  })
})

describe('holders', () => {
  type Moved = { from: string; to: string; amount: bigint }
  let position = 100
  const remember = (token: string, moves: readonly Moved[]) =>
    insert(
      'ledger',
      ...moves.flatMap((move) => {
        const at = { ...head, position: String(position++), kind: 'fungible', asset: token, initiator: from }
        const amount = String(move.amount)
        return [
          { ...at, address: move.from, counterparty: move.to, direction: -1, amount },
          { ...at, address: move.to, counterparty: move.from, direction: 1, amount },
        ]
      }),
    )
  const created = (contract: string, creator = from) =>
    insert('creations', {
      ...head,
      position: '3',
      contract,
      event: 'create',
      creator,
      root_creator: from,
      code_hash: '',
      code_size: 1,
    })
  const minted = { from: ZERO, to: '', amount: 1_000_000n * E18 }
  /** A listed token whose every transfer is remembered, with three buyers. */
  const lived = async (moves: readonly Moved[] = []) => {
    const { token, pair } = await list('Impersonal')
    const buyers = lab.accounts.slice(1, 4).map((who) => who.toLowerCase())
    const paid = buyers.map((to, i) => ({ from, to, amount: BigInt(3 - i) * 1_000n * E18 }))
    for (const { to, amount } of paid) await lab.send({ from, to: token, data: `0xa9059cbb${pad(to)}${word(amount)}` })
    await remember(token, [{ ...minted, to: from }, { from, to: pair, amount: 500_000n * E18 }, ...paid, ...moves])
    return { token, pair, buyers }
  }
  const holdersOf = async (token: string) => (await analysed(token)).told.holders

  test('of a token whose whole life is in the tables are counted, the largest named with what is known of them', async () => {
    const { token, pair, buyers } = await lived()
    await created(token)
    const found = { network: 'ETH', address: buyers[1]!, label: 'phishing', detector: 't', class: 'detected' } as const
    await writeLabels(opened.store, [
      {
        ...found,
        confidence: 0.95,
        detector_version: '1',
        evidence: {},
        tx_hash: '',
        block_number: 1,
        revoked: false,
        foundAt: 1,
      },
    ])
    const { told } = await analysed(token)
    // The creator is an insider, and a pool sells nothing.
    expect(told.holderSales).toMatchObject({
      ...{ tried: 3, failed: 0, siphoned: 0, tax: { lowest: 0, median: 0, highest: 0 }, why: null },
      emptied: { compared: 5, holders: 0, why: null },
    })
    expect(told.walletTransfer).toEqual({ outcome: 'accepted', tax: 0, why: null })
    expect(told.insiders).toEqual({
      ...{ owner: null, creator: { address: from, amount: '494000', share: 0.494 }, why: null },
    })
    // Of the pair's shares a thousand are nobody's, and the rest were given to whoever made it.
    expect(told.liquidityHolders).toEqual({
      top: [{ address: from, share: 1, contract: false, tags: ['creator'], locks: [] }],
      why: null,
    })
    expect(told.pools).toMatchObject([{ pairAddress: pair, design: 'v2', liquidity: '20' }])
    expect(told.labels).toEqual([])
    expect(told.holders).toEqual({
      count: 5,
      top: [
        { address: pair, amount: '500000', share: 0.5, contract: true, tags: ['pool'], locks: [] },
        { address: from, amount: '494000', share: 0.494, contract: false, tags: ['creator'], locks: [] },
        { address: buyers[0], amount: '3000', share: 0.003, contract: false, tags: [], locks: [] },
        { address: buyers[1], amount: '2000', share: 0.002, contract: false, tags: ['label: phishing'], locks: [] },
        { address: buyers[2], amount: '1000', share: 0.001, contract: false, tags: [], locks: [] },
      ].sort((a, b) => b.share - a.share),
      why: null,
    })
  })

  test('are unknown where its creation is not in the tables, or blocks since then are missing', async () => {
    const { token } = await lived()
    expect(await holdersOf(token)).toEqual({ count: null, top: [], why: 'its creation is not in the tables' })
    await created(token)
    await insert('covered_ranges', {
      epoch: 1,
      slot: 2,
      first_block: 1_000_002,
      last_block: 1_000_009,
      claimed_by: '',
      version: 2,
    })
    expect(await holdersOf(token)).toEqual({
      count: null,
      top: [],
      why: 'blocks since its creation are missing in the tables',
    })
    await insert('covered_ranges', {
      epoch: 1,
      slot: 2,
      first_block: 0,
      last_block: 0,
      claimed_by: '',
      version: 3,
      is_deleted: 1,
    })
    expect((await holdersOf(token)).count).toBe(5)
  })

  test('are unknown of a token that announces transfers which never happened, or made coins in silence', async () => {
    const strangers = Array.from({ length: 200 }, (_, i) => `0x${(i + 1).toString(16).padStart(40, 'c')}`)
    const { token } = await lived(strangers.map((to) => ({ from, to, amount: E18 })))
    await created(token)
    const { told } = await analysed(token)
    expect(told.holders.why).toBe('balances are not what transfers show')
    // Of the ten that hold most and thirty more, those who were announced a coin have none.
    const { compared, holders } = told.holderSales.emptied
    expect(compared).toBeLessThanOrEqual(40)
    expect(holders).toBeGreaterThanOrEqual((compared ?? 0) - 5)
    const { token: silent } = await list('Impersonal')
    await created(silent)
    await remember(silent, [{ from, to: lab.accounts[1]!.toLowerCase(), amount: E18 }])
    expect((await holdersOf(silent)).why).toBe('transfers in the tables do not add up to the supply')
  })

  test('whose sales are siphoned off are counted apart from those who are refused, with the spread of taxes', async () => {
    const { token, pair } = await list('PersonalTax')
    await lab.send({ from, to: token, data: `0x4437152a${pad(pair)}` })
    const [ann = '', bob = '', cid = ''] = lab.accounts.slice(1, 4).map((who) => who.toLowerCase())
    for (const to of [ann, bob, cid])
      await lab.send({ from, to: token, data: `0xa9059cbb${pad(to)}${word(1_000n * E18)}` })
    await remember(
      token,
      [ann, bob, cid].map((to) => ({ from, to, amount: 1_000n * E18 })),
    )
    const taxed = (who: string, percent: bigint) =>
      lab.send({ from, to: token, data: `${toFunctionSelector('thank(address,uint256)')}${pad(who)}${word(percent)}` })
    await taxed(bob, 20n)
    await taxed(cid, 95n)
    const { tried, failed, siphoned, tax, why } = (await analysed(token)).told.holderSales
    expect({ tried, failed, siphoned, tax, why }).toEqual({
      ...{ tried: 3, failed: 0, siphoned: 1, tax: { lowest: 0, median: 20, highest: 95 }, why: null },
    })
  })

  test('whose tokens were taken without a transfer are counted, not those who sent them away since', async () => {
    const { token, buyers } = await lived()
    await created(token)
    // The tables know of nothing that happens now: the first buyer sends all away, the second is robbed.
    await lab.send({ from: buyers[0]!, to: token, data: `0xa9059cbb${pad(from)}${word(3_000n * E18)}` })
    const [slot] = (
      await lab.ask<{ accessList: { storageKeys: string[] }[] }>(
        'eth_createAccessList',
        { to: token, data: `0x70a08231${pad(buyers[1]!)}` },
        'latest',
      )
    ).accessList.flatMap(({ storageKeys }) => storageKeys)
    await lab.ask('anvil_setStorageAt', token, slot, `0x${word(0n)}`)
    expect((await analysed(token)).told.holderSales.emptied).toEqual({ compared: 5, holders: 1, why: null })
  })

  test('that sold lately are counted, insiders and purchases apart, in blocks that the tables have', async () => {
    const { token, pair, buyers } = await lived()
    const first = token < registry.wrappedNative
    const swap = (initiator: string, sold: bigint, at: number, pool = pair) => ({
      ...{ ...head, block_number: at, block_time: now - 1_000 + at, position: String(at * 1_000 + ++position) },
      ...{ pool, initiator, sender: initiator, recipient: initiator },
      ...{ amount0: String(first ? sold : -sold), amount1: String(first ? -sold : sold) },
    })
    const [ann = '', bob = ''] = buyers
    await insert(
      'swaps',
      ...[swap(ann, 5n, 2), swap(ann, 6n, 4), swap(bob, 7n, 4), swap(bob, -7n, 4), swap(from, 9n, 4)],
      // Before the blocks without a gap, and of another pool.
      ...[swap(buyers[2]!, 5n, 1), swap(buyers[2]!, 5n, 4, `0x${'ed'.repeat(20)}`)],
    )
    const recent = async () => (await analysed(token)).told.holderSales.recent
    const why = 'none of the newest blocks is in the tables'
    expect(await recent()).toEqual({ sellers: null, sales: null, from: null, to: null, why })
    const block = (number: number) => ({ block_number: number, block_time: now - 1_000 + number })
    await insert('blocks', block(1), block(2), block(3), block(4))
    await insert('covered_ranges', { ...whole, first_block: 2, version: 4 })
    const told = await recent()
    await insert('covered_ranges', { ...whole, version: 5 })
    const timeOf = (at: number) => new Date(1_000 * (now - 1_000 + at)).toISOString()
    expect(told).toEqual({ sellers: 2, sales: 3, from: timeOf(2), to: timeOf(4), why: null })
  })

  test('a launchpad that created the token is named, and conceals nobody', async () => {
    const { token } = await lived()
    await created(token, LAUNCHPAD)
    const { told } = await analysed(token)
    expect(told.launchpad).toEqual({ name: 'pad.test', why: null, curve: { stage: 'none', why: null } })
    expect(told.reasons.map(({ code }) => code)).not.toContain('deploy_obfuscation')
  })

  test('events of all pools are listed from the first, and it is stated when some are missing', async () => {
    const { token, pair } = await lived()
    const other = `0x${'e'.repeat(40)}`
    const base = String(10n ** 19n)
    const [amount0, amount1] = token < registry.wrappedNative ? ['1', base] : [base, '1']
    const event = {
      ...head,
      position: '4',
      pool: pair,
      event: 'add',
      provider: from,
      owner: from,
      amount0,
      amount1,
      liquidity: '0',
    }
    await insert('liquidity', event, {
      ...event,
      position: '8',
      event: 'remove',
      block_time: now - 3_600,
      tx_hash: '0x02',
      provider: other,
    })
    const beside = await poolAgainst(token, asset)
    const [low, high] = token < asset ? ['1', String(3n * E18)] : [String(3n * E18), '1']
    const later = { position: '7', block_time: now - 7_200, tx_hash: '0x03' }
    await insert('liquidity', { ...event, ...later, pool: beside, amount0: low, amount1: high })
    const first = await analysed(token)
    expect(first.body.liquidityEvent.map(({ tx_hash, amount, token }) => [tx_hash, amount, token])).toEqual([
      ['0x02', 10, 'weth'],
      ['0x03', 3, 'ast'],
      ['0x01', 10, 'weth'],
    ])
    expect(first.told.liquidityEvents).toMatchObject({ complete: false, why: expect.stringContaining('its creation') })
    await created(token)
    expect((await analysed(token)).told.liquidityEvents).toEqual({ complete: true, why: null })
  })
})

describe('simulated trades', () => {
  /** Steps of the trials of a kind: what was done, what came of it, and why not. */
  const stepsOf = async (token: string, kind: string) => {
    const { simulation } = (await analysed(token)).told
    return simulation.trials
      .filter(({ trial }) => trial === kind)
      .map(({ steps }) => steps.map(({ action, outcome, reason }) => [action, outcome, reason]))
  }

  test('of an honest token are stated with amounts, tax and gas, now and later', async () => {
    const { token } = await list('Impersonal')
    const { simulation } = (await analysed(token)).told
    expect(simulation).toMatchObject({ plainAccount: null, why: null })
    const steps = simulation.trials.flatMap((trial) => trial.steps)
    expect(new Set(steps.map(({ outcome, reason }) => `${outcome} ${reason}`))).toEqual(new Set(['accepted null']))
    const [person, late, ...contracts] = simulation.trials
    expect(late).toMatchObject({ trial: 'late_seller', actor: 'person', account: null, opened: false })
    const [bought, soldAll] = late?.steps ?? []
    expect(late?.steps).toHaveLength(2)
    // Blocks of Ethereum are 12 seconds apart.
    expect(bought).toMatchObject({ action: 'buy', part: 0.001, secondsLater: 12 })
    expect(soldAll).toMatchObject({ action: 'sell', part: 1 })
    expect(person).toMatchObject({ trial: 'person', actor: 'person', account: null, opened: false })
    expect(person?.steps.map(({ action }) => action)).toEqual(['buy', 'approve', ...Array(5).fill('sell')])
    const [, , first, minutes, hour, day, month] = person?.steps.map(({ secondsLater }) => secondsLater) ?? []
    expect(soldAll?.secondsLater).toBe(day)
    // Drawn from the block: within a minute, ten minutes, two hours, two days, and five weeks.
    expect([first! < 60, minutes! < 600, hour! < 7_200, day! < 172_800, month! < 3_283_200]).toEqual(
      Array(5).fill(true),
    )
    expect(contracts.every(({ actor }) => actor === 'contract')).toBe(true)
    // Its transfers cannot know the time: one moment stands for all.
    expect(contracts.filter(({ trial }) => trial === 'sell_all').map(({ steps }) => steps[0]?.secondsLater)).toEqual([
      12,
    ])
    const all = contracts.find(({ trial }) => trial === 'sell_all')
    expect(all?.steps).toMatchObject([
      { action: 'buy', part: 0.001, tax: 0 },
      { action: 'sell', part: 1, tax: 0 },
    ])
    const [purchase, sold] = all?.steps ?? []
    // A thousandth of 20 coins buys a little less than a thousandth of 500,000 tokens.
    expect(Number(purchase?.arrived)).toBeGreaterThan(498)
    expect(Number(purchase?.arrived)).toBeLessThan(500)
    expect(sold?.sent).toBe(purchase?.arrived)
    for (const { gas } of all?.steps ?? []) expect(gas).toBeGreaterThan(30_000)
  })

  test('of a trap show who is refused, with its words, and that the owner is not', async () => {
    const { token } = await list('Honeypot')
    const [person] = await stepsOf(token, 'person')
    expect(person?.slice(0, 2)).toEqual([
      ['buy', 'accepted', null],
      ['approve', 'accepted', null],
    ])
    expect(person?.slice(2)).toEqual(Array.from({ length: 5 }, () => ['sell', 'refused', 'TF']))
    expect(await stepsOf(token, 'transfer')).toEqual([
      [
        ['buy', 'accepted', null],
        ['transfer', 'accepted', null],
        ['transfer_from', 'accepted', null],
      ],
    ])
    expect((await stepsOf(token, 'insider')).flat()).toContainEqual(['sell', 'accepted', null])
    expect((await explained(token)).simulation.plainAccount).toMatchObject({ outcome: 'refused' })
  })

  test('of people who sell for the first time late are steps as well', async () => {
    // Sold within a minute or never.
    const { token } = await list('ClosesByAge')
    const [late] = await stepsOf(token, 'late_seller')
    expect(late?.map(([action, outcome]) => [action, outcome])).toEqual([
      ['buy', 'accepted'],
      ...Array.from({ length: 4 }, () => ['sell', 'refused']),
    ])
    // Taxed in the first hour: sales are tried sooner too.
    const patient = await list('PatientGarden')
    const { simulation } = (await analysed(patient.token)).told
    const sellers = simulation.trials.filter(({ trial }) => trial === 'late_seller')
    expect(sellers.map(({ steps }) => steps.map(({ action, tax }) => [action, tax]))).toEqual(
      Array.from({ length: 3 }, () => [
        ['buy', 0],
        ['sell', 0],
      ]),
    )
    const [day, hour, half] = sellers.map(({ steps }) => (steps[1]?.secondsLater ?? 0) / 3_600)
    expect(day).toBeGreaterThanOrEqual(25)
    expect(day).toBeLessThan(48)
    expect(Math.floor(hour ?? 0)).toBe(1)
    expect(Math.abs((half ?? 0) - 16)).toBeLessThanOrEqual(4)
  })

  test('that could not be made, or had nothing to sell, are no refusals', async () => {
    const stub = await lab.deploy(from, '0x6005600c60003960056000f3600160005260206000f3')
    expect((await analysed(stub)).told.simulation).toEqual({
      trials: [],
      plainAccount: null,
      why: 'no market to trade on',
    })
    // Nobody can buy while trading is closed, so nobody has anything to sell.
    const { token } = await list('NotOpen')
    const { simulation } = (await analysed(token)).told
    const closed = simulation.trials.filter(({ trial, opened }) => trial === 'sell_all' && !opened)
    expect(closed[0]?.steps).toMatchObject([
      { action: 'buy', outcome: 'refused', reason: 'UniswapV2: TRANSFER_FAILED', tax: null },
      { action: 'sell', outcome: 'not_run', reason: null, tax: null, gas: null },
    ])
    const open = simulation.trials.find(({ trial, opened }) => trial === 'sell_all' && opened)
    expect(open?.steps.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted'])
  })
})

describe('equal code', () => {
  const accuse = (address: string, more: { class?: string; revoked?: boolean; foundAt: number }) =>
    writeLabels(opened.store, [
      {
        ...{
          network: 'ETH' as const,
          address,
          label: 'honeypot',
          detector: 'honeypot-simulation',
          detector_version: '1',
        },
        ...{ class: 'detected', confidence: 0.95, evidence: {}, tx_hash: '', block_number: 1, revoked: false, ...more },
      } as Parameters<typeof writeLabels>[1][number],
    ])

  test('that was proved to be a trap is stated while it stands accused, and changes no score', async () => {
    const [trap, twin] = [(await list('ClosesByTime')).token, (await list('ClosesByTime')).token]
    const before = (await analysed(trap)) && (await analysed(twin))
    expect(before.told.similarCode).toMatchObject({ traps: 0, analysed: 1, why: null })
    await accuse(trap, { foundAt: 1 })
    const after = await analysed(twin)
    expect(after.told.similarCode).toEqual({
      ...{ analysed: 1, traps: 1, why: null },
      examples: [{ chain: 'ETH', contractAddress: trap }],
    })
    const { lastChecked: _, createdAt: __, ...body } = after.body
    expect(before.body).toMatchObject(body)
    expect((await explained(trap)).similarCode.traps).toBe(0)
    await accuse(trap, { foundAt: 2, revoked: true })
    expect((await explained(twin)).similarCode).toMatchObject({ traps: 0, examples: [] })
    // What a list reports is nobody's proof.
    await accuse(trap, { foundAt: 3, class: 'reported' })
    expect((await explained(twin)).similarCode.traps).toBe(0)
  })

  test('is not compared where code says nothing: proxies and stubs', async () => {
    const stub = await lab.deploy(from, '0x6005600c60003960056000f3600160005260206000f3')
    await records.compute('ETH', stub)
    expect((await explained(stub)).similarCode).toEqual({
      ...{ analysed: null, traps: null, examples: [], why: 'the code is too short to compare' },
    })
  })

  test('an analysis of an earlier version has nothing to show, and states it', async () => {
    const old = {
      address: `0x${'0d'.repeat(20)}`,
      version: 1,
      token: '',
      status: 'Fraud',
      body: '{}',
      model_version: 'm',
    }
    await insert('contract_records', { ...old, reasons: '{"risk":[],"fraud":[]}', unknowns: '{}', family_hash: '0x01' })
    const { holders, similarCode, launchpad, simulation, walletTransfer } = await explained(old.address)
    for (const { why } of [holders, similarCode, launchpad, simulation, walletTransfer])
      expect(why).toBe('it was analysed by an earlier version')
    expect(launchpad.curve).toEqual({ stage: null, why: 'it was analysed by an earlier version' })
    // One that stored other facts, but no trades and no curve yet.
    const { curve: _curve, ...pad } = factsUnknown('of then').launchpad
    const facts = { ...factsUnknown('of then'), simulation: undefined, walletTransfer: undefined, launchpad: pad }
    await insert('contract_records', {
      ...{ ...old, version: 2, reasons: '{"risk":[],"fraud":[]}', unknowns: '{}', facts: JSON.stringify(facts) },
    })
    const later = await explained(old.address)
    const { launchpad: then } = later
    const earlier = 'it was analysed by an earlier version'
    const told = [then.why, then.curve.why, later.simulation.why, later.walletTransfer.why]
    expect(told).toEqual(['of then', earlier, earlier, earlier])
  })
})

describe('roles', () => {
  const role = (contract: string, subject: string, event: 'role_grant' | 'role_revoke', position: number) =>
    insert('authority', {
      ...{ ...head, position, authority: contract, event, subject, actor: from },
      ...{ amount: '0', detail: `0x${'5e'.repeat(32)}` },
    })
  const shift = async (keeper: string) => {
    const token = await lab.deploy(from, `${contracts.get('NightShift')?.creation ?? ''}${pad(keeper)}`)
    await lab.addLiquidity('ETH', from, token, 500_000n * E18, 20n * E18)
    return token
  }

  test('whoever was given a role before the logs of the node begin is tried as a caller', async () => {
    const keeper = (lab.accounts[3] ?? '').toLowerCase()
    const token = await shift(keeper)
    await role(token, keeper, 'role_grant', 9)
    const { body, told } = await analysed(token)
    expect(body.risk_indicators.is_mintable).toBe(1)
    expect(JSON.stringify(told)).toContain(keeper)
  })

  test('that an owner gave up is known from the tables, long after the logs of the node', async () => {
    const owned = async (before: string) => {
      const token = await lab.deploy(from, contracts.get('Deserted')?.creation ?? '')
      await lab.addLiquidity('ETH', from, token, 500_000n * E18, 20n * E18)
      await insert('authority', {
        ...{ ...head, position: 9, authority: token, event: 'owner_change', subject: ZERO, actor: from },
        ...{ amount: '0', detail: before },
      })
      return (await analysed(token)).body.risk_indicators.hidden_owner
    }
    expect([await owned(from), await owned(ZERO)]).toEqual([1, 0])
  })

  test('a role that was taken back, and one of another contract, prove nothing', async () => {
    const [keeper, other] = [lab.accounts[4], lab.accounts[5]].map((account) => (account ?? '').toLowerCase())
    const token = await shift(keeper ?? '')
    await role(token, keeper ?? '', 'role_grant', 9)
    await role(token, keeper ?? '', 'role_revoke', 10)
    // Named by a log and without a key: the contract refuses.
    await role(token, other ?? '', 'role_grant', 11)
    await role(dollar, keeper ?? '', 'role_grant', 12)
    expect((await bodyOf(token)).risk_indicators.is_mintable).toBe(0)
  })
})
