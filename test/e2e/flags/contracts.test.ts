/** Contracts on a real chain: a scheme, forged events, stolen gas, changed code and a robbed vault, beside honest ones of each shape. */
import { type Address, encodeAbiParameters, getCreate2Address, type Hex, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { creationCode } from '../../../deploy/demo/contracts/contracts.ts'
import { GAS_TOKENS } from '../../../schema/registry/contracts.ts'
import { compiled, flagScenario, transactionsIn } from '../../kit/scenario/flag-scenario.ts'
import { APPROVE, TRANSFER, TRANSFER_FROM } from '../../kit/scenario/residents.ts'
import { createScenario, crowd, ETHER, type ScenarioTx, UNLIMITED, who } from '../../kit/scenario/scenario.ts'

const code = compiled(new URL('./contracts.sol', import.meta.url))
const codeFor = (name: string, types: string[], values: unknown[]): Hex => {
  const words = encodeAbiParameters(
    types.map((type) => ({ type })),
    values,
  )
  return `${code(name)}${words.slice(2)}`
}
const scenario = createScenario()
const { at } = scenario
const hashes = (transactions: readonly ScenarioTx[]) => transactions.map(({ hash }) => hash).sort()
/** Where the contracts of the scenario stand, by name. */
const places: Record<string, Address> = {}
const place = (name: string): Address => places[name] ?? who(name)

// Coins come in and go out: a scheme, an auction, tips, a farm, a shop with recommendations.
const people = crowd('p', 14)
const friends = crowd('friend', 5)
const clients = crowd('client', 60)
let joined: ScenarioTx[]
at(1, ({ deploy, pay }) => {
  places.doubler = deploy('schemer', code('Doubler'))
  places.auction = deploy('house', code('Auction'))
  places.tips = deploy('artist', codeFor('Tips', ['address'], [who('band')]))
  places.farm = deploy('farmer', code('Farm'))
  places.shop = deploy('seller', code('PassShop'))
  pay('donor', places.farm, 50n * ETHER)
})
at(2, ({ call }) => {
  const join = (name: string, contract: string, value = ETHER) => call(name, place(contract), 'join()', [], { value })
  joined = people.map((name) => join(name, 'doubler'))
  for (const [index, name] of people.entries()) join(name, 'auction', (BigInt(index + 1) * ETHER) / 10n)
  for (const contract of ['tips', 'farm']) for (const name of people) join(name, contract)
  const pass = (name: string, friend: string) =>
    call(name, place('shop'), 'buy(address)', [friend], { value: ETHER / 10n })
  for (const name of friends) pass(name, who(`0x${'0'.repeat(40)}`))
  for (const [index, name] of clients.entries()) pass(name, who(`friend${index % friends.length}`))
})
at(3, ({ call }) => {
  for (const name of people) call(name, place('farm'), 'leave()')
})

test('a contract that doubles early deposits from later ones is a Ponzi scheme, and flags its creator', () => {
  for (const name of ['schemer', place('doubler')]) {
    const { financial_crime } = outcome.confirmed(name, { financial_crime: '1', data_source: 'ponzi-contract' })
    expect(financial_crime).toMatchObject({ contract: place('doubler'), depositors: 14, winners: 6, losers: 8 })
    expect(transactionsIn(financial_crime).length).toBeGreaterThan(5)
    for (const hash of transactionsIn(financial_crime)) expect(hashes(joined)).toContain(hash)
  }
})

test('refunding auctions, tips, reward farms and referral shops are no Ponzi contracts, and members are no creators', () => {
  outcome.clear('house', place('auction'), 'artist', 'band', place('tips'), 'farmer', place('farm'), 'donor')
  outcome.clear('seller', place('shop'), ...people, ...friends, ...clients.slice(0, 5))
})

// Tokens whose events lie; founders who had their parts before any event.
const famous = crowd('famous', 6)
const founders = crowd('founder', 6)
let lie: ScenarioTx
at(4, ({ deploy, call }) => {
  places.galaxy = deploy('announcer', code('Galaxy'))
  lie = call('announcer', places.galaxy, 'announce(address[],address,uint256)', [famous.map(who), who('mark'), ETHER])
  places.founders = deploy('treasurer', codeFor('Founders', ['address[]'], [founders.map(who)]))
  for (const name of founders) call(name, places.founders, TRANSFER, [who('partner'), ETHER])
  for (const name of founders) call(name, places.founders, APPROVE, [who('escrow'), UNLIMITED])
  for (const name of founders) call('escrow', places.founders, TRANSFER_FROM, [who(name), who('partner'), ETHER])
})

test('a token whose events move balances of accounts that never had any is a fake standard', () => {
  const fake = { fake_standard_interface: '1', data_source: 'forged-events' }
  const convicts = { announcer: { ...fake, number_of_malicious_contracts_created: '1' }, [place('galaxy')]: fake }
  for (const [name, flags] of Object.entries(convicts)) {
    expect(outcome.confirmed(name, flags).fake_standard_interface).toMatchObject({
      contract: place('galaxy'),
      owners: 6,
      named: famous.map(who).sort(),
      transactions: [lie.hash],
    })
  }
})

test('a token with balances from before its first event is not fake, nor are its founders or accounts in forged events', () => {
  outcome.clear('treasurer', place('founders'), 'escrow', 'partner', 'mark', ...founders, ...famous)
})

// Gas of callers: minted into CHI for the token, for themselves, or spent on a diary.
const CHI = who([...GAS_TOKENS.ETH.values()].find(({ symbol }) => symbol === 'CHI')?.address ?? '')
const holders = crowd('g', 5)
let burned: ScenarioTx[]
at(5, ({ deploy, call }) => {
  const fuel = (maker: string, shares: boolean) => deploy(maker, codeFor('Fuel', ['address', 'bool'], [CHI, shares]))
  places.leech = fuel('leecher', false)
  places.thrift = fuel('saver', true)
  places.diary = deploy('diarist', code('Diary'))
  for (const maker of ['leecher', 'saver', 'diarist']) call(maker, CHI, 'mint(uint256)', [5n])
  const tokens = { leecher: places.leech, saver: places.thrift, diarist: places.diary }
  for (const [maker, token] of Object.entries(tokens))
    for (const name of holders) call(maker, token, TRANSFER, [who(name), 100n * ETHER])
})
at(6, ({ call }) => {
  const moves = (token: string) => holders.map((name) => call(name, place(token), TRANSFER, [who('pal'), ETHER]))
  burned = moves('leech')
  for (const token of ['thrift', 'diary']) moves(token)
})

test('a token that mints gas tokens for itself on every transfer is gas abuse', () => {
  const abuse = { gas_abuse: '1', data_source: 'gas-minting' }
  const convicts = { leecher: { ...abuse, number_of_malicious_contracts_created: '1' }, [place('leech')]: abuse }
  for (const [name, flags] of Object.entries(convicts)) {
    const { gas_abuse } = outcome.confirmed(name, flags)
    expect(gas_abuse).toMatchObject({ contract: place('leech'), beneficiary: place('leech'), asset: CHI })
    expect(transactionsIn(gas_abuse).sort()).toEqual(hashes(burned))
  }
})

test('tokens that mint for the caller or are merely expensive are no gas abuse, and neither are calls', () => {
  outcome.clear('saver', place('thrift'), 'diarist', place('diary'), ...holders)
})

// Code that changes at one address; that comes back the same; that stands beside other code; that a proxy leaves alone.
const shell = (maker: string, salt: Hex): Address =>
  who(getCreate2Address({ from: place(`${maker}-shapes`), salt, bytecodeHash: keccak256(code('Shell')) }))
const [ONE, TWO] = [`0x${'0'.repeat(63)}1`, `0x${'0'.repeat(63)}2`] as const
let shown: ScenarioTx[]
at(7, ({ deploy, call }) => {
  for (const maker of ['shaper', 'repeater', 'zookeeper']) places[`${maker}-shapes`] = deploy(maker, code('Shapes'))
  const show = (maker: string, hungry: boolean, briefly: boolean, salt: Hex = ONE) =>
    call(maker, place(`${maker}-shapes`), 'show(bool,bool,bytes32)', [hungry, briefly, salt])
  shown = [show('shaper', false, true), show('shaper', true, false)]
  for (const briefly of [true, true, false]) show('repeater', false, briefly)
  for (const [salt, hungry] of [
    [ONE, false],
    [TWO, true],
  ] as const)
    show('zookeeper', hungry, false, salt)
  places.proxy = deploy('upgrader', code('Proxy'))
  for (const target of ['shaper', 'repeater'])
    call('upgrader', places.proxy, 'upgrade(address)', [place(`${target}-shapes`)])
  places.grave = deploy('digger', code('Harmless'))
})
at(8, ({ call }) => call('digger', place('grave'), 'vanish()'))

test('a contract that is destroyed and recreated with other code is reinit, and flags its creator', () => {
  const [first, second] = shown.map(({ hash }) => hash)
  for (const name of ['shaper', shell('shaper', ONE)])
    expect(outcome.confirmed(name, { reinit: '1', data_source: 'redeployed-contract' }).reinit).toMatchObject({
      contract: shell('shaper', ONE),
      transactions: [first, first, second],
    })
})

test('identical code, another address, a proxy upgrade or a contract that stays destroyed is no reinit', () => {
  outcome.clear('repeater', shell('repeater', ONE), 'zookeeper', shell('zookeeper', ONE), shell('zookeeper', TWO))
  outcome.clear('upgrader', place('proxy'), 'digger', place('grave'))
})

// Vaults that pay twice, and borrowed coins: a thief, an owner who saves his own, his heir, a white hat; and arbitrage between desks.
const breakers = { thief: 'builder', keeper: 'keeper', heir: 'mason', hat: 'baker' } as const
let heist: ScenarioTx
at(10, ({ deploy, pay, call }) => {
  places.lender = deploy('bank', code('FlashLender'))
  pay('bank', places.lender, 5_000n * ETHER)
  for (const [breaker, builder] of Object.entries({ ...breakers, plain: 'rescuer' }))
    places[`${breaker}-vault`] = deploy(builder, code('Vault'))
  const gem = deploy('jeweller', creationCode('Token', 'Gem', 'GEM', 1_000_000n * ETHER))
  for (const [name, price] of [
    ['cheap', 1n],
    ['dear', 3n],
  ] as const) {
    places[name] = deploy(`desk-${name}`, codeFor('Desk', ['address', 'uint256'], [gem, price * ETHER]))
    call('jeweller', gem, TRANSFER, [places[name], 10_000n * ETHER])
    pay('trader', places[name], 500n * ETHER)
  }
})
at(11, ({ call }) => {
  for (const breaker of [...Object.keys(breakers), 'plain'])
    for (const [name, coins] of [
      ['ann', 150n],
      ['bob', 50n],
    ] as const)
      call(name, place(`${breaker}-vault`), 'deposit()', [], { value: coins * ETHER })
})
at(19, ({ call }) => call('mason', place('heir-vault'), 'transferOwnership(address)', [who('heir')]))
at(20, ({ deploy, pay }) => {
  for (const breaker of Object.keys(breakers)) {
    pay('card', breaker, ETHER / 10n)
    places[`${breaker}-tool`] = deploy(breaker, code('Twice'))
  }
  pay('card', 'arbitrageur', ETHER / 10n)
  places.arbitrage = deploy('arbitrageur', code('Arbitrageur'))
})
at(20.1, ({ call }) => {
  const run = (breaker: string) => {
    const args = [place('lender'), place(`${breaker}-vault`), 200n * ETHER]
    return call(breaker, place(`${breaker}-tool`), 'run(address,address,uint256)', args)
  }
  heist = run('thief')
  for (const breaker of ['keeper', 'heir', 'hat']) run(breaker)
  call('rescuer', place('plain-vault'), 'rescue()')
  const desks = [place('lender'), place('cheap'), place('dear'), 150n * ETHER]
  call('arbitrageur', place('arbitrage'), 'run(address,address,address,uint256)', desks)
})
at(20.2, ({ pay }) => pay('hat', 'baker', 180n * ETHER))

test('emptying a vault with a flash loan counted twice is theft and cybercrime', () => {
  const flags = { cybercrime: '1', stealing_attack: '1', data_source: 'contract-exploit' }
  expect(outcome.confirmed('thief', flags).stealing_attack).toMatchObject({
    tool: place('thief-tool'),
    victim: place('thief-vault'),
    lender: place('lender'),
    lost: { amount: '200', unit: 'ETH', usd: '400000.00' },
    share: 1,
    transaction: heist.hash,
  })
})

test('owners, their heirs, white hats and arbitrageurs are no exploiters', () => {
  outcome.clear('keeper', 'heir', 'rescuer', 'hat', 'arbitrageur', ...Object.values(breakers), 'ann', 'bob', 'bank')
  outcome.clear(place('lender'), place('thief-vault'), place('cheap'), place('dear'), 'jeweller', 'trader')
})

const outcome = flagScenario(scenario, ({ place }) => place(CHI, code('Chi')))

test('flags nobody else, agrees in hot and final rows, and leaves nothing after a reorg', () => {
  const final = ['announcer', place('galaxy'), 'leecher', place('leech'), 'thief']
  outcome.onlyAccused('schemer', place('doubler'), 'shaper', shell('shaper', ONE), ...final)
  // Holders of a token, and whether blocks are missing, are known of final rows only.
  outcome.sameWhileHot(...final)
  outcome.clearWhileUndone()
})
