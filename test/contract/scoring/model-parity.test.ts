import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NETWORKS } from '../../../schema/networks.ts'
import { emptyWallet, loadWallets, type WalletFeatures } from '../../../scorer/ledger/features/wallet.ts'
import { aggregatesOf } from '../../../scorer/scoring/model/aggregates.ts'
import { type Aggregates, behaviourFeatures, UNKNOWN_AGGREGATES } from '../../../scorer/scoring/model/behaviour.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'
import { insertRows, named, rowsOf, type Tx, timeOf } from '../../kit/world/transactions.ts'

let kit: TestStore
beforeAll(async () => {
  kit = await openTestStore()
})
afterAll(() => kit.close())

const PEOPLE = ['ann', 'bob', 'cat', 'dan', 'eve'].map(named)
const DUST = NETWORKS.ETH.nativeCoin.dust

/** As the training table was made from a block explorer's list of an account's transactions, dust received left out. */
const listed = (txs: readonly Tx[], address: string): Aggregates => {
  const worth = (tx: Tx) => (tx.value ?? 0n) >= DUST
  const own = txs.filter((tx) => tx.from === address || (tx.to === address && worth(tx)))
  if (own.length === 0) return UNKNOWN_AGGREGATES
  const sent = own.filter((tx) => tx.from === address)
  const received = own.filter((tx) => tx.to === address && worth(tx))
  const times = own.map((tx) => timeOf(tx.block) / 60)
  const values = (some: readonly Tx[]) => some.map((tx) => Number(tx.value ?? 0n) / 1e18)
  const total = (some: readonly Tx[]) => values(some).reduce((sum, value) => sum + value, 0)
  return {
    span: Math.max(...times) - Math.min(...times),
    sent: sent.length,
    received: received.length,
    unique_from: new Set(received.map((tx) => tx.from)).size,
    unique_to: new Set(sent.map((tx) => tx.to)).size,
    max_received: Math.max(0, ...values(received)),
    avg_received: received.length === 0 ? 0 : total(received) / received.length,
    max_sent: Math.max(0, ...values(sent)),
    avg_sent: sent.length === 0 ? 0 : total(sent) / sent.length,
    total_sent: total(sent),
    total_received: total(received),
  }
}

const load = async (txs: readonly Tx[], addresses: string[]): Promise<(WalletFeatures | undefined)[]> => {
  await kit.truncate()
  await insertRows(kit.store, rowsOf(txs, { head: 400 }))
  const found = await loadWallets(kit.store, 'ETH', addresses, { anyHot: false, hot: new Set() })
  return addresses.map((address) => found.get(address))
}

const person = fc.constantFrom(...PEOPLE)
const value = fc.oneof(
  fc.bigInt({ min: 0n, max: 50n }).map((n) => n * 10n ** 16n),
  fc.constantFrom(1n, DUST - 1n, DUST),
)
const tx: fc.Arbitrary<Tx> = fc.record({
  from: person,
  to: fc.oneof(person, fc.constantFrom(named('tok'), '')),
  value,
  failed: fc.boolean(),
  block: fc.integer({ min: 1, max: 400 }),
  actions: fc.array(fc.record({ do: fc.constant('internal' as const), from: person, to: person, amount: value }), {
    maxLength: 1,
  }),
})
const world = fc.array(tx, { minLength: 1, maxLength: 30 }).map((txs) => txs.sort((a, b) => a.block - b.block))

const rounded = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(Number(value).toFixed(9))]))

test('what the trees read from the tables is what the list of an account says, failures and creations included', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (txs) => {
      const wallets = await load(txs, PEOPLE)
      for (const [nth, address] of PEOPLE.entries()) {
        const ours = aggregatesOf('ETH', wallets[nth] ?? emptyWallet(address))
        expect(rounded(ours)).toEqual(rounded(listed(txs, address)))
        expect(rounded(behaviourFeatures(ours))).toEqual(rounded(behaviourFeatures(listed(txs, address))))
      }
    }),
    { numRuns: 12 },
  )
})

test('crumbs and empty calls from strangers change nothing the trees read', async () => {
  const [ann = '', bob = '', cat = ''] = PEOPLE
  const history: Tx[] = Array.from({ length: 12 }, (_, n) => ({
    from: n % 3 === 0 ? bob : ann,
    to: n % 3 === 0 ? ann : cat,
    value: BigInt(n + 1) * 10n ** 17n,
    block: 50 + n * 10,
  }))
  const crumbs: Tx[] = Array.from({ length: 40 }, (_, n) => ({
    from: named(`stranger${n}`),
    to: ann,
    value: n % 2 === 0 ? 0n : DUST - 1n,
    block: 1 + n * 9,
  }))
  const [before] = await load(history, [ann])
  const [after] = await load(
    [...history, ...crumbs].sort((a, b) => a.block - b.block),
    [ann],
  )
  expect(after?.received).toBe((before?.received ?? 0) + crumbs.length)
  expect(aggregatesOf('ETH', after!)).toEqual(aggregatesOf('ETH', before!))
})

test('where transactions name no receiver, what was received is unknown, not nothing', () => {
  const wallet = { ...emptyWallet('x'), sent: 12, sent_first: 60, sent_last: 600, sent_to: 3 }
  expect(aggregatesOf('SOLANA', wallet)).toEqual({ ...UNKNOWN_AGGREGATES, sent: 12 })
  expect(aggregatesOf('TON', wallet)).toMatchObject({ span: 9, sent: 12, received: 0, unique_to: 3 })
})
