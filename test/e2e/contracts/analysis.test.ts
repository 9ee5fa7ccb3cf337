import { encodeAbiParameters, keccak256, toBytes, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rugBody } from '../../../schema/records/rug.ts'
import {
  type ContractAnalysis,
  type ContractReport,
  createContractAnalysis,
} from '../../../scorer/contracts/analysis.ts'
import type { Requester } from '../../../scorer/contracts/chain/call.ts'
import { createStakeholders } from '../../../scorer/contracts/stakeholders/node.ts'
import type { Indicators } from '../../../scorer/contracts/verdict/verdict.ts'
import { SHARED_THREADS } from '../../kit/contracts/analysis-threads.ts'
import { type Lab, startLab } from '../../kit/contracts/markets/exchange-chain.ts'
import { compiledFile } from '../../kit/contracts/solidity/files.ts'

let lab: Lab
let analyse: ContractAnalysis
let contracts: ReturnType<typeof compiledFile>
const UNCX = '0x663a5c229c09b049e36dcc11a9b0d4a8eb9db214'
const pad = (address: string) => address.slice(2).padStart(64, '0')
const toFunctionData = (signature: string, address: string) => `${toFunctionSelector(signature)}${pad(address)}`
const word = (value: bigint) => value.toString(16).padStart(64, '0')

beforeAll(async () => {
  contracts = compiledFile(new URL('../../kit/contracts/tokens/contract-tokens.sol', import.meta.url))
  lab = await startLab()
  await lab.installExchange('ETH')
  const context = { clock: { now: Date.now, sleep: async () => {} } }
  analyse = createContractAnalysis({
    context,
    rpc: lab,
    network: 'ETH',
    stakeholders: createStakeholders({ network: 'ETH' }),
    options: SHARED_THREADS,
  })
})
afterAll(() => lab?.stop())

const list = async (
  name: string,
  creation = contracts.get(name)?.creation ?? '',
): Promise<{ token: string; pair: string }> => {
  const from = lab.accounts[0] ?? ''
  const token = await lab.deploy(from, creation)
  const pair = await lab.addLiquidity('ETH', from, token, 500_000n * 10n ** 18n, 20n * 10n ** 18n)
  if (contracts.get(name)?.abi.some((item) => item.name === 'setPool')) {
    await lab.send({ from, to: token, data: `0x4437152a${pad(pair)}` })
  }
  return { token, pair }
}

const raised = ({ indicators }: ContractReport): string[] =>
  Object.entries(indicators)
    .filter(([name, value]) => value === 1 && name !== 'is_in_dex')
    .map(([name]) => name)
    .sort()

const HONEYPOT: (keyof Indicators)[] = ['is_honeypot']
const TRAP: (keyof Indicators)[] = ['is_honeypot', 'is_whitelisted']

test.each<[string, (keyof Indicators)[], 'Fraud' | 'Not Fraud']>([
  ['Impersonal', [], 'Not Fraud'],
  ['FixedFee', ['is_whitelisted'], 'Not Fraud'],
  ['Honeypot', TRAP, 'Fraud'],
  ['ClosesByTime', HONEYPOT, 'Fraud'],
  ['ClosesByBlock', HONEYPOT, 'Fraud'],
  ['ClosesByAge', HONEYPOT, 'Fraud'],
  ['SellsCrumbs', ['cannot_sell_all'], 'Fraud'],
  ['Whitelisted', TRAP, 'Fraud'],
  ['HeavyTax', TRAP, 'Fraud'],
  ['RisingTax', ['slippage_modifiable'], 'Not Fraud'],
  ['PersonalTax', ['personal_slippage_modifiable'], 'Not Fraud'],
  ['HiddenMinter', ['hidden_owner', 'is_mintable'], 'Fraud'],
  ['MaskedMinter', ['hidden_owner', 'is_mintable'], 'Fraud'],
  ['ShownMinter', ['is_mintable'], 'Not Fraud'],
  ['OpenMinter', ['is_mintable'], 'Not Fraud'],
  ['CappedMinter', [], 'Not Fraud'],
  ['FakeRenounce', ['can_take_back_ownership'], 'Fraud'],
  ['LockedOwner', ['can_take_back_ownership'], 'Not Fraud'],
  ['Issuer', ['is_blacklisted', 'is_mintable', 'owner_change_balance', 'transfer_pausable'], 'Not Fraud'],
  ['Burner', ['owner_change_balance'], 'Not Fraud'],
  ['Rebasing', [], 'Not Fraud'],
  ['AntiWhale', ['is_anti_whale'], 'Not Fraud'],
  ['AntiWhaleModifiable', ['anti_whale_modifiable', 'is_anti_whale'], 'Not Fraud'],
  ['Cooldown', ['trading_cooldown'], 'Not Fraud'],
  ['NotOpen', ['cannot_buy'], 'Not Fraud'],
  ['NotOpenHoneypot', ['cannot_buy', ...TRAP], 'Fraud'],
  ['FreezesBuyers', ['is_blacklisted'], 'Not Fraud'],
  ['Switch', ['transfer_pausable'], 'Not Fraud'],
  ['Destructible', ['selfdestruct'], 'Not Fraud'],
  ['GasEater', ['gas_abuse'], 'Fraud'],
  ['AsksOutside', ['external_call'], 'Not Fraud'],
  ['AsksAnyone', ['external_call', 'transfer_pausable'], 'Not Fraud'],
  ['TellsAnyone', ['external_call'], 'Not Fraud'],
])('%s raises exactly %j and is %s', async (name, flags, status) => {
  const { token } = await list(name)
  const report = await analyse(token)
  expect(report).toBeDefined()
  expect(raised(report!)).toEqual([...flags].sort())
  expect(report!.status).toBe(status)
  expect(rugBody.safeParse(report!.body).error).toBeUndefined()
})

