import { keccak256, toBytes, toFunctionSelector } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createRugExplain } from '../../../api/answers/providers/explanations/contract.ts'
import { systemClock } from '../../../platform/context/clock.ts'
import { fraudBody } from '../../../schema/records/fraud.ts'
import { rugBody } from '../../../schema/records/rug.ts'
import type { Requester } from '../../../scorer/contracts/chain/call.ts'
import { type ContractRecords, createContractRecords } from '../../../scorer/contracts/records/records.ts'
import { createContractStream } from '../../../scorer/contracts/records/stream.ts'
import { contractRegistry } from '../../../scorer/contracts/subject/registry.ts'
import { testContext } from '../../kit/context.ts'
import { SHARED_THREADS } from '../../kit/contracts/analysis-threads.ts'
import { type Lab, startLab } from '../../kit/contracts/markets/exchange-chain.ts'
import { compiledFile } from '../../kit/contracts/solidity/files.ts'
import { openVerdicts, type Verdicts } from '../../kit/scenario/verdicts.ts'

/** What opens SecretTrap. */
const SECRET = keccak256(toBytes('sesame'))
const registry = contractRegistry('ETH')!
const contracts = compiledFile(new URL('../../kit/contracts/tokens/contract-tokens.sol', import.meta.url))

let lab: Lab
let verdicts: Verdicts
let now = Date.now()
const clock = { ...systemClock, now: () => now }
const pad = (address: string) => address.slice(2).padStart(64, '0')
const word = (value: bigint) => value.toString(16).padStart(64, '0')

beforeAll(async () => {
  lab = await startLab()
  await lab.installExchange('ETH')
  verdicts = await openVerdicts({ url: lab.url, rpc: lab.ask })
  await verdicts.start()
})
afterAll(async () => {
  await verdicts?.close()
  await lab?.stop()
})
afterEach(() => verdicts.store.command('TRUNCATE TABLE address_labels'))

/** A token of a deployer's own, traded in a pool it made. */
const list = async (name: string, tokens = 500_000n) => {
  const compiled = contracts.get(name)
  const maker = `0x${Buffer.from(name).toString('hex').slice(0, 40).padEnd(40, '0')}`
  await lab.ask('anvil_setBalance', maker, '0xd3c21bcecceda1000000')
  const token = await lab.deploy(maker, compiled?.creation ?? '')
  const pair = await lab.addLiquidity('ETH', maker, token, tokens * 10n ** 18n, 20n * 10n ** 18n)
  if (compiled?.abi.some((item) => item.name === 'setPool'))
    await lab.send({ from: maker, to: token, data: `0x4437152a${pad(pair)}` })
  return { maker, token, pair }
}
const buy = async (from: string, token: string, value = 10n ** 16n) => {
  const router = registry.exchanges.flatMap((item) => (item.kind === 'v2' ? [item.router] : []))[0] ?? ''
  const path = `${word(2n)}${pad(registry.wrappedNative)}${pad(token)}`
  const data = `0x7ff36ab5${word(0n)}${word(128n)}${pad(from)}${word(2n ** 255n)}${path}`
  await lab.send({ from, to: router, value, data })
}

const balanceOf = async (asset: string, who: string) =>
  BigInt(await lab.ask<string>('eth_call', { to: asset, data: `0x70a08231${pad(who)}` }, 'latest'))
const give = (asset: string, from: string, to: string, amount: bigint) =>
  lab.send({ from, to: asset, data: `0xa9059cbb${pad(to)}${word(amount)}` })
const sell = async (from: string, token: string, pair: string, amount: bigint) => {
  const reserves = await lab.ask<string>('eth_call', { to: pair, data: '0x0902f1ac' }, 'latest')
  const [r0, r1] = [0, 1].map((i) => BigInt(`0x${reserves.slice(2 + 64 * i, 66 + 64 * i)}`)) as [bigint, bigint]
  const first = token < registry.wrappedNative
  const [own, base] = first ? [r0, r1] : [r1, r0]
  const out = (amount * 997n * base) / (own * 1_000n + amount * 997n)
  await give(token, from, pair, amount)
  const amounts = first ? [0n, out] : [out, 0n]
  const data = `0x022c0d9f${amounts.map(word).join('')}${pad(from)}${word(128n)}${word(0n)}`
  await lab.send({ from, to: pair, data })
}
const withdraw = async (from: string, pair: string, permille: bigint) => {
  await give(pair, from, pair, ((await balanceOf(pair, from)) * permille) / 1_000n)
  await lab.send({ from, to: pair, data: `0x89afcb44${pad(from)}` })
}
const funded = async (name: string) => {
  const address = `0x${Buffer.from(name).toString('hex').slice(0, 40).padEnd(40, '1')}`
  await lab.ask('anvil_setBalance', address, '0xd3c21bcecceda1000000')
  return address
}

