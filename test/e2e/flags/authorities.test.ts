/** What authorities, mixers and dirty money make of wallets on a real chain, and of those who merely met them. */
import { type Address, encodeAbiParameters, keccak256, toHex } from 'viem'
import { expect, test } from 'vitest'
import { ADDRESSES } from '../../../deploy/demo/contracts/contracts.ts'
import { writeLabels } from '../../../scorer/ledger/labels/write.ts'
import { compiled, flagScenario } from '../../kit/scenario/flag-scenario.ts'
import {
  APPROVE,
  approve,
  SALARY,
  settleResidents,
  TRANSFER,
  TRANSFER_FROM,
  USDC,
} from '../../kit/scenario/residents.ts'
import {
  type Actions,
  createScenario,
  crowd,
  DOLLAR,
  ETHER,
  type ScenarioTx,
  UNLIMITED,
  who,
} from '../../kit/scenario/scenario.ts'

const code = compiled(new URL('./authorities.sol', import.meta.url))
const scenario = createScenario()
const { at } = scenario
const lives = settleResidents(scenario)
const USDT = who('0xdAC17F958D2ee523a2206206994597C13D831ec7')
/** Tornado Cash's pool of 1,000 USDC, and the portal of Base (schema/registry). */
const USDC_MIXER = who('0x4736dCf1b7A3d580672CcE6E7c65cd5cc9cFBa9D')
const PORTAL = who('0x49048044D57e1C92A77f79988d21Fa8fAF74E97e')
const MIXER = who(ADDRESSES.mixerPool)
const MINUTE = 1 / 1_440
/** Buys and pays now and then: enough of a life to be more than a new address. */
const spends = (name: string, from: number) => {
  for (let time = 0; time < 4; time++)
    at(from + time, ({ pay }) => {
      for (const shop of crowd('shop', 3)) pay(name, shop, ETHER / 20n)
    })
}

// Sanctions and freezes, given and taken back.
let listing: ScenarioTx
let freeze: ScenarioTx
let seizure: ScenarioTx
const listed = ['bad', 'delisted', 'washer-boss']
at(3, ({ pay, call }) => {
  for (const name of ['bad', 'delisted', 'frozen', 'mistaken', 'tether-frozen', 'exposed'])
    pay('payroll', name, 19n * ETHER)
  pay('bad', 'exposed', ETHER)
  call('tether', USDT, 'issue(address,uint256)', [who('tether-frozen'), SALARY])
  call('tether', USDT, 'issue(address,uint256)', [who('mistaken'), SALARY])
})
at(4, ({ call }) => {
  const add = 'addToSanctionsList(address[])'
  listing = call('keeper', ADDRESSES.sanctionsOracle, add, [listed.map(who)])
  freeze = call('issuer', USDC, 'blacklist(address)', [who('frozen')])
  seizure = call('tether', USDT, 'addBlackList(address)', [who('tether-frozen')])
  call('tether', USDT, 'destroyBlackFunds(address)', [who('tether-frozen')])
  call('tether', USDT, 'addBlackList(address)', [who('mistaken')])
})
at(5, ({ call }) => {
  call('keeper', ADDRESSES.sanctionsOracle, 'removeFromSanctionsList(address[])', [[who('delisted')]])
  call('tether', USDT, 'removeBlackList(address)', [who('mistaken')])
})
at(6, ({ call }) => call('mistaken', USDT, TRANSFER, [who('shop0'), DOLLAR]))
for (const name of ['delisted', 'mistaken', 'exposed']) spends(name, 10)

test('listed wallets are sanctioned and frozen ones flagged, with the transaction of the authority as evidence', () => {
  const { sanctioned } = outcome.confirmed('bad', { sanctioned: '1', data_source: 'sanctions-oracle' })
  expect(sanctioned).toMatchObject({ authority: who(ADDRESSES.sanctionsOracle), transaction: listing.hash })
  const circle = outcome.confirmed('frozen', { blacklist_doubt: '1', data_source: 'issuer-freeze' })
  expect(circle.blacklist_doubt).toMatchObject({ authority: USDC, name: 'USDC', transaction: freeze.hash })
  const tether = outcome.confirmed('tether-frozen', { blacklist_doubt: '1', data_source: 'issuer-freeze' })
  expect(tether.blacklist_doubt).toMatchObject({ name: 'USDT', transaction: seizure.hash, seizures: 1 })
})

test('wallets that were delisted, unfrozen, or paid by a sanctioned wallet are clear', () => {
  outcome.clear('delisted', 'mistaken', 'exposed', 'keeper', 'issuer', 'tether', 'payroll')
})