test('whoever rules the contract that transfers ask rules the token', async () => {
  const from = lab.accounts[0] ?? ''
  const registrar = await lab.deploy(lab.accounts[4] ?? '', contracts.get('Registrar')?.creation ?? '')
  const { token } = await list('AsksRegistrar')
  expect((await analyse(token))?.indicators).toMatchObject({ external_call: 1, is_blacklisted: 0 })
  await lab.send({ from, to: token, data: toFunctionData('appoint(address)', registrar) })
  const report = await analyse(token)
  expect(report?.indicators).toMatchObject({ external_call: 1, is_blacklisted: 1, transfer_pausable: 0 })
  expect(report?.findings.blacklist.evidence).toEqual([
    `${toFunctionSelector('strike(address,bool)')} of ${registrar} called by ${lab.accounts[4]?.toLowerCase()}: freeze_one`,
  ])
})

test('members of a role are found by the events that named them, whoever deployed', async () => {
  const from = lab.accounts[0] ?? ''
  const member = lab.accounts[5] ?? ''
  const found: (number | undefined)[] = []
  for (const name of ['RoleMinter', 'RoleCounter']) {
    const { token } = await list(name)
    found.push((await analyse(token))?.indicators.is_mintable)
    const role = keccak256(toBytes('GUEST')).slice(2)
    await lab.send({
      from,
      to: token,
      data: `${toFunctionSelector('grantRole(bytes32,address)')}${role}${pad(member)}`,
    })
    found.push((await analyse(token))?.indicators.is_mintable)
  }
  expect(found).toEqual([0, 1, 0, 0])
})

test('a keeper who can take what was left with a vault is named, one who cannot is not', async () => {
  const from = lab.accounts[0] ?? ''
  const found: unknown[] = []
  for (const name of ['Vault', 'KeeperVault']) {
    const report = await analyse(await lab.deploy(from, contracts.get(name)?.creation ?? ''))
    found.push(report?.body.forensic_details)
  }
  expect(found).toMatchObject([{ privilege_withdraw: 0 }, { privilege_withdraw: 1 }])
})

test('a mint that works once is told from one that does not end', async () => {
  const [once, open] = [await analyse((await list('MintsOnce')).token), await analyse((await list('OpenMinter')).token)]
  expect(once?.findings).toMatchObject({ mintsOnce: true, mint: { holds: true } })
  expect(once?.findings.mint.evidence[0]).toContain('works once')
  expect(open?.findings).toMatchObject({ mintsOnce: false, mint: { holds: true } })
})

test('taxes are whole percent as a trader pays them', async () => {
  const { token } = await list('FixedFee')
  expect((await analyse(token))?.indicators).toMatchObject({ buy_tax: 3, sell_tax: 3 })
})