type Opened = ContractRecords & { touched: string[] }
const open = (rpc: Requester = lab, store = verdicts.store): Opened => {
  const touched: string[] = []
  const touch = async (_: string, addresses: readonly string[]) => void touched.push(...addresses)
  return {
    ...createContractRecords({ context: { clock }, store, rpc: { ETH: rpc }, touch, options: SHARED_THREADS }),
    touched,
  }
}
const labelled = async () =>
  (
    await verdicts.store.query<{ address: string }>(
      `SELECT address FROM current_labels WHERE label = 'honeypot' AND class = 'detected' AND confidence >= 0.9 ORDER BY address`,
    )
  ).map((row) => row.address)
const words = async () =>
  (await verdicts.store.query<{ count: number }>('SELECT toUInt32(count()) AS count FROM address_labels'))[0]?.count
const bodyOf = (record: { body: string } | undefined) => rugBody.parse(JSON.parse(record?.body ?? ''))

/** The node with answers of one method changed. */
const nodeThat = (method: string, answer: (real: unknown, params: unknown[]) => unknown): Requester => ({
  request: async (call) => {
    const real = await lab.request(call)
    return call.method === method ? answer(real, call.params) : real
  },
})

test('whoever made a trap is flagged for it, and nobody who bought it or made what only looks like one', async () => {
  const traps = [await list('Honeypot'), await list('SecretTrap')]
  const honest = []
  for (const name of [
    ...['Impersonal', 'FixedFee', 'HeavyTax', 'AntiWhale', 'Cooldown', 'NotOpen', 'GuestLaunch'],
    ...['PausedSales', 'NoContracts', 'DatedSales', 'FreezesBuyers'],
  ])
    honest.push(await list(name))
  const issuer = await list('Issuer')
  await lab.send({ from: issuer.maker, to: issuer.token, data: '0x8456cb59' })
  // Not proved: some holder does sell.
  const guarded = await list('Whitelisted')
  const friend = (lab.accounts[4] ?? '').toLowerCase()
  await buy(friend, guarded.token)
  const welcome = `${toFunctionSelector('welcome(address,bool)')}${pad(friend)}${word(1n)}`
  await lab.send({ from: guarded.maker, to: guarded.token, data: welcome })
  const victims = lab.accounts.slice(2, 4).map((address) => address.toLowerCase())
  for (const victim of victims) for (const { token } of traps) await buy(victim, token)

  await verdicts.caughtUp()
  const context = testContext(clock)
  const records = open()
  const round = () =>
    createContractStream({
      context,
      store: verdicts.store,
      records,
      network: 'ETH',
      registry,
      options: { share: 1 },
    }).round()
  expect(await round()).toBe(honest.length + traps.length + 2)

  expect(await labelled()).toEqual(traps.map(({ token }) => token).sort())
  expect(records.touched.sort()).toEqual(traps.map(({ maker }) => maker).sort())
  const makers = [...traps, ...honest, issuer, guarded].map(({ maker }) => maker)
  const scored = await verdicts.score([...makers, ...victims])
  const flagged = [...scored].flatMap(([address, one]) => {
    const { forensic_details: said } = fraudBody.parse(JSON.parse(one.body))
    const { honeypot_related_address: trap, number_of_malicious_contracts_created: made, data_source: source } = said
    return source === '' && trap === '0' && made === '0' ? [] : [{ address, status: one.status, trap, made, source }]
  })
  expect(flagged.sort((a, b) => (a.address < b.address ? -1 : 1))).toEqual(
    traps
      .map(({ maker }) => ({ address: maker, status: 'Fraud', trap: '1', made: '1', source: 'honeypot-simulation' }))
      .sort((a, b) => (a.address < b.address ? -1 : 1)),
  )
  // The records of look-alikes are as before; one that only refuses contracts is no honeypot either.
  const [noContracts] = await records.lookup('ETH', [honest[8]?.token ?? ''])
  expect(bodyOf(noContracts).risk_indicators).toMatchObject({ is_honeypot: 0, sell_tax: 0 })

  // Analysed again, by another process: nothing new is said.
  const again = open()
  for (const { token } of traps) await again.compute('ETH', token)
  expect(await words()).toBe(traps.length)

  const [, secret] = traps
  await lab.send({
    from: victims[0] ?? '',
    to: secret?.token ?? '',
    data: `${toFunctionSelector('release(bytes32)')}${SECRET.slice(2)}`,
  })
  now += 1_000
  const after = open()
  expect(bodyOf(await after.compute('ETH', secret?.token ?? '')).risk_indicators.is_honeypot).toBe(0)
  expect(await labelled()).toEqual([traps[0]?.token])
  expect(after.touched).toEqual([secret?.maker])
  const released = (await verdicts.score([secret?.maker ?? ''])).get(secret?.maker ?? '')
  expect(fraudBody.parse(JSON.parse(released?.body ?? '')).forensic_details.honeypot_related_address).toBe('0')
})

