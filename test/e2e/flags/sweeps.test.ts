/** Traps and sweeps on a real chain: delegated code, stolen keys, fake mining, fake claims, and honest services that do nearly the same. */
import { type Address, encodeAbiParameters, formatUnits, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { ADDRESSES, creationCode } from '../../../deploy/demo/contracts/contracts.ts'
import { compiled, flagScenario, transactionsIn } from '../../kit/scenario/flag-scenario.ts'
import { approve, GIFT_REMAINDER, SALARY, settleResidents, TRANSFER, USDC } from '../../kit/scenario/residents.ts'
import { createScenario, crowd, DOLLAR, ETHER, who } from '../../kit/scenario/scenario.ts'

const code = compiled(new URL('./sweeps.sol', import.meta.url))
const codeFor = (name: string, address: string): Hex =>
  `${code(name)}${encodeAbiParameters([{ type: 'address' }], [who(address)]).slice(2)}`
const scenario = createScenario()
const { at } = scenario
const lives = settleResidents(scenario)
type Hashes = { hash: string }[]
const hashes = (transactions: Hashes) => transactions.map(({ hash }) => hash).sort()

// EIP-7702: a sweeper in wallets whose keys were stolen, an exchange's in its deposit addresses, wallet code in people's.
const robbed = crowd('z', 22)
const deposits = crowd('deposit', 22)
const shoppers = crowd('b', 22)
let sweeper: Address
let swept: Hashes
lives([...robbed, ...shoppers])
at(10, ({ deploy, delegate }) => {
  sweeper = deploy('coder', codeFor('Sweeper', 'sink'))
  const forwarder = deploy('custodian', codeFor('Sweeper', 'hot-wallet'))
  const wallet = deploy('wallet-app', code('SmartWallet'))
  for (const z of robbed) delegate('funder', z, sweeper)
  for (const deposit of deposits) delegate('custodian', deposit, forwarder)
  for (const b of shoppers) delegate('wallet-app', b, wallet)
})
at(11, ({ pay }) => {
  swept = robbed.map((z) => pay(`fan-${z}`, z, ETHER))
  for (const deposit of deposits) pay(`client-${deposit}`, deposit, ETHER)
  for (const b of shoppers) pay(`boss-${b}`, b, 3n * ETHER)
})
at(12, ({ call }) => {
  for (const b of shoppers) call(b, b, 'execute(address,uint256)', [who('mall'), ETHER])
})

test('the recipient of an EIP-7702 sweeper is flagged for theft and cybercrime', () => {
  const flags = { cybercrime: '1', stealing_attack: '1', data_source: 'sweeper-delegate' }
  const { cybercrime } = outcome.confirmed('sink', flags)
  expect(cybercrime).toMatchObject({
    delegates: [sweeper],
    authorities: 22,
    swept: 22,
    independent: 22,
    medianBlocks: 0,
  })
  for (const hash of transactionsIn(cybercrime)) expect(hashes(swept)).toContain(hash)
})

test('exchanges that sweep deposit addresses, smart wallets, their shop and the swept accounts are no sweepers', () => {
  outcome.clear('hot-wallet', 'custodian', 'mall', 'wallet-app', 'coder', 'funder')
  outcome.clear(...robbed, ...deposits.slice(0, 3), ...shoppers.slice(0, 3))
})

// Stolen keys: gas comes, everything goes, a mixer follows. Custodians, exchanges, owners and members empty wallets too.
const emptied = crowd('k', 6)
const moved = crowd('v', 6)
const accounts = crowd('account', 6)
const mine = crowd('m', 6)
const members = crowd('member', 6)
const GAS = ETHER / 1_000n
const collectors = { robber: emptied, vault: moved, desk: accounts, me: mine, club: members }
let thefts: Hashes
let mixed: Hashes
for (const [index, k] of emptied.entries()) lives([k, moved[index]!], 1 + index)
lives(members)
at(3, ({ pay, call }) => {
  for (const name of mine) {
    pay('card', name, ETHER)
    call('exchange', USDC, TRANSFER, [who(name), SALARY])
  }
  for (const account of accounts) {
    call('exchange', USDC, TRANSFER, [who(`client-${account}`), SALARY])
    call(`client-${account}`, USDC, TRANSFER, [who(account), SALARY])
  }
})
at(4, ({ pay }) => {
  for (const name of mine) for (const place of ['game', 'app']) pay(name, place, ETHER / 2n)
})
at(9, ({ pay }) => {
  for (const name of [...emptied, ...moved, ...members]) pay(name, `end-${name}`, GIFT_REMAINDER)
})
at(20, ({ pay }) => {
  for (const [collector, wallets] of Object.entries(collectors)) for (const name of wallets) pay(collector, name, GAS)
})
at(20.005, ({ call }) => {
  const all = (name: string, to: string) => call(name, USDC, TRANSFER, [who(to), to === 'club' ? SALARY / 2n : SALARY])
  thefts = emptied.map((k) => all(k, 'robber'))
  for (const [collector, wallets] of Object.entries(collectors))
    if (collector !== 'robber') for (const name of wallets) all(name, collector)
})
at(21, ({ call }) => {
  const note = who('robber').padEnd(66, '0')
  mixed = [call('robber', ADDRESSES.mixerPool, 'deposit(bytes32)', [note], { value: ETHER })]
})

test('a wallet that sends unrelated accounts gas, gets all they have within minutes and uses a mixer has their keys', () => {
  const { stealing_attack } = outcome.confirmed('robber', { stealing_attack: '1', data_source: 'key-sweep' })
  expect(stealing_attack).toMatchObject({ victims: 6, mixed: hashes(mixed) })
  expect(transactionsIn(stealing_attack).sort()).toEqual(hashes(thefts))
})

test('custodians, exchanges, owners of many wallets and clubs collect without stolen keys', () => {
  outcome.clear('vault', 'desk', 'me', 'club', ...emptied, ...moved, ...accounts, ...mine, ...members)
})

// Liquidity mining: one pool feeds its members and takes it all, one pays rewards, one subscription refunds gas.
const fed = crowd('f', 6)
const stakers = crowd('s', 6)
const subscribers = crowd('u', 6)
let mining: Record<'pool' | 'stake' | 'subscription', Address>
const payouts: Hashes[] = []
let pulls: Hashes
lives([...fed, ...stakers, ...subscribers])
at(5, (actions) => {
  mining = {
    pool: actions.deploy('miner', code('Grab')),
    stake: actions.deploy('chef', code('Stake')),
    subscription: actions.deploy('biller', code('Subscription')),
  }
  approve(actions, fed, mining.pool)
  approve(actions, stakers, mining.stake)
  approve(actions, subscribers, mining.subscription)
  for (const s of stakers) actions.call(s, mining.stake, 'join(address,uint256)', [USDC, SALARY])
})
for (const [nth, day] of [6, 7].entries())
  at(day, ({ pay }) => {
    payouts[nth] = fed.map((name) => pay('miner', name, 10n * GAS))
    for (const name of stakers) pay('chef', name, 10n * GAS)
    for (const name of subscribers) pay('biller', name, 10n * GAS)
  })
at(7, ({ call }) => {
  for (const u of subscribers)
    call('biller', mining.subscription, 'bill(address,address,uint256)', [USDC, who(u), DOLLAR])
})
at(40, ({ call }) => {
  pulls = fed.slice(0, 3).map((name) => call('miner', mining.pool, 'take(address,address)', [USDC, who(name)]))
  for (const s of stakers) call(s, mining.stake, 'leave(address)', [USDC])
})

test('fake mining: paying members small sums, then taking all they approved flags contract and creator', () => {
  const flags = { malicious_mining_activities: '1', data_source: 'fake-mining' }
  for (const name of ['miner', mining.pool]) {
    const { malicious_mining_activities } = outcome.confirmed(name, flags)
    const victims = fed.slice(0, 3).map((victim, index) => ({
      victim: who(victim),
      amount: { unit: 'USDC', amount: formatUnits(SALARY, 6) },
      paidIn: payouts.map((day) => day[index]?.hash),
      transaction: pulls[index]?.hash,
    }))
    expect(malicious_mining_activities).toMatchObject({ spender: mining.pool, owners: 6, victims })
  }
})

test('stakes that members withdraw themselves, subscriptions with refunds and the paid members are no fake mining', () => {
  outcome.clear('chef', mining.stake, 'biller', mining.subscription, ...fed, ...stakers, ...subscribers)
})

// Claims for a fee: one gives nothing and is shared out, one gives tokens, one is a lottery.
const payers = crowd('p', 6)
const claimers = crowd('c', 6)
const players = crowd('l', 6)
let claim: Record<'trap' | 'airdrop' | 'lottery', Address>
let claims: Hashes
lives([...payers, ...claimers, ...players])
at(8, ({ deploy, call }) => {
  const token = deploy('donor', creationCode('Token', 'Harvest', 'HARV', 1_000_000n * ETHER))
  claim = {
    trap: deploy('faker', code('FakeClaim')),
    airdrop: deploy('donor', codeFor('Airdrop', token)),
    lottery: deploy('house', code('Lottery')),
  }
  for (const [index, p] of payers.entries()) call(`affiliate${index % 2}`, claim.trap, 'brings(address)', [who(p)])
  call('donor', token, TRANSFER, [claim.airdrop, 10_000n * ETHER])
})
at(9, ({ call }) => {
  const pays = (payer: string, to: Address) => call(payer, to, 'claim()', [], { value: 300n * GAS })
  claims = payers.map((p) => pays(p, claim.trap))
  for (const c of claimers) pays(c, claim.airdrop)
  for (const l of players) pays(l, claim.lottery)
})

test('a claim that gives nothing is phishing, and flags contract, creator and those who share the coins', () => {
  const fake = outcome.confirmed(claim.trap, { phishing_activities: '1', data_source: 'fake-claim' })
  expect(fake.phishing_activities).toMatchObject({ contract: claim.trap, payers: 6, selectors: ['0x4e71d92d'] })
  expect(transactionsIn(fake.phishing_activities).sort()).toEqual(hashes(claims))
  outcome.confirmed('faker', { cybercrime: '1', phishing_activities: '1', data_source: 'drainer-split,fake-claim' })
  for (const affiliate of crowd('affiliate', 2))
    outcome.confirmed(affiliate, { phishing_activities: '1', data_source: 'drainer-split' })
})

test('claims that give tokens, lotteries and payers are no phishing', () => {
  outcome.clear('donor', claim.airdrop, 'house', claim.lottery, ...payers, ...claimers, ...players)
})

const outcome = flagScenario(scenario)

test('flags nobody else, agrees in hot and final rows, and leaves nothing after a reorg', () => {
  const mixer = ADDRESSES.mixerPool
  outcome.onlyAccused('sink', 'robber', 'miner', mining.pool, 'faker', claim.trap, 'affiliate0', 'affiliate1', mixer)
  outcome.sameWhileHot()
  outcome.clearWhileUndone()
})
