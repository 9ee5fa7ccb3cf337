/** Markets on a real chain: dumped and emptied pools, tokens nobody can sell, feigned trade, beside founders, makers and teams. */
import { type Address, encodeAbiParameters } from 'viem'
import { expect, test } from 'vitest'
import { ADDRESSES, loadUniswap } from '../../../deploy/demo/contracts/contracts.ts'
import { compiled, flagScenario, transactionsIn } from '../../kit/scenario/flag-scenario.ts'
import { APPROVE, TRANSFER, TRANSFER_FROM } from '../../kit/scenario/residents.ts'
import {
  type Actions,
  createScenario,
  crowd,
  ETHER,
  type ScenarioTx,
  UNLIMITED,
  who,
} from '../../kit/scenario/scenario.ts'
import { buy, launch, pairOf, SUPPLY, sell, withdraw } from '../../kit/scenario/trading.ts'

const code = compiled(new URL('./art.sol', import.meta.url))
const scenario = createScenario()
const { at } = scenario
const THOUSAND = 1_000n * ETHER
const allow = ({ call }: Actions, owner: string, token: Address) =>
  call(owner, token, APPROVE, [who(ADDRESSES.router), UNLIMITED])
const hashes = (transactions: readonly ScenarioTx[]) => transactions.map(({ hash }) => hash).sort()

// Rugs: by dumping, by withdrawal. A founder sells a part, a pool moves, an unused one closes, one closes late, a whale sells.
const makers = ['dumper', 'puller', 'founder', 'mover', 'quitter', 'churner', 'elder', 'team'] as const
const tokens: Partial<Record<string, Address>> = {}
const tokenOf = (maker: string): Address => tokens[maker] ?? who('0x')
const buyers = crowd('b', 4)
let dump: ScenarioTx[]
let pull: ScenarioTx
at(1, (actions) => {
  for (const maker of makers) tokens[maker] = launch(actions, maker)
})
at(2, (actions) => {
  for (const maker of makers)
    for (const buyer of maker === 'quitter' ? [] : buyers) buy(actions, buyer, tokenOf(maker), 20n * THOUSAND)
  buy(actions, 'whale', tokenOf('team'), 400n * THOUSAND)
  allow(actions, 'whale', tokenOf('team'))
})
at(3, (actions) => {
  dump = [1n, 80n].map((part) => sell(actions, 'dumper', tokenOf('dumper'), (part * SUPPLY) / 100n))
  pull = withdraw(actions, 'puller', tokenOf('puller'))
  sell(actions, 'founder', tokenOf('founder'), 300n * THOUSAND)
  sell(actions, 'whale', tokenOf('team'), 400n * THOUSAND)
  withdraw(actions, 'quitter', tokenOf('quitter'))
  for (const _ of crowd('', 8)) {
    sell(actions, 'churner', tokenOf('churner'), 200n * THOUSAND)
    buy(actions, 'churner', tokenOf('churner'), 190n * THOUSAND)
  }
  move(actions, tokenOf('mover'))
})
at(35, (actions) => withdraw(actions, 'elder', tokenOf('elder')))

/** To a pool of another factory, with all that was taken out. */
const move = (actions: Actions, token: Address) => {
  withdraw(actions, 'mover', token)
  const owner = encodeAbiParameters([{ type: 'address' }], [who('mover')])
  const factory = actions.deploy('mover', `${loadUniswap().factory}${owner.slice(2)}`)
  actions.call('mover', factory, 'createPair(address,address)', [token, ADDRESSES.weth])
  actions.call('mover', ADDRESSES.weth, 'deposit()', [], { value: 100n * ETHER })
  actions.call('mover', ADDRESSES.weth, TRANSFER, [pairOf(token, factory), 100n * ETHER])
  actions.call('mover', token, TRANSFER, [pairOf(token, factory), 900n * THOUSAND])
  actions.call('mover', pairOf(token, factory), 'mint(address)', [who('mover')])
}

const RUG = { financial_crime: '1', number_of_malicious_contracts_created: '1', data_source: 'rug-executed' }

