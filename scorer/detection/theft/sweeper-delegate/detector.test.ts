import { expect, test } from 'vitest'
import { act, coin, crowd, ETH, flagsKit, flagsOf, life, pay } from '../../../../test/contract/scoring/flags.kit.ts'
import { named, type Tx } from '../../../../test/kit/world/transactions.ts'
import { sweptOf } from './sweeps.ts'

const { happened, score } = flagsKit()

const delegates = (name: string, to: string, block: number): Tx =>
  act('funder', name, block, { do: 'delegate', authority: named(name), delegate: named(to) })
/** Coins come in and are forwarded in the same transaction. */
const trickle = (name: string, sink: string, block: number): Tx => ({
  ...pay(`fan-${name}`, name, block, ETH),
  actions: [coin(name, sink, ETH)],
})

test('the sink of an EIP-7702 sweeper is a thief and a cybercriminal, the swept accounts are victims', async () => {
  const victims = crowd('v', 22)
  await happened(
    act('coder', '', 1, { do: 'create', contract: named('sw1'), code_hash: '0xfeed' }),
    act('coder', '', 1, { do: 'create', contract: named('sw2'), code_hash: '0xfeed' }),
    victims.flatMap((v, n) => [...life(v, 2), delegates(v, n % 2 ? 'sw1' : 'sw2', 30), trickle(v, 'sink', 40 + n)]),
  )
  const scored = await score(['sink', 'funder', ...victims])
  expect(flagsOf(scored.get('sink'))).toEqual({
    cybercrime: '1',
    stealing_attack: '1',
    data_source: 'sweeper-delegate',
  })
  expect(scored.get('sink')!.reasons[0]!.evidence).toMatchObject({
    family: '0xfeed',
    authorities: 22,
    swept: 22,
    independent: 22,
    medianBlocks: 0,
    taken: { amount: '22', unit: 'ETH', usd: '44000.00' },
    transactions: expect.arrayContaining(['0x28-0']),
  })
  for (const victim of ['funder', ...victims]) expect(flagsOf(scored.get(victim)), victim).toEqual({})
})

test('exchanges that sweep by EIP-7702 and shops paid by smart wallets are no sweepers', async () => {
  const deposits = crowd('e', 22)
  const shoppers = crowd('w', 22)
  await happened(
    act(
      'coder',
      '',
      1,
      { do: 'create', contract: named('pull'), code_hash: '0xc0de' },
      { do: 'create', contract: named('smart'), code_hash: '0x5a5a' },
    ),
    deposits.flatMap((e, n) => [delegates(e, 'pull', 30), trickle(e, 'hot', 40 + n)]),
    shoppers.flatMap((w, n) => [
      ...life(w, 2),
      delegates(w, 'smart', 30),
      pay(`boss-${w}`, w, 40, 3n * ETH),
      pay(w, 'mall', 60 + n, ETH),
    ]),
  )
  const scored = await score(['hot', 'mall'])
  for (const name of ['hot', 'mall']) expect(flagsOf(scored.get(name)), name).toEqual({})
})

test('a firm forwards what its tills take; a thief who sets up most of the accounts himself is one', async () => {
  const [stores, shops, victims, puppets] = [crowd('s', 22), crowd('k', 22), crowd('v', 22), crowd('p', 40)]
  const makes = (code: string): Tx =>
    act('coder', '', 1, { do: 'create', contract: named(code), code_hash: `0x${code}` })
  /** Refunds to customers, and bills of suppliers. */
  const lives = (name: string, by: string, n: number): Tx[] => [
    pay(by, name, 2 + n, ETH),
    pay(name, `customer-${name}`, 40 + n, ETH / 10n),
    pay(name, `supplier-${name}`, 41 + n, ETH / 10n),
  ]
  const forwards = (name: string, sink: string, code: string, n: number): Tx[] => [
    delegates(name, code, 100),
    trickle(name, sink, 110 + n),
  ]
  await happened(
    ['firm', 'chain', 'theft'].map(makes),
    stores.flatMap((name, n) => [...lives(name, 'treasury', n), ...forwards(name, 'treasury', 'firm', n)]),
    shops.flatMap((name, n) => [...lives(name, 'office', n), ...forwards(name, 'vault', 'chain', n)]),
    victims.flatMap((name, n) => [...lives(name, `pal-${name}`, n), ...forwards(name, 'thief', 'theft', n)]),
    puppets.flatMap((name, n) => [...lives(name, 'helper', n), ...forwards(name, 'thief', 'theft', n)]),
  )
  const scored = await score(['treasury', 'vault', 'thief'])
  for (const name of ['treasury', 'vault']) expect(flagsOf(scored.get(name)), name).toEqual({})
  expect(flagsOf(scored.get('thief'))).toMatchObject({ stealing_attack: '1', data_source: 'sweeper-delegate' })
  expect(scored.get('thief')!.reasons[0]!.evidence).toMatchObject({ swept: 62, independent: 22 })
})

test('a sweep takes everything that came, within some blocks', () => {
  const at = (direction: 1 | -1, amount: number, block_number: number, counterparty = 'sink') => ({
    address: 'a',
    direction,
    counterparty,
    amount: BigInt(amount),
    block_number,
    tx_hash: `${block_number}`,
    time: 0,
  })
  const found = sweptOf([at(1, 5, 1), at(-1, 5, 1), at(1, 7, 3), at(-1, 7, 6)], 'sink')
  expect(found.map(({ blocks }) => blocks)).toEqual([0, 3])
  expect(sweptOf([at(1, 5, 1), at(-1, 2, 1), at(1, 7, 3), at(-1, 7, 4, 'mall')], 'sink')).toEqual([])
})
