/** TRON from the node's HTTP API to verdicts at the API: what is found, who is left alone, and what cannot be known. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTronSource } from '../../../indexer/source/tron/index.ts'
import { tronFromEvm } from '../../../schema/address/index.ts'
import { createTronChain } from '../../kit/chain/tron/chain.ts'
import { startTronNode, type TronNode } from '../../kit/chain/tron/node.ts'
import {
  approvalLog,
  blacklistLog,
  delegateEnergy,
  deploy,
  hex41,
  sendToken,
  sendTrx,
  type TronTx,
  transferLog,
  trigger,
  updatePermissions,
} from '../../kit/chain/tron/transactions.ts'
import { type Served, serveVerdicts } from '../../kit/scenario/served.ts'
import type { VerdictChain } from '../../kit/scenario/verdicts.ts'
import { named } from '../../kit/world/transactions.ts'

const NETWORK = 'TRON'
const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const DAY = 86_400
const DOLLAR = 1_000_000n
const TRX = 1_000_000n

const who = (name: string) => tronFromEvm(named(name))
/** Two addresses that begin alike, as wallets show them: the first half of their bytes is the same. */
const alike = (name: string, other: string) =>
  tronFromEvm(`${named(name).slice(0, 22)}${Buffer.from(other).toString('hex').padEnd(20, '7')}`)

const victims = ['victim1', 'victim2', 'victim3'].map(who)
const friends = ['0friend', '1friend', '2friend'].map((name) => alike(name, 'real'))
const fakes = ['0friend', '1friend', '2friend'].map((name) => alike(name, 'fake'))
const [issuer, frozen, poisoner, batcher, drainer, spender, shop, renter] = [
  'issuer',
  'frozen',
  'poisoner',
  'batcher',
  'drainer',
  'spender',
  'shop',
  'renter',
].map(who) as [string, string, string, string, string, string, string, string]
const [extorter, keeper, redeemer] = ['extorter', 'keeper', 'redeemer'].map(who) as [string, string, string]
const NOBODY = tronFromEvm(`0x${'0'.repeat(40)}`)
const customers = ['customer1', 'customer2', 'customer3', 'customer4'].map(who)
const owners = ['owner1', 'owner2', 'owner3', 'owner4'].map(who)

const chain = createTronChain({ from: 1_767_225_600 })
const day = (...txs: TronTx[]) => {
  chain.wait(DAY)
  chain.mine(txs)
}
const everyone = [...victims, ...customers, ...owners, frozen, shop, ...friends]
// Coins of each one's own parent: accounts that one payer sets up in a day would be one owner's.
day(
  ...everyone.map((one, n) => sendTrx(who(`parent${n}`), one, 500n * TRX)),
  deploy(poisoner, batcher),
  deploy(drainer, spender),
)
day(...everyone.map((one) => sendToken(USDT, issuer, one, 5_000n * DOLLAR)))
for (let round = 0; round < 5; round += 1) {
  day(
    ...customers.map((one, n) => sendToken(USDT, one, shop, BigInt(20 + n + round) * DOLLAR)),
    ...customers.map((one) => sendTrx(one, friends[round % 3]!, 3n * TRX)),
    ...victims.map((one, n) => sendToken(USDT, one, friends[n]!, 300n * DOLLAR)),
    ...owners.map((one, n) => sendTrx(one, customers[n]!, 7n * TRX)),
  )
}
// A market lends energy to whoever pays: nobody is robbed, and the sun sent along poisons nobody.
for (const one of customers) day(sendTrx(one, renter, 4n * TRX), delegateEnergy(renter, one, 5_000n * TRX))
day(
  trigger(poisoner, batcher, {
    data: '12345678',
    logs: victims.map((victim, n) => transferLog(USDT, victim, fakes[n]!, 0n)),
  }),
)
day(sendToken(USDT, victims[0]!, fakes[0]!, 250n * DOLLAR))
day(
  ...owners.map((one) =>
    trigger(one, USDT, { data: '095ea7b3', logs: [approvalLog(USDT, one, spender, 2n ** 256n - 1n)] }),
  ),
)
day(
  ...owners.map((one) =>
    trigger(drainer, spender, {
      data: 'deadbeef',
      logs: [transferLog(USDT, one, drainer, 5_000n * DOLLAR)],
    }),
  ),
)
// Holders allow a contract to redeem what they have, and its keeper burns it for them.
const holders = ['holder1', 'holder2', 'holder3', 'holder4'].map(who)
day(deploy(keeper, redeemer), ...holders.map((one) => sendTrx(issuer, one, 50n * TRX)))
day(...holders.map((one) => sendToken(USDT, issuer, one, 5_000n * DOLLAR)))
for (let round = 0; round < 3; round += 1) day(...holders.map((one) => sendTrx(one, friends[round]!, 2n * TRX)))
day(
  ...holders.map((one) =>
    trigger(one, USDT, { data: '095ea7b3', logs: [approvalLog(USDT, one, redeemer, 2n ** 256n - 1n)] }),
  ),
)
day(
  ...holders.map((one) =>
    trigger(keeper, redeemer, { data: 'db006a75', logs: [transferLog(USDT, one, NOBODY, 5_000n * DOLLAR)] }),
  ),
)
const THREAT = 'Send 900 USDT to this address within 3 days or your photos will be published to your family.'
day(...victims.map((one) => sendTrx(extorter, one, 1n, { memo: THREAT })))
// Who answers to it threatens nobody.
day(...victims.map((one) => sendTrx(one, extorter, 1n, { memo: 'You stole my photos, I told the police. Go away.' })))
day(trigger(issuer, USDT, { data: '0ecb93c0', logs: [blacklistLog(USDT, frozen)] }))
day(updatePermissions(owners[3]!, [drainer], [drainer]))