test('an owner who can sweep the contract or spend allowances is named in the forensic details', async () => {
  const [sweeper, thief] = [await list('Sweeper'), await list('AllowanceThief')]
  expect((await analyse(sweeper.token))?.body.forensic_details).toMatchObject({
    privilege_withdraw: 1,
    approval_abuse: 0,
  })
  expect((await analyse(thief.token))?.body.forensic_details).toMatchObject({
    privilege_withdraw: 0,
    approval_abuse: 1,
  })
})

test('a pool address gives the verdict of its token, and an account without code gives none', async () => {
  const { token, pair } = await list('Honeypot')
  const [byToken, byPool] = [await analyse(token), await analyse(pair)]
  expect(byPool?.token).toBe(token)
  expect(byPool?.indicators).toEqual(byToken?.indicators)
  expect(byPool?.body.pairAddress).toBe(pair)
  expect(await analyse(lab.accounts[3] ?? '')).toBeUndefined()
})

test('a proxy is followed to code that can be replaced, and analysed again when it was', async () => {
  const from = lab.accounts[0] ?? ''
  const implementation = await lab.deploy(from, contracts.get('Upgradeable')?.creation ?? '')
  const trap = await lab.deploy(from, contracts.get('Issuer')?.creation ?? '')
  const argument = encodeAbiParameters([{ type: 'address' }], [implementation as `0x${string}`]).slice(2)
  const proxy = await lab.deploy(from, `${contracts.get('Proxy')?.creation}${argument}`)
  await lab.send({ from, to: proxy, data: '0x8129fc1c' })
  await lab.addLiquidity('ETH', from, proxy, 500_000n * 10n ** 18n, 20n * 10n ** 18n)
  const before = await analyse(proxy)
  expect(before?.indicators).toMatchObject({ is_proxy: 1, is_blacklisted: 0, is_honeypot: 0, is_in_dex: 1 })
  await lab.ask(
    'anvil_setStorageAt',
    proxy,
    '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
    `0x${pad(trap)}`,
  )
  expect((await analyse(proxy))?.indicators).toMatchObject({ is_proxy: 1, is_blacklisted: 1, owner_change_balance: 1 })
})

describe('liquidity is locked', () => {
  const lockAt = async (locker: string, pair: string, until: bigint) => {
    const from = lab.accounts[0] ?? ''
    const held = BigInt(await lab.ask<string>('eth_call', { to: pair, data: `0x70a08231${pad(from)}` }, 'latest'))
    await lab.send({ from, to: pair, data: `0x095ea7b3${pad(locker)}${word(held)}` })
    await lab.send({ from, to: locker, data: `0xe2ab691d${pad(pair)}${word(held)}${word(until)}` })
  }
  const later = BigInt(Math.floor(Date.now() / 1_000) + 400 * 86_400)

  test('by a locker of the registry until a date a year ahead', async () => {
    await lab.ask('anvil_setCode', UNCX, contracts.get('Locker')?.runtime)
    const { token, pair } = await list('Impersonal')
    expect((await analyse(token))?.indicators.lp_holders_locked).toBe(false)
    await lockAt(UNCX, pair, later)
    expect((await analyse(token))?.indicators.lp_holders_locked).toBe(true)
  })
  test('not by a contract that only looks like one', async () => {
    const { token, pair } = await list('Impersonal')
    await lockAt(await lab.deploy(lab.accounts[0] ?? '', contracts.get('Locker')?.creation ?? ''), pair, later)
    expect((await analyse(token))?.indicators.lp_holders_locked).toBe(false)
  })
  test('not when the lock ends within a month', async () => {
    const { token, pair } = await list('Impersonal')
    await lockAt(UNCX, pair, BigInt(Math.floor(Date.now() / 1_000) + 10 * 86_400))
    expect((await analyse(token))?.indicators.lp_holders_locked).toBe(false)
  })
  test('by burning it', async () => {
    const { token, pair } = await list('Impersonal')
    const from = lab.accounts[0] ?? ''
    const held = BigInt(await lab.ask<string>('eth_call', { to: pair, data: `0x70a08231${pad(from)}` }, 'latest'))
    await lab.send({
      from,
      to: pair,
      data: `0xa9059cbb${pad('0x000000000000000000000000000000000000dead')}${word(held)}`,
    })
    expect((await analyse(token))?.indicators.lp_holders_locked).toBe(true)
  })
})

