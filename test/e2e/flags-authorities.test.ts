/** What authorities, mixers and dirty money make of wallets on a real chain, and of those who merely met them. */
import { type Address, encodeAbiParameters, keccak256, toHex } from 'viem'
import { expect, test } from 'vitest'
import { PLACES } from '../../deploy/demo/contracts/contracts.ts'
import { writeLabels } from '../../scorer/ledger/labels/write.ts'
import { compiled, flagStage } from '../kit/scenario/flag-scenario.ts'
import { APPROVE, approve, PULL, SALARY, settleTown, TRANSFER, USDC } from '../kit/scenario/residents.ts'
import { createPlay, crowd, type Deed, DOLLAR, ETHER, type Hand, UNLIMITED, who } from '../kit/scenario/scenario.ts'

const code = compiled(new URL('./flags-authorities.sol', import.meta.url))
const play = createPlay()
const { at } = play
const lives = settleTown(play)
const USDT = who('0xdAC17F958D2ee523a2206206994597C13D831ec7')
/** Tornado Cash's pool of 1,000 USDC, and the portal of Base (schema/registry). */
const USDC_MIXER = who('0x4736dCf1b7A3d580672CcE6E7c65cd5cc9cFBa9D')
const PORTAL = who('0x49048044D57e1C92A77f79988d21Fa8fAF74E97e')
const MIXER = who(PLACES.mixerPool)
const MINUTE = 1 / 1_440
/** Buys and pays now and then: enough of a life to be more than a new address. */
const spends = (name: string, from: number) => {
  for (let time = 0; time < 4; time++)
    at(from + time, ({ pay }) => {
      for (const shop of crowd('shop', 3)) pay(name, shop, ETHER / 20n)
    })
}

// Sanctions and freezes, given and taken back.
let listing: Deed
let freeze: Deed
let seizure: Deed
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
  listing = call('keeper', PLACES.sanctionsOracle, add, [listed.map(who)])
  freeze = call('issuer', USDC, 'blacklist(address)', [who('frozen')])
  seizure = call('tether', USDT, 'addBlackList(address)', [who('tether-frozen')])
  call('tether', USDT, 'destroyBlackFunds(address)', [who('tether-frozen')])
  call('tether', USDT, 'addBlackList(address)', [who('mistaken')])
})
at(5, ({ call }) => {
  call('keeper', PLACES.sanctionsOracle, 'removeFromSanctionsList(address[])', [[who('delisted')]])
  call('tether', USDT, 'removeBlackList(address)', [who('mistaken')])
})
at(6, ({ call }) => call('mistaken', USDT, TRANSFER, [who('shop0'), DOLLAR]))
for (const name of ['delisted', 'mistaken', 'exposed']) spends(name, 10)

test('listed is sanctioned and frozen is doubted, with the authority’s own transaction as evidence', () => {
  const { sanctioned } = stage.convicted('bad', { sanctioned: '1', data_source: 'sanctions-oracle' })
  expect(sanctioned).toMatchObject({ authority: who(PLACES.sanctionsOracle), transaction: listing.hash })
  const circle = stage.convicted('frozen', { blacklist_doubt: '1', data_source: 'issuer-freeze' })
  expect(circle.blacklist_doubt).toMatchObject({ authority: USDC, name: 'USDC', transaction: freeze.hash })
  const tether = stage.convicted('tether-frozen', { blacklist_doubt: '1', data_source: 'issuer-freeze' })
  expect(tether.blacklist_doubt).toMatchObject({ name: 'USDT', transaction: seizure.hash, seizures: 1 })
})

test('who was delisted, frozen by mistake and released, or paid by a sanctioned one is clear', () => {
  stage.clear('delisted', 'mistaken', 'exposed', 'keeper', 'issuer', 'tether', 'payroll')
})

// A mixer: a habit, and whoever touched it once, was sent something out of it, or carries withdrawals.
const note = (text: string) => keccak256(toHex(text))
const deposit = ({ call }: Hand, name: string, text: string) =>
  call(name, MIXER, 'deposit(bytes32)', [note(name + text)], { value: ETHER })
let habit: Deed[] = []
at(3, ({ pay }) => {
  pay('payroll', 'habit', 4n * ETHER)
  pay('payroll', 'once', 20n * ETHER)
  pay('payroll', 'rich', 500n * ETHER)
})
at(7, (hand) => {
  habit = ['a', 'b', 'c'].map((text) => deposit(hand, 'habit', text))
  deposit(hand, 'once', 'a')
  for (const text of ['a', 'b']) deposit(hand, 'rich', text)
  hand.pay('rich', 'vendor', 400n * ETHER)
})
at(8, ({ call }) => {
  const withdraw = 'withdraw(bytes,bytes32,bytes32,address,address,uint256,uint256)'
  for (const text of ['a', 'b'])
    call('relayer', MIXER, withdraw, ['0x', note('root'), note(text), who('dusted'), who('relayer'), ETHER / 20n, 0n])
})
for (const name of ['once', 'dusted']) spends(name, 14)

test('who lives with a mixer is flagged, and so is the mixer; who met it once, was dusted by it or serves it is not', () => {
  const { mixer } = stage.convicted('habit', { mixer: '1', data_source: 'mixer-habit' })
  expect(mixer).toMatchObject({ ownEvents: 3, transactions: habit.map(({ hash }) => hash) })
  stage.convicted(MIXER, { mixer: '1', data_source: 'mixer-registry' })
  stage.clear('once', 'dusted', 'rich', 'relayer', 'vendor')
})

