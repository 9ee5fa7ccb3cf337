/** TON from the node's HTTP API to verdicts at the API: what is found, who is left alone, and what cannot be known. */
import { Address } from '@ton/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTonSource } from '../../../indexer/source/ton/index.ts'
import { createTonChain, halves, WHOLE } from '../../kit/chain/ton/chain.ts'
import { startTonNode, type TonNode } from '../../kit/chain/ton/node.ts'
import {
  deploy,
  internalTransfer,
  notification,
  ownershipAssigned,
  pay,
  sign,
  TON,
  type TonTx,
} from '../../kit/chain/ton/transactions.ts'
import { account, createWorld } from '../../kit/chain/ton/wallets.ts'
import { type Served, serveVerdicts } from '../../kit/scenario/served.ts'
import type { VerdictChain } from '../../kit/scenario/verdicts.ts'

const NETWORK = 'TON'
const DAY = 86_400
const USDT = Address.parse('EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs').toRawString()

const crowd = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => account(`${prefix} ${n}`))
const [exchange, shop, extorter, forger, lurer, herald, baker, faker, framed] = [
  'exchange',
  'shop',
  'extorter',
  'forger',
  'lurer',
  'herald',
  'baker',
  'faker',
  'framed',
].map(account) as [string, string, string, string, string, string, string, string, string]
const people = crowd('person', 60)
const victims = people.slice(0, 3)
const fakeMaster = account('master of fake dollars')
const breadMaster = account('master of bread')

const world = createWorld()
const dollars = world.jetton({ master: USDT, page: 'https://tether.to/usdt-ton.json' })
const fakes = world.jetton({ master: fakeMaster, name: 'Tether USD', symbol: 'USD₮', decimals: 6 })
const bread = world.jetton({ master: breadMaster, name: 'Bread of the Village', symbol: 'BREAD', decimals: 9 })
const pretended = account('wallet that claims to be one for dollars')
world.pretend(pretended, { owner: people[5]!, master: USDT })

const chain = createTonChain({ from: 1_767_225_600 })
const day = (...txs: TonTx[]) => {
  chain.wait(DAY)
  chain.mine(txs)
}
/** A jetton that a wallet for its owner takes. */
const jettons = (of: (owner: string) => string, from: string, to: string, amount: bigint, by = of(from)): TonTx => ({
  from: by,
  account: of(to),
  value: TON / 20n,
  body: internalTransfer({ from, amount }),
})

day(...people.map((one) => pay(exchange, one, 20n * TON)), pay(exchange, shop, 50n * TON))
chain.split(WHOLE)
// Deposits carry the memo that the exchange asked for.
day(...people.map((one, n) => pay(one, exchange, 2n * TON, String(100_000_000 + n))))
day(...people.map((one) => jettons(dollars, exchange, one, 500_000_000n)))
for (let round = 0; round < 3; round += 1) {
  day(
    ...people.slice(0, 20).flatMap((one) => [sign(one), pay(one, shop, TON, 'two loaves and a coffee, please')]),
    ...people.slice(20, 40).map((one, n) => jettons(dollars, one, people[n]!, 7_000_000n)),
  )
}
chain.pace(2)
// The baker gives everybody a jetton, and the shop writes to those who bought something.
day(deploy(baker, breadMaster))
day(...people.map((one) => jettons(bread, '', one, 5n * TON, breadMaster)))
day(...people.slice(0, 20).map((one) => pay(shop, one, 1n, 'Visit bread.app to claim the voucher of your last order')))
const [low] = halves(WHOLE)
chain.split(low)
// A token that passes for the dollar coin, given to everybody.
day(deploy(forger, fakeMaster))
day(...people.map((one) => jettons(fakes, '', one, 900_000_000n, fakeMaster)))
const THREAT = 'Send 900 TON to this address within 3 days or your photos will be published to your family.'
day(...victims.map((one) => pay(extorter, one, 1n, THREAT)))
day(...victims.map((one) => pay(one, extorter, 1n, 'You stole my photos, I told the police. Go away.')))
chain.merge(low)
const LURE = 'Claim 977 coins for free at x-not-coin.com'
day(...people.map((one) => pay(lurer, one, 1n, LURE)))
// Notices of jettons and items that were never sent, in the name of somebody else.
day(
  ...people.map((one, n) => ({
    from: herald,
    account: one,
    value: 1n,
    body:
      n % 2 === 0 ? ownershipAssigned(framed, LURE) : notification({ from: framed, amount: 10n ** 9n, comment: LURE }),
  })),
)
chain.merge(WHOLE)
chain.pace(1)
// A contract that says it is a wallet for dollars takes a fortune in the name of somebody who never gave any.
day({ from: faker, account: pretended, value: TON, body: internalTransfer({ from: framed, amount: 10n ** 15n }) })
day(pay(exchange, framed, TON), { ...pay(framed, pretended, TON), result: 'refused' })
day({ ...pay(pretended, framed, TON - 5n), bounced: true })