test('insiders who take the liquidity out are the reason of the verdict, and the events are listed newest first', async () => {
  const { token, pair } = await list('Impersonal')
  const from = lab.accounts[0] ?? ''
  const held = BigInt(await lab.ask<string>('eth_call', { to: pair, data: `0x70a08231${pad(from)}` }, 'latest'))
  await lab.send({ from, to: pair, data: `0xa9059cbb${pad(pair)}${word((held * 95n) / 100n)}` })
  await lab.send({ from, to: pair, data: `0x89afcb44${pad(from)}` })
  const report = await analyse(token)
  expect(report?.status).toBe('Fraud')
  const [removed] = report?.reasons.fraud.filter(({ code }) => code === 'liquidity_removed') ?? []
  const [amount] = removed?.amounts ?? []
  expect(amount).toMatchObject({ address: from.toLowerCase(), unit: 'weth', transaction: expect.stringMatching(/^0x/) })
  expect(amount?.amount).toMatch(/^18\.\d{15,18}$/)
  expect(removed?.evidence[0]).toContain(`withdrew ${amount?.amount} weth in`)
  expect(report?.body.liquidityEvent).toMatchObject([
    { eventType: 'remove', token: 'weth', from_address: from.toLowerCase() },
    { eventType: 'add', amount: 20, token: 'weth' },
  ])
})

test.each(['Endless', 'RevertsWithMegabytes', 'MemoryBomb', 'ReturnBomb'])(
  '%s is answered in bounded time',
  async (name) => {
    const { token } = await list(name)
    const started = performance.now()
    const report = await analyse(token)
    expect(performance.now() - started).toBeLessThan(45_000)
    expect(report?.indicators.is_honeypot).toBe(name === 'ReturnBomb' ? 0 : 1)
  },
)

test('the same height gives the same bytes apart from clocks', async () => {
  const { token } = await list('Issuer')
  const height = Number(await lab.ask<string>('eth_blockNumber'))
  const bodies = [await analyse(token, height), await analyse(token, height)].map((report) => ({
    ...report?.body,
    lastChecked: '',
    createdAt: '',
  }))
  expect(bodies[0]).toEqual(bodies[1])
})

/** As geth, Erigon and Nethermind count (maxSimulateBlocks), as Infura documents, and as blocks that fill gaps take time. */
const [MOST_AHEAD, MOST_BLOCKS, GAP_SECONDS] = [256, 16, 12]

type Simulated = { blockOverrides: { number: string; time: string } }
const granted = (blocks: readonly Simulated[], head: number): boolean => {
  const moments = blocks.map(({ blockOverrides: { number, time } }) => ({ number: Number(number), time: Number(time) }))
  const inOrder = moments.every(({ number, time }, at) => {
    const before = moments[at - 1] ?? { number: number - 1, time: 0 }
    return number > before.number && time > before.time + (number - before.number - 1) * GAP_SECONDS
  })
  return inOrder && blocks.length <= MOST_BLOCKS && (moments.at(-1)?.number ?? 0) <= head + MOST_AHEAD
}

test('nodes are not asked for more simulated blocks than they grant', async () => {
  const refused: unknown[] = []
  const rpc: Requester = {
    request: async (call) => {
      const [{ blockStateCalls = [] } = {}] = call.params as { blockStateCalls?: Simulated[] }[]
      const head = Number(await lab.ask<string>('eth_blockNumber'))
      if (call.method !== 'eth_simulateV1' || granted(blockStateCalls, head)) return lab.request(call)
      refused.push(blockStateCalls.map(({ blockOverrides }) => blockOverrides))
      throw new Error('too many blocks')
    },
  }
  const context = { clock: { now: Date.now, sleep: async () => {} } }
  const stakeholders = createStakeholders({ network: 'ETH' })
  const asked = createContractAnalysis({ context, rpc, network: 'ETH', stakeholders, options: SHARED_THREADS })
  const reports = []
  for (const name of ['ClosesByAge', 'LockedOwner', 'Cooldown', 'Honeypot']) {
    const { token } = await list(name)
    reports.push(await asked(token))
  }
  expect(refused).toEqual([])
  expect(reports).toMatchObject([
    { indicators: { is_honeypot: 1 } },
    { indicators: { can_take_back_ownership: 1 } },
    { indicators: { trading_cooldown: 1 } },
    { honeypot: { verdict: 'trap' } },
  ])
})