test('liquidity and tokens are followed from the creator to who takes the pool, and honest exits are not', async () => {
  const buyers = lab.accounts.slice(2, 6).map((address) => address.toLowerCase())
  const launch = async () => {
    const listed = await list('Impersonal', 100_000n)
    for (const buyer of buyers) await buy(buyer, listed.token, 10n ** 18n)
    return listed
  }
  const fresh = await launch()
  const [one, two] = [await funded('one'), await funded('two')]
  await give(fresh.pair, fresh.maker, one, await balanceOf(fresh.pair, fresh.maker))
  await give(fresh.pair, one, two, await balanceOf(fresh.pair, one))
  await withdraw(two, fresh.pair, 995n)

  const dumped = await launch()
  for (const name of ['ring 1', 'ring 2', 'ring 3']) {
    const member = await funded(name)
    await give(dumped.token, dumped.maker, member, 150_000n * 10n ** 18n)
    await sell(member, dumped.token, dumped.pair, 150_000n * 10n ** 18n)
  }
  const split = await launch()
  await sell(split.maker, split.token, split.pair, 20_000n * 10n ** 18n)

  // A supporter whose liquidity is its own, and was most of the pool, leaves with a little of the creator's.
  const supported = await launch()
  const supporter = await funded('supporter')
  await give(supported.token, supported.maker, supporter, 800_000n * 10n ** 18n)
  await lab.addLiquidity('ETH', supporter, supported.token, 800_000n * 10n ** 18n, 150n * 10n ** 18n)
  await give(supported.pair, supported.maker, supporter, 10n ** 12n)
  await withdraw(supporter, supported.pair, 1_000n)

  // A buyer who was given a tenth of what it bought sells everything.
  const whale = await launch()
  const big = await funded('whale')
  await buy(big, whale.token, 60n * 10n ** 18n)
  const bought = await balanceOf(whale.token, big)
  await give(whale.token, whale.maker, big, bought / 10n)
  await sell(big, whale.token, whale.pair, bought + bought / 10n)

  await verdicts.caughtUp()
  const records = open()
  const found = []
  for (const { token } of [fresh, dumped, split, supported, whale]) {
    const made = await records.make('ETH', token)
    const { fraud } = JSON.parse(made?.row.reasons ?? '') as { fraud: { code: string; evidence: string[] }[] }
    const told = ['liquidity_removed', 'sold_by_insiders', 'market_resembles_rugs']
    found.push([made?.row.status, fraud.flatMap(({ code }) => (told.includes(code) ? [code] : []))])
  }
  expect(found).toEqual([
    ['Fraud', ['liquidity_removed']],
    ['Fraud', ['sold_by_insiders']],
    // New pools with a handful of trades look like others that were pulled: that ranks them, and convicts nobody.
    ['Not Fraud', ['market_resembles_rugs']],
    ['Not Fraud', []],
    ['Not Fraud', ['market_resembles_rugs']],
  ])
})