// A mixer: a habit, and whoever touched it once, was sent something out of it, or carries withdrawals.
const note = (text: string) => keccak256(toHex(text))
const deposit = ({ call }: Actions, name: string, text: string) =>
  call(name, MIXER, 'deposit(bytes32)', [note(name + text)], { value: ETHER })
let habit: ScenarioTx[] = []
at(3, ({ pay }) => {
  pay('payroll', 'habit', 4n * ETHER)
  pay('payroll', 'once', 20n * ETHER)
  pay('payroll', 'rich', 500n * ETHER)
})
at(7, (actions) => {
  habit = ['a', 'b', 'c'].map((text) => deposit(actions, 'habit', text))
  deposit(actions, 'once', 'a')
  for (const text of ['a', 'b']) deposit(actions, 'rich', text)
  actions.pay('rich', 'vendor', 400n * ETHER)
})
at(8, ({ call }) => {
  const withdraw = 'withdraw(bytes,bytes32,bytes32,address,address,uint256,uint256)'
  for (const text of ['a', 'b'])
    call('relayer', MIXER, withdraw, ['0x', note('root'), note(text), who('dusted'), who('relayer'), ETHER / 20n, 0n])
})
for (const name of ['once', 'dusted']) spends(name, 14)

test('flags a mixer and its habitual users; not single users, dusted wallets or its servants', () => {
  const { mixer } = outcome.confirmed('habit', { mixer: '1', data_source: 'mixer-habit' })
  expect(mixer).toMatchObject({ ownEvents: 3, transactions: habit.map(({ hash }) => hash) })
  outcome.confirmed(MIXER, { mixer: '1', data_source: 'mixer-registry' })
  outcome.clear('once', 'dusted', 'rich', 'relayer', 'vendor')
})

// Loot of a sanctioned boss: into the mixer, over a bridge, down a chain of fresh addresses; or just spent.
const LOOT = 10n * ETHER
const tenths = (count: bigint) => (ETHER * count) / 10n
let exits: Record<'washer' | 'hopper' | 'peeler', ScenarioTx[]>
at(20, ({ pay }) => {
  for (const name of ['washer', 'hopper', 'peeler', 'payee', 'deposit-address']) pay('washer-boss', name, LOOT)
  pay('washer-boss', 'touched', tenths(1n))
  for (const client of crowd('client', 20)) pay(client, 'hot-wallet', 5n * ETHER)
  pay('washer-boss', 'hot-wallet', LOOT)
  pay('payroll', 'touched', LOOT)
  pay('payroll', 'payee', tenths(90n))
})
at(5, ({ pay }) => pay('payroll', 'till', ETHER))
at(20 + 20 * MINUTE, (actions) => {
  const bridge = (name: string, value: bigint) =>
    actions.call(name, PORTAL, 'depositTransaction(address)', [who(name)], { value })
  exits = {
    washer: ['a', 'b', 'c'].map((text) => deposit(actions, 'washer', text)),
    hopper: [bridge('hopper', tenths(95n))],
    peeler: [actions.pay('peeler', 'peel1', tenths(99n))],
  }
  bridge('hot-wallet', 50n * ETHER)
  deposit(actions, 'touched', 'a')
  actions.pay('deposit-address', 'till', tenths(99n))
})
at(20 + 40 * MINUTE, ({ pay }) => {
  exits.peeler.push(pay('peel1', 'peel2', tenths(98n)))
  pay('till', 'bank', tenths(98n))
})
at(20 + 60 * MINUTE, ({ pay }) => exits.peeler.push(pay('peel2', 'peel3', tenths(97n))))
spends('payee', 21)

const LAUNDERED = { money_laundering: '1', data_source: 'layering' }
const exit = (way: string, transactions: readonly ScenarioTx[]) => ({
  exits: [{ way, transactions: transactions.map(({ hash }) => hash) }],
})

test('loot sent straight into a mixer, over a bridge or down a chain of fresh addresses is laundering', () => {
  const washed = outcome.confirmed('washer', LAUNDERED)
  expect(washed.money_laundering).toMatchObject({ sources: [who('washer-boss')], ...exit('mixer', exits.washer) })
  expect(outcome.confirmed('hopper', LAUNDERED).money_laundering).toMatchObject(exit('bridge', exits.hopper))
  expect(outcome.confirmed('peeler', LAUNDERED).money_laundering).toMatchObject(exit('peel-chain', exits.peeler))
})

