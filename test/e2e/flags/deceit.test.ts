/** Deceit on a real chain: poisoned histories, threats, lures and counterfeits, beside faucets, vanity, victims' letters and honest gifts. */
import { type Address, encodeAbiParameters, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { compiled, flagScenario, transactionsIn } from '../../kit/scenario/flag-scenario.ts'
import { approve, settleResidents, TRANSFER, TRANSFER_FROM, USDC } from '../../kit/scenario/residents.ts'
import { createScenario, crowd, DOLLAR, ETHER, type ScenarioTx, who } from '../../kit/scenario/scenario.ts'

const code = compiled(new URL('./deceit.sol', import.meta.url))
const leaflet = (name: string, symbol: string): Hex => {
  const texts = encodeAbiParameters([{ type: 'string' }, { type: 'string' }], [name, symbol])
  return `${code('Leaflet')}${texts.slice(2)}`
}
const scenario = createScenario()
const { at } = scenario
const lives = settleResidents(scenario)

/** An address with given ends, as found by trying keys. */
const ends = (head: string, middle: string, tail: string): Address =>
  who(`0x${head}${Buffer.from(middle).toString('hex')}`.padEnd(42 - tail.length, '7') + tail)
const pairs = (prefix: string, tail: string) =>
  crowd(prefix, 3).map((victim, index) => ({
    victim,
    friend: ends(`ab${index}`, `${prefix}friend`, tail),
    fake: ends(`ab${index}`, `${prefix}fake`, tail),
  }))
const zero = pairs('v', 'cd12')
const dust = pairs('d', 'ef34')
const forged = pairs('f', '9a56')
const everyPair = [...zero, ...dust, ...forged]
const poisoned = everyPair.map(({ victim }) => victim)

// Poison: by transfers of nothing, by dust, by a counterfeit.
let batch: Address
let counterfeit: Address
let poison: { zero: ScenarioTx; dust: ScenarioTx[]; forged: ScenarioTx[] }
lives(poisoned)
at(3, ({ call, deploy }) => {
  for (const { victim, friend } of everyPair) call(victim, USDC, TRANSFER, [friend, 500n * DOLLAR])
  for (const { fake } of dust.slice(0, 2)) call('supplier', USDC, TRANSFER, [fake, DOLLAR])
  batch = deploy('poisoner', code('PoisonBatch'))
  counterfeit = deploy('printer', leaflet('USD Coin', 'USDC'))
})
at(2.5, ({ call }) => call('exchange', USDC, TRANSFER, [who('supplier'), 100n * DOLLAR]))
at(4, ({ call, pay }) => {
  const lists = [zero.map(({ victim }) => who(victim)), zero.map(({ fake }) => fake)]
  poison = {
    zero: call('poisoner', batch, 'poison(address,address[],address[])', [USDC, ...lists]),
    dust: dust.map(({ victim, fake }, index) =>
      index < 2 ? call(fake, USDC, TRANSFER, [who(victim), DOLLAR / 100n]) : pay(fake, victim, 10n ** 12n),
    ),
    forged: forged.map(({ victim, fake }) =>
      call('printer', counterfeit, 'pretend(address,address,uint256)', [who(victim), fake, 500n * DOLLAR]),
    ),
  }
})
// One falls for it; her friend sends a small change back.
at(5, ({ call }) => call('v0', USDC, TRANSFER, [zero[0]!.fake, 300n * DOLLAR]))
at(6, ({ call }) => call(zero[0]!.friend, USDC, TRANSFER, [who('v0'), 2n * DOLLAR]))

// Faucets, vanity, two addresses of one owner, gasless payments.
const [vanity, oldVanity] = [ends('00000000', 'mine', '11'), ends('00000000', 'olds', '22')]
const second = ends('ab1', 'second', 'cd12')
at(2.5, ({ call }) => {
  call('exchange', USDC, TRANSFER, [who('faucet'), 100n * DOLLAR])
  call('exchange', USDC, TRANSFER, [who('ann'), 100n * DOLLAR])
  call('exchange', USDC, TRANSFER, [vanity, 100n * DOLLAR])
  call('v0', USDC, TRANSFER, [oldVanity, 50n * DOLLAR])
})
at(4, (actions) => {
  approve(actions, ['ann'], 'relayer', USDC, 3n * DOLLAR)
  actions.call(zero[1]!.friend, USDC, TRANSFER, [second, 100n * DOLLAR])
})
at(5, ({ call }) => {
  for (const victim of poisoned) call('faucet', USDC, TRANSFER, [who(victim), DOLLAR / 10n])
  call(vanity, USDC, TRANSFER, [who('v0'), DOLLAR])
  call(second, USDC, TRANSFER, [who('v1'), DOLLAR])
  call('relayer', USDC, TRANSFER_FROM, [who('ann'), who('v0'), 3n * DOLLAR])
})

const POISON = { phishing_activities: '1', data_source: 'address-poisoning' }
const seen = (mode: string, { victim, friend, fake }: (typeof zero)[number], tx: ScenarioTx) =>
  expect.objectContaining({ mode, lookalike: fake, imitated: friend, victim: who(victim), transaction: tx.hash })

test('look-alikes from zero transfers, dust or counterfeits are poisoning, and flag the sender', () => {
  const { phishing_activities } = outcome.confirmed('poisoner', POISON)
  expect(phishing_activities).toMatchObject({ role: 'sender', victims: 3 })
  for (const pair of zero) {
    expect(phishing_activities!.pairs).toContainEqual(seen('zero', pair, poison.zero))
    expect(outcome.confirmed(pair.fake, POISON).phishing_activities!.pairs).toEqual([seen('zero', pair, poison.zero)])
  }
  for (const [index, pair] of dust.entries())
    expect(outcome.confirmed(pair.fake, POISON).phishing_activities!.pairs).toEqual([
      seen('dust', pair, poison.dust[index]!),
    ])
  for (const [index, pair] of forged.entries())
    expect(outcome.confirmed(pair.fake, POISON).phishing_activities!.pairs).toEqual([
      seen('counterfeit', pair, poison.forged[index]!),
    ])
  for (const name of ['printer', counterfeit]) {
    const { phishing_activities } = outcome.confirmed(name, POISON)
    expect(phishing_activities).toMatchObject({ role: 'token-maker', victims: 3 })
    for (const [index, pair] of forged.entries())
      expect(phishing_activities!.pairs).toContainEqual(seen('counterfeit', pair, poison.forged[index]!))
  }
})

test('victims, their real payees, faucets, vanity addresses, second addresses and relayers are no poisoners', () => {
  outcome.clear(...poisoned, ...everyPair.map(({ friend }) => friend))
  outcome.clear('faucet', vanity, oldVanity, second, 'relayer', 'ann', 'supplier', 'exchange')
})

// Letters.
const readers = crowd('r', 4)
const THREAT =
  'I have your photos and I will leak your photos to your family. Send 2 ETH to this address within 48 hours.'
const LETTERS: Record<string, string> = {
  extorter: THREAT,
  robbed:
    'You stole from us. Return the funds: send 90 ETH to this address within 24 hours, or we will expose your identity to the police.',
  hunter:
    'Your contract can be drained. This is a responsible disclosure; a bounty of 5 ETH to this address is welcome, before we publish the details of your files.',
  friend: 'gm! happy birthday, send me a photo of your family soon :)',
  registrar: 'renew vitalik.eth: please pay 0.01 ETH within 30 days',
  inscriber: 'data:,{"p":"erc-20","op":"mint","tick":"pay 2 eth"}',
}
let threats: ScenarioTx[]
let ransom: ScenarioTx
at(7, ({ write }) => {
  for (const [writer, text] of Object.entries(LETTERS)) {
    const letters = readers.map((reader) => write(writer, reader, text))
    if (writer === 'extorter') threats = letters
  }
  write('angry', 'r1', THREAT)
})
at(8, ({ pay }) => {
  ransom = pay('r0', 'extorter', 2n * ETHER)
})

test('threats with a demand to several victims are blackmail, and the ransom is reported', () => {
  const flags = { blackmail_activities: '1', data_source: 'extortion-message' }
  const { blackmail_activities } = outcome.confirmed('extorter', flags)
  expect(blackmail_activities).toMatchObject({ receivers: 4, payers: [{ payer: who('r0'), transaction: ransom.hash }] })
  expect(transactionsIn(blackmail_activities!.messages).sort()).toEqual(threats.map(({ hash }) => hash).sort())
})

test('robbery victims, bounty hunters, friends, bills, inscriptions, one quarrel and payers are no blackmail', () => {
  outcome.clear('robbed', 'hunter', 'friend', 'registrar', 'inscriber', 'angry', ...readers)
})

// Tokens thrust upon many: an invitation to a page, a counterfeit in foreign letters; and gifts, memes, tests, a bridged form.
const BRIDGED = who('0x41f7B8b9b897276b7AAE926a9016935280b44E97')
const people = crowd('p', 60)
const drops: Record<string, { token: Address; drop: ScenarioTx }> = {}
const TOKENS: Record<string, [name: string, symbol: string, to: number]> = {
  strewer: ['Claim at usdgift.org', '$ usdgift.org', 60],
  forger: ['USD\u200b Coin', 'USD\u0421', 60],
  donor: ['Fair Reward', 'FAIR', 60],
  meme: ['Pepe 2.0', 'PEPE2', 60],
  tester: ['Tether USD', 'USDT', 5],
}
at(9, ({ deploy, call }) => {
  for (const [maker, [name, symbol, to]] of Object.entries(TOKENS)) {
    const token = deploy(maker, leaflet(name, symbol))
    drops[maker] = { token, drop: call(maker, token, 'drop(address[])', [people.slice(0, to).map(who)]) }
  }
  call('bridger', BRIDGED, 'drop(address[])', [people.map(who)])
})

test('a token that invites many to a web page is phishing, one that looks like USDC a counterfeit; both flag the creator', () => {
  const lure = { phishing_activities: '1', data_source: 'airdrop-phish' }
  for (const name of ['strewer', drops.strewer!.token]) outcome.confirmed(name, lure)
  const fake = { fake_token: '1', data_source: 'counterfeit-token' }
  outcome.confirmed(drops.forger!.token, fake)
  const { fake_token } = outcome.confirmed('forger', { ...fake, number_of_malicious_contracts_created: '1' })
  expect(fake_token).toMatchObject({
    contract: drops.forger!.token,
    original: USDC,
    unasked: 60,
    transactions: [drops.forger!.drop.hash],
  })
})

test('gifts, memes, tests and bridged tokens of the same names are neither', () => {
  for (const maker of ['donor', 'meme', 'tester']) outcome.clear(maker, drops[maker]!.token)
  outcome.clear('bridger', BRIDGED, ...people)
})

const outcome = flagScenario(scenario, ({ place }) => place(BRIDGED, code('BridgedDollar')))

test('flags nobody else, agrees in hot and final rows, and leaves nothing after a reorg', () => {
  const tokens = ['strewer', drops.strewer!.token, 'forger', drops.forger!.token]
  outcome.onlyAccused('poisoner', 'printer', counterfeit, ...everyPair.map(({ fake }) => fake), 'extorter', ...tokens)
  // Holders of a token are known of final rows only.
  outcome.sameWhileHot('printer', counterfeit, 'strewer', drops.strewer!.token)
  outcome.clearWhileUndone()
})