test('dumping tokens on buyers or removing their liquidity is a rug pull', () => {
  const dumped = outcome.confirmed('dumper', RUG).financial_crime
  expect(dumped).toMatchObject({ by: 'dump', token: tokenOf('dumper'), pool: pairOf(tokenOf('dumper')), buyers: 4 })
  expect(transactionsIn(dumped).sort()).toEqual(hashes(dump))
  const pulled = outcome.confirmed('puller', RUG).financial_crime
  expect(pulled).toMatchObject({ by: 'removal', token: tokenOf('puller'), buyers: 4, transactions: [pull.hash] })
})

test('founders that sell a part, move, close or trade a pool honestly, and whales, commit no rug pull', () => {
  for (const maker of ['founder', 'mover', 'quitter', 'churner', 'elder', 'team']) outcome.clear(maker, tokenOf(maker))
  outcome.clear('whale', ...buyers)
})

// Traps: nobody can sell one token; of the others buyers wait, ask too much, or pay a fee.
const hopeful = crowd('h', 6)
const sellers = hopeful.slice(0, 3)
const markets = { trapper: 'HoneypotToken', patient: 'Token', liquid: 'Token', toll: 'FeeToken' } as const
let attempts: ScenarioTx[]
at(1, (actions) => {
  for (const [maker, kind] of Object.entries(markets)) tokens[maker] = launch(actions, maker, kind)
  actions.call('trapper', tokenOf('trapper'), 'close(address)', [pairOf(tokenOf('trapper'))])
})
at(2, (actions) => {
  for (const maker of Object.keys(markets)) for (const h of hopeful) buy(actions, h, tokenOf(maker), 10n * THOUSAND)
  for (const maker of ['trapper', 'liquid', 'toll']) for (const h of hopeful) allow(actions, h, tokenOf(maker))
})
at(3, (actions) => {
  attempts = sellers.map((h) => sell(actions, h, tokenOf('trapper'), 5n * THOUSAND, 0n, true))
  for (const h of sellers) sell(actions, h, tokenOf('liquid'), 5n * THOUSAND, 90n * ETHER, true)
  sell(actions, 'h5', tokenOf('liquid'), 5n * THOUSAND)
  for (const h of sellers) sell(actions, h, tokenOf('toll'), 5n * THOUSAND)
})
at(3.5, (actions) => sell(actions, 'trapper', tokenOf('trapper'), 10n * THOUSAND))

test('a token that many buy and nobody can sell is a honeypot', () => {
  const { honeypot_related_address } = outcome.confirmed('trapper', {
    honeypot_related_address: '1',
    number_of_malicious_contracts_created: '1',
    data_source: 'honeypot-history',
  })
  expect(honeypot_related_address).toMatchObject({ token: tokenOf('trapper'), buyers: 6, failedSellers: 3 })
  expect(transactionsIn(honeypot_related_address).sort()).toEqual(hashes(attempts))
})

test('tokens whose buyers wait, overprice or pay a fee are no honeypots, and buyers are not flagged', () => {
  for (const maker of ['patient', 'liquid', 'toll']) outcome.clear(maker, tokenOf(maker))
  outcome.clear(...hopeful)
})

// Feigned trade by wallets of the creator; hired makers, a loved token, a trial and believers beside it.
const rings = { washer: 'w', project: 'm', darling: 'd', tester: 't', believer: 'k' } as const
const of = (maker: keyof typeof rings) => crowd(rings[maker], 3)
const fans = crowd('fan', 12)
let feigned: ScenarioTx[]
at(1, (actions) => {
  for (const maker of Object.keys(rings)) tokens[maker] = launch(actions, maker)
  actions.pay('washer', 'w0', 10n * ETHER)
  actions.pay('w0', 'w1', 5n * ETHER)
  actions.pay('washer', 'w2', 10n * ETHER)
  for (const name of of('project')) actions.pay('maker-firm', name, 50n * ETHER)
  for (const maker of ['darling', 'tester', 'believer'] as const)
    for (const name of of(maker)) actions.pay(maker, name, 10n * ETHER)
})
at(2, (actions) => {
  const rounds = (maker: keyof typeof rings, size: bigint, times: number) => {
    for (const name of of(maker)) allow(actions, name, tokenOf(maker))
    return crowd('', times).flatMap(() =>
      of(maker).flatMap((name) => [
        buy(actions, name, tokenOf(maker), size),
        sell(actions, name, tokenOf(maker), size),
      ]),
    )
  }
  feigned = rounds('washer', 40n * THOUSAND, 5)
  rounds('project', 40n * THOUSAND, 5)
  rounds('darling', 20n * THOUSAND, 3)
  rounds('tester', THOUSAND / 10n, 5)
  for (const name of of('believer'))
    for (const _ of crowd('', 4)) buy(actions, name, tokenOf('believer'), 20n * THOUSAND)
  buy(actions, 'guest', tokenOf('washer'), 20n * THOUSAND)
  for (const fan of fans) buy(actions, fan, tokenOf('darling'), 40n * THOUSAND)
})