const bad = [frozen, poisoner, ...fakes, drainer, extorter]
const honest = [...victims, ...friends, ...customers, ...owners, ...holders, shop, renter, issuer, keeper, redeemer]

let node: TronNode
let served: Served

beforeAll(async () => {
  const tokens = { [hex41(USDT)]: { name: 'Tether USD', symbol: 'USDT', decimals: 6 } }
  node = await startTronNode(chain, { tokens })
  const followed: VerdictChain = {
    network: NETWORK,
    source: (context) =>
      createTronSource({ context, network: NETWORK, urls: [node.url], pollMs: 200, finalEveryMs: 0, limitPauseMs: 20 }),
    newest: async () => ({ hash: chain.hashAt(chain.height()) }),
    final: async () => chain.height() - 18,
  }
  served = await serveVerdicts(followed, [...bad, ...honest])
})
afterAll(async () => {
  await served?.close()
  await node?.stop()
})

const check = (address: string) => served.check(address)

test('flags a wallet on the blacklist of USDT', async () => {
  expect(await check(frozen)).toMatchObject({
    chain: NETWORK,
    flags: { blacklist_doubt: '1' },
    source: expect.stringContaining('issuer-freeze'),
  })
})

test('finds address poisoning and its signers', async () => {
  for (const one of [poisoner, ...fakes]) {
    expect(await check(one), one).toMatchObject({ status: 'Fraud', flags: { phishing_activities: '1' } })
  }
})

test('finds a drainer that empties owners through approvals', async () => {
  expect(await check(drainer)).toMatchObject({ status: 'Fraud', flags: { stealing_attack: '1' } })
})

test('finds an extorter that threatens in memos of transfers', async () => {
  expect(await check(extorter)).toMatchObject({ flags: { blackmail_activities: '1' } })
})

test('accuses no victims, their payees, customers, shop or renter of energy', async () => {
  for (const one of honest) {
    expect(await check(one), one).toMatchObject({ status: expect.not.stringMatching(/^Fraud/), flags: {} })
  }
})

test('an address in 41-hex is the same wallet', async () => {
  expect(await check(hex41(frozen))).toEqual(await check(frozen))
})

test('flags that need data TRON does not show are unknown, with a reason; the others are evaluated', async () => {
  const scored = await served.verdicts.score([customers[0]!])
  const { unknowns } = scored.get(customers[0]!)!
  const names = unknowns.map((line) => line.split(':')[0])
  expect(names).toEqual(expect.arrayContaining(['mixer', 'reinit']))
  for (const judged of ['phishing_activities', 'blacklist_doubt', 'fake_token']) expect(names).not.toContain(judged)
})