test('spending tainted funds, receiving some, running an exchange or a payment service is no laundering', () => {
  outcome.clear('payee', 'touched', 'hot-wallet', 'deposit-address', 'till', 'bank', 'peel3', PORTAL)
})

// A thief: takes dollars of three owners, puts them into a mixer; another sells them and hands the coins down a chain.
const robbed = crowd('v', 3)
const plundered = crowd('w', 3)
let mixed: ScenarioTx[]
lives([...robbed, ...plundered])
at(25, (actions) => {
  approve(actions, robbed, 'taker')
  approve(actions, plundered, 'seller')
})
at(26, ({ call }) => {
  for (const v of robbed) call('taker', USDC, TRANSFER_FROM, [who(v), who('taker'), SALARY])
  for (const w of plundered) call('seller', USDC, TRANSFER_FROM, [who(w), who('seller'), SALARY])
  call('taker', USDC, APPROVE, [USDC_MIXER, UNLIMITED])
})
at(26.1, ({ call, pay }) => {
  mixed = ['a', 'b', 'c'].map((text) => call('taker', USDC_MIXER, 'deposit(bytes32)', [note(text)]))
  call('seller', USDC, TRANSFER, [who('market'), 3n * SALARY])
  pay('market', 'seller', LOOT)
})
const chain = ['seller', 'link1', 'link2', 'link3', 'link4', 'account', 'custody']
for (const [index, name] of chain.slice(0, -1).entries())
  at(26.2 + index * 20 * MINUTE, ({ pay }) => pay(name, chain[index + 1]!, tenths(99n - BigInt(index))))
at(5, ({ pay }) => pay('payroll', 'custody', ETHER))

test('thieves that mix are launderers too, as are links of a chain, but not the account at its end', () => {
  const theft = { cybercrime: '1', phishing_activities: '1', stealing_attack: '1' }
  const sources = 'approval-drain,layering'
  const taker = outcome.confirmed('taker', {
    ...theft,
    money_laundering: '1',
    mixer: '1',
    data_source: `${sources},mixer-habit`,
  })
  expect(taker.money_laundering).toMatchObject({ ...exit('mixer', mixed), sources: robbed.map(who) })
  outcome.confirmed('seller', { ...theft, data_source: 'approval-drain' })
  for (const link of ['link1', 'link2', 'link3', 'link4']) outcome.confirmed(link, LAUNDERED)
  outcome.clear('account', 'custody', 'market', ...robbed, ...plundered)
})

// The dark web, which only loaded labels tell.
let purchase: ScenarioTx
at(27, ({ pay }) => {
  purchase = pay('buyer', 'dark-market', ETHER)
  pay('dark-market', 'paid', ETHER)
  pay('curious', 'dark-market', ETHER / 1_000n)
})

test('paying a dark-web service counts; being paid by it or paying a trifle does not', () => {
  const { darkweb_transactions } = outcome.confirmed('buyer', {
    darkweb_transactions: '1',
    data_source: 'darknet-payment',
  })
  expect(darkweb_transactions).toMatchObject({
    services: [who('dark-market')],
    payments: [{ transaction: purchase.hash }],
  })
  outcome.clear('paid', 'curious')
})

const outcome = flagScenario(scenario, async ({ place, verdicts }) => {
  const word = (value: Address | bigint) =>
    typeof value === 'bigint'
      ? encodeAbiParameters([{ type: 'uint256' }], [value]).slice(2)
      : encodeAbiParameters([{ type: 'address' }], [value]).slice(2)
  await place(USDT, code('Tether') + word(who('tether')))
  await place(USDC_MIXER, code('TokenMixer') + word(USDC) + word(SALARY))
  await place(PORTAL, code('Portal'))
  const found = { class: 'reported', confidence: 1, detector: 'list', detector_version: '1', evidence: {} } as const
  const place0 = {
    network: 'ETH',
    address: who('dark-market'),
    label: 'darknet',
    tx_hash: '',
    block_number: 0,
  } as const
  await writeLabels(verdicts.store, [{ ...found, ...place0, foundAt: Date.UTC(2026, 0, 1) }])
})

test('flags nobody else, agrees in hot and final rows, and leaves nothing after a reorg', () => {
  const money = ['washer', 'hopper', 'peeler', 'taker', 'seller', 'link1', 'link2', 'link3', 'link4']
  const known = ['bad', 'washer-boss', 'frozen', 'tether-frozen', 'habit', MIXER, USDC_MIXER, 'buyer', 'dark-market']
  outcome.onlyAccused(...money, ...known)
  outcome.sameWhileHot()
  outcome.clearWhileUndone('dark-market')
})