// Loot of a sanctioned boss: into the mixer, over a bridge, down a chain of fresh addresses; or just spent.
const LOOT = 10n * ETHER
const tenths = (count: bigint) => (ETHER * count) / 10n
let exits: Record<'washer' | 'hopper' | 'peeler', Deed[]>
at(20, ({ pay }) => {
  for (const name of ['washer', 'hopper', 'peeler', 'payee', 'deposit-address']) pay('washer-boss', name, LOOT)
  pay('washer-boss', 'touched', tenths(1n))
  for (const client of crowd('client', 20)) pay(client, 'hot-wallet', 5n * ETHER)
  pay('washer-boss', 'hot-wallet', LOOT)
  pay('payroll', 'touched', LOOT)
  pay('payroll', 'payee', tenths(90n))
})
at(5, ({ pay }) => pay('payroll', 'till', ETHER))
at(20 + 20 * MINUTE, (hand) => {
  const bridge = (name: string, value: bigint) =>
    hand.call(name, PORTAL, 'depositTransaction(address)', [who(name)], { value })
  exits = {
    washer: ['a', 'b', 'c'].map((text) => deposit(hand, 'washer', text)),
    hopper: [bridge('hopper', tenths(95n))],
    peeler: [hand.pay('peeler', 'peel1', tenths(99n))],
  }
  bridge('hot-wallet', 50n * ETHER)
  deposit(hand, 'touched', 'a')
  hand.pay('deposit-address', 'till', tenths(99n))
})
at(20 + 40 * MINUTE, ({ pay }) => {
  exits.peeler.push(pay('peel1', 'peel2', tenths(98n)))
  pay('till', 'bank', tenths(98n))
})
at(20 + 60 * MINUTE, ({ pay }) => exits.peeler.push(pay('peel2', 'peel3', tenths(97n))))
spends('payee', 21)

const LAUNDERED = { money_laundering: '1', data_source: 'layering' }
const exit = (way: string, deeds: readonly Deed[]) => ({
  exits: [{ way, transactions: deeds.map(({ hash }) => hash) }],
})

test('loot that goes straight into a mixer, over a bridge or down a chain of fresh addresses is laundered', () => {
  const washed = stage.convicted('washer', LAUNDERED)
  expect(washed.money_laundering).toMatchObject({ sources: [who('washer-boss')], ...exit('mixer', exits.washer) })
  expect(stage.convicted('hopper', LAUNDERED).money_laundering).toMatchObject(exit('bridge', exits.hopper))
  expect(stage.convicted('peeler', LAUNDERED).money_laundering).toMatchObject(exit('peel-chain', exits.peeler))
})

test('who spends dirty money, was touched by some, runs an exchange or a payment service launders nothing', () => {
  stage.clear('payee', 'touched', 'hot-wallet', 'deposit-address', 'till', 'bank', 'peel3', PORTAL)
})

// A thief: takes dollars of three owners, puts them into a mixer; another sells them and hands the coins down a chain.
const robbed = crowd('v', 3)
const plundered = crowd('w', 3)
let mixed: Deed[]
lives([...robbed, ...plundered])
at(25, (hand) => {
  approve(hand, robbed, 'taker')
  approve(hand, plundered, 'seller')
})
at(26, ({ call }) => {
  for (const v of robbed) call('taker', USDC, PULL, [who(v), who('taker'), SALARY])
  for (const w of plundered) call('seller', USDC, PULL, [who(w), who('seller'), SALARY])
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

test('thieves who mix launder as well, and so do the links below one, but not the account at its end', () => {
  const theft = { cybercrime: '1', phishing_activities: '1', stealing_attack: '1' }
  const sources = 'approval-drain,layering'
  const taker = stage.convicted('taker', {
    ...theft,
    money_laundering: '1',
    mixer: '1',
    data_source: `${sources},mixer-habit`,
  })
  expect(taker.money_laundering).toMatchObject({ ...exit('mixer', mixed), sources: robbed.map(who) })
  stage.convicted('seller', { ...theft, data_source: 'approval-drain' })
  for (const link of ['link1', 'link2', 'link3', 'link4']) stage.convicted(link, LAUNDERED)
  stage.clear('account', 'custody', 'market', ...robbed, ...plundered)
})

// The dark web, which only loaded labels tell.
let purchase: Deed
at(27, ({ pay }) => {
  purchase = pay('buyer', 'dark-market', ETHER)
  pay('dark-market', 'paid', ETHER)
  pay('curious', 'dark-market', ETHER / 1_000n)
})

test('who pays a dark-web service deals with it; who is paid by it or pays a trifle does not', () => {
  const { darkweb_transactions } = stage.convicted('buyer', {
    darkweb_transactions: '1',
    data_source: 'darknet-payment',
  })
  expect(darkweb_transactions).toMatchObject({
    services: [who('dark-market')],
    payments: [{ transaction: purchase.hash }],
  })
  stage.clear('paid', 'curious')
})

const stage = flagStage(play, async ({ place, verdicts }) => {
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

test('nobody else is flagged, hot rows and final rows agree, and nothing is left after a reorg', () => {
  const money = ['washer', 'hopper', 'peeler', 'taker', 'seller', 'link1', 'link2', 'link3', 'link4']
  const known = ['bad', 'washer-boss', 'frozen', 'tether-frozen', 'habit', MIXER, USDC_MIXER, 'buyer', 'dark-market']
  stage.onlyAccused(...money, ...known)
  stage.sameWhileHot()
  stage.clearWhileUndone('dark-market')
})