const bad = [extorter, forger, lurer, herald]
const honest = [...people, exchange, shop, baker, framed, faker]

let node: TonNode
let served: Served

beforeAll(async () => {
  node = await startTonNode(chain, { contracts: world.contracts })
  const followed: VerdictChain = {
    network: NETWORK,
    source: (context) =>
      createTonSource({ context, network: NETWORK, urls: [node.url], pollMs: 200, limitPauseMs: 20 }),
    newest: async () => ({ hash: chain.hashAt(chain.height()) }),
    final: async () => chain.height(),
  }
  served = await serveVerdicts(followed, [...bad, ...honest])
})
afterAll(async () => {
  await served?.close()
  await node?.stop()
})

const check = (address: string) => served.check(address)

test('finds an extorter that threatens in comments', async () => {
  expect(await check(extorter)).toMatchObject({ chain: NETWORK, status: 'Fraud', flags: { blackmail_activities: '1' } })
})

test('finds the creator of a jetton that imitates USDT by its symbol', async () => {
  expect(await check(forger)).toMatchObject({
    status: 'Fraud',
    flags: { fake_token: '1' },
    source: expect.stringContaining('counterfeit-token'),
  })
})

test('finds phishers that send links in comments, also in notifications of transfers that never happened', async () => {
  for (const one of [lurer, herald]) {
    expect(await check(one)).toMatchObject({ flags: { phishing_activities: '1' }, source: 'lure-message' })
  }
})

test('accuses no ordinary wallets, exchange, shop, baker or impersonated senders', async () => {
  for (const one of honest) {
    expect(await check(one), one).toMatchObject({ status: expect.not.stringMatching(/^Fraud/), flags: {} })
  }
})

test('transfers of a forged jetton wallet and bounced messages are in no row', async () => {
  const rows = await served.verdicts.store.query<{ asset: string; amount: string }>(
    'SELECT asset, toString(amount) AS amount FROM ledger_all WHERE network = {network:String} AND address = {address:String}',
    { network: NETWORK, address: framed },
  )
  expect(rows).toEqual([{ asset: '', amount: TON.toString() }])
})

test('an address is the same wallet in each form; a test network address is refused', async () => {
  const address = Address.parseRaw(extorter)
  const raw = await check(extorter)
  for (const bounceable of [true, false]) {
    for (const urlSafe of [true, false]) expect(await check(address.toString({ bounceable, urlSafe }))).toEqual(raw)
  }
  expect(await check(extorter.toUpperCase())).toEqual(raw)
  const walletAddress = address.toString({ testOnly: true })
  const refused = await served.ask('/fraud/check', { network: NETWORK, walletAddress })
  expect(refused.status).toBe(400)
  expect(JSON.stringify(refused.body)).toContain('test-only')
})

test('flags that need data TON does not show are unknown, with a reason; the others are evaluated', async () => {
  const scored = await served.verdicts.score([people[0]!])
  const unknowns = new Map(scored.get(people[0]!)!.unknowns.map((line) => line.split(': ', 2) as [string, string]))
  const dark = ['sanctioned', 'blacklist_doubt', 'mixer', 'reinit', 'gas_abuse', 'malicious_mining_activities']
  for (const flag of [...dark, 'fake_standard_interface', 'honeypot_related_address', 'stealing_attack']) {
    expect(unknowns.get(flag), flag).toBeTruthy()
  }
  // Some ways to lure are seen and others are not: that nothing was found acquits of neither.
  expect(unknowns.get('phishing_activities')).toContain('address-poisoning')
  for (const judged of ['fake_token']) expect(unknowns.has(judged)).toBe(false)
})