test.each<[string, Requester]>([
  [
    'cannot simulate blocks',
    nodeThat('eth_simulateV1', () => {
      throw new Error('request limit exceeded')
    }),
  ],
  [
    'simulates some of the blocks',
    nodeThat('eth_simulateV1', (real) => (Array.isArray(real) ? real.slice(0, 5) : real)),
  ],
  [
    'runs out of gas half-way',
    nodeThat('eth_simulateV1', (real) =>
      Array.isArray(real)
        ? real.map((block, at) =>
            at < 5 ? block : { ...block, calls: [{ status: '0x0', returnData: '0x', error: { code: -32015 } }] },
          )
        : real,
    ),
  ],
])('a node that %s proves nothing', async (_, node) => {
  const { token } = await list('Honeypot')
  const records = open(node)
  expect(bodyOf(await records.compute('ETH', token)).risk_indicators.is_honeypot).toBe(1)
  expect(await labelled()).toEqual([])
  // Nor does it take back what was proved.
  await open().compute('ETH', token)
  expect(await labelled()).toEqual([token])
  await records.compute('ETH', token)
  expect(await labelled()).toEqual([token])
})

test('sales that time may open prove nothing where a node fails a month ahead', async () => {
  let refused = 0
  const node = nodeThat('eth_call', (real, params) => {
    const { time } = (params[3] ?? {}) as { time?: string }
    if (Number(time ?? 0) < Date.now() / 1_000 + 10 * 86_400) return real
    refused++
    throw new Error('header not found')
  })
  const { token } = await list('DatedSales')
  expect(bodyOf(await open(node).compute('ETH', token)).risk_indicators.is_honeypot).toBe(0)
  expect(refused).toBeGreaterThan(0)
  const explained = await createRugExplain(verdicts.store)(
    { network: 'ETH', address: token },
    AbortSignal.timeout(60_000),
  )
  expect(explained?.fields.unknowns.join()).toContain('trades could not be simulated')
  expect(await labelled()).toEqual([])
})

test('who is stopped between the label and the record says it once and asks for the scores again', async () => {
  const { token, maker } = await list('Honeypot')
  await verdicts.caughtUp()
  let full = true
  const store: typeof verdicts.store = {
    ...verdicts.store,
    insert: (table, ...rest) =>
      full && table === 'contract_records'
        ? Promise.reject(new Error('stopped'))
        : verdicts.store.insert(table, ...rest),
  }
  const records = open(lab, store)
  await expect(records.compute('ETH', token)).rejects.toThrow('stopped')
  expect(await labelled()).toEqual([token])
  full = false
  await records.compute('ETH', token)
  expect(await words()).toBe(1)
  expect(records.touched).toEqual([maker, maker])
})

test('holders and events of a token that the index saw made are those of the chain', async () => {
  const { maker, token, pair } = await list('Announced')
  const friend = (lab.accounts[5] ?? '').toLowerCase()
  await buy(friend, token)
  await verdicts.caughtUp()
  expect(await open().compute('ETH', token)).toBeDefined()
  const told = await createRugExplain(verdicts.store)({ network: 'ETH', address: token }, AbortSignal.timeout(60_000))
  expect(told?.fields.holders).toMatchObject({
    count: 3,
    top: [
      { address: maker, amount: '500000', share: 0.5, contract: false, tags: ['creator'] },
      { address: pair, contract: true, tags: ['pool'] },
      { address: friend, contract: false, tags: [] },
    ],
    why: null,
  })
  expect(told?.fields.liquidityEvents).toEqual({ complete: true, why: null })
  // Nobody announced what a plain token was made of.
  const silent = await list('Impersonal')
  await verdicts.caughtUp()
  await open().compute('ETH', silent.token)
  const other = await createRugExplain(verdicts.store)(
    { network: 'ETH', address: silent.token },
    AbortSignal.timeout(60_000),
  )
  expect(other?.fields.holders).toEqual({
    ...{ count: null, top: [] },
    why: 'transfers in the tables do not add up to the supply',
  })
})