test('a creator whose own wallets trade its token is a wash trader, and so are these wallets', () => {
  for (const name of ['washer', ...of('washer')]) {
    const { financial_crime } = outcome.confirmed(name, { financial_crime: '1', data_source: 'wash-trading' })
    expect(financial_crime).toMatchObject({
      role: name === 'washer' ? 'maker' : 'member',
      token: tokenOf('washer'),
      traders: expect.arrayContaining(of('washer').map(who)),
      swaps: 30,
    })
    for (const hash of transactionsIn(financial_crime)) expect(hashes(feigned)).toContain(hash)
  }
})

test('market makers, a team next to real trade, small trials and fans are no wash traders', () => {
  for (const maker of ['project', 'darling', 'tester', 'believer'] as const)
    outcome.clear(maker, tokenOf(maker), ...of(maker))
  outcome.clear('maker-firm', 'guest', ...fans)
})

// One NFT sold round and round: by wallets of one purse, by collectors who know each other from it, and given away in a game.
const rounds = { turn: 1, fair: 2, game: 3 } as const
const players = (kind: keyof typeof rounds) => crowd(kind, 3)
let art: Address
let turns: ScenarioTx[]
at(1, ({ deploy, call, pay }) => {
  art = deploy('artist', code('Collection'))
  const gallery = deploy('dealer', code('Gallery'))
  for (const [kind, id] of Object.entries(rounds)) {
    call('artist', art, 'mint(address,uint256)', [who(`${kind}0`), id])
    for (const name of crowd(kind, 3)) call(name, art, 'setApprovalForAll(address,bool)', [gallery, true])
  }
  for (const name of players('turn')) pay('purse', name, 10n * ETHER)
  for (const name of players('fair')) pay(`pal-${name}`, name, 10n * ETHER)
  for (const name of players('game')) pay('guild', name, 10n * ETHER)
  const sales = (kind: 'turn' | 'fair') =>
    crowd('', 9).map((_, n) => {
      const [seller, buyer] = [who(`${kind}${n % 3}`), `${kind}${(n + 1) % 3}`]
      return call(buyer, gallery, 'buy(address,address,uint256)', [art, seller, rounds[kind]], { value: ETHER })
    })
  turns = sales('turn')
  sales('fair')
  for (let n = 0; n < 9; n++)
    call(`game${n % 3}`, art, TRANSFER_FROM, [who(`game${n % 3}`), who(`game${(n + 1) % 3}`), rounds.game])
})

test('related wallets that keep selling each other the same NFT are a ring', () => {
  for (const name of players('turn')) {
    const { financial_crime } = outcome.confirmed(name, { financial_crime: '1', data_source: 'nft-wash-ring' })
    expect(financial_crime).toMatchObject({
      collection: art,
      members: players('turn').map(who).sort(),
      share: 1,
      trades: 9,
    })
    expect(transactionsIn(financial_crime).sort()).toEqual(hashes(turns))
  }
})

test('collectors that buy back from strangers, players that give, and the gallery are no ring', () => {
  outcome.clear('artist', 'dealer', 'purse', 'guild', art, ...players('fair'), ...players('game'))
})

const outcome = flagScenario(scenario)

test('flags nobody else, agrees in hot and final rows, and leaves nothing after a reorg', () => {
  outcome.onlyAccused('dumper', 'puller', 'trapper', 'washer', ...of('washer'), ...players('turn'))
  outcome.sameWhileHot()
  outcome.clearWhileUndone()
})
