import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Store } from '../../../platform/store/store.ts'
import { NETWORKS, type Network } from '../../../schema/networks.ts'
import { isContract, loadWallets as loadAt, type WalletFeatures } from '../../../scorer/ledger/features/wallet.ts'
import { loadPast } from '../../../scorer/ledger/past/past.ts'
import { readSettled } from '../../../scorer/ledger/reading/settled.ts'
import { loadTiers } from '../../../scorer/ledger/reading/tiers.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'
import { type Action, insertRows, named, rowsOf, settle, type Tx, timeOf } from '../../kit/world/transactions.ts'

let kit: TestStore
beforeAll(async () => {
  kit = await openTestStore()
})
beforeEach(() => kit.truncate())
afterAll(() => kit.close())

const loadWallets = (store: Store, network: Network, addresses: string[]) =>
  readSettled(store, network, async (heights) =>
    loadAt(store, network, addresses, await loadTiers(store, network, addresses, heights)),
  )

const PEOPLE = ['ann', 'bob', 'cat', 'dan', 'eve'].map(named)
const TOKENS = ['tok', 'usd'].map(named)
const ETHER = 10n ** 15n

const person = fc.constantFrom(...PEOPLE)
const amount = fc.oneof(
  fc.bigInt({ min: 0n, max: 50n }).map((n) => n * ETHER),
  fc.constantFrom(1n, ETHER / 10n - 1n, ETHER / 10n),
)
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ do: fc.constant('token' as const), from: person, to: person, asset: fc.constantFrom(...TOKENS), amount }),
  fc.record({ do: fc.constant('internal' as const), from: person, to: person, amount }),
  fc.record({
    do: fc.constant('approve' as const),
    owner: person,
    spender: person,
    asset: fc.constantFrom(...TOKENS),
    amount,
  }),
  fc.record({ do: fc.constant('create' as const), contract: fc.constantFrom(...TOKENS) }),
  fc.record({
    do: fc.constant('liquidity' as const),
    pool: fc.constant(named('pool')),
    event: fc.constantFrom('add' as const, 'remove' as const),
    amount0: amount,
    amount1: amount,
  }),
  fc.record({
    do: fc.constant('authority' as const),
    authority: fc.constant(named('mix')),
    event: fc.constantFrom('mixer_deposit' as const, 'mixer_withdraw' as const),
    subject: person,
  }),
  fc.record({ do: fc.constant('delegate' as const), authority: person, delegate: fc.constantFrom(...TOKENS) }),
)
const tx: fc.Arbitrary<Tx> = fc.record({
  from: person,
  to: fc.oneof(person, fc.constantFrom(...TOKENS, '')),
  value: amount,
  fee: fc.bigInt({ min: 0n, max: 1000n }),
  failed: fc.boolean().map((failed) => failed),
  call: fc.boolean(),
  message: fc.constantFrom('', '', 'A message in calldata', 'data:,{"p":"erc-20"}'),
  block: fc.integer({ min: 1, max: 400 }),
  actions: fc.array(action, { maxLength: 3 }),
})
const world = fc.array(tx, { minLength: 1, maxLength: 25 }).map((txs) => txs.sort((a, b) => a.block - b.block))

const coins = (base: bigint): number => Number(base) / 1e18
const least = (list: number[]): number | null => (list.length ? Math.min(...list) : null)
const most = (list: number[]): number | null => (list.length ? Math.max(...list) : null)
const total = (list: bigint[]): number => coins(list.reduce((sum, one) => sum + one, 0n))

type Move = { time: number; order: number; other: string; amount: bigint; signer: string }

/** The features again, from the transactions alone. */
const expected = (txs: readonly Tx[], address: string): Omit<WalletFeatures, 'sent_last_position'> | undefined => {
  const times: number[] = []
  const see = (tx: Tx) => times.push(timeOf(tx.block))
  /** Remembers the time when something concerns the address. */
  const concerns = (tx: Tx, yes: boolean) => {
    if (yes) see(tx)
    return yes
  }
  const sent = txs.filter((tx) => tx.from === address)
  const received = txs.filter((tx) => tx.to === address)
  const paid = received.filter((tx) => (tx.value ?? 0n) >= NETWORKS.ETH.nativeCoin.dust)
  for (const tx of [...sent, ...received]) see(tx)
  const side = {
    in: [] as Move[],
    out: [] as Move[],
    tokenIn: [] as Move[],
    tokenOut: [] as Move[],
  }
  const count = {
    given: 0,
    revoked: 0,
    approved: 0,
    made: 0,
    created: 0,
    add: 0,
    remove: 0,
    deposit: 0,
    withdraw: 0,
    withdrawOwn: 0,
    mixer: 0,
    delegations: 0,
    delegators: 0,
    pulledIn: 0,
    dustOut: 0,
    thirdPartyDust: 0,
  }
  const approvers = new Set<string>()
  for (const [order, tx] of txs.entries()) {
    if (tx.failed) continue
    const time = timeOf(tx.block)
    // Trace frames come before logs within a transaction, both after the transaction's own value.
    const acts = [...(tx.actions ?? [])]
    const natives: { from: string; to: string; amount: bigint; at: number }[] = []
    if (tx.value && tx.to !== '') natives.push({ from: tx.from, to: tx.to, amount: tx.value, at: 0 })
    for (const [nth, act] of acts.entries()) {
      if (act.do === 'internal') natives.push({ from: act.from, to: act.to, amount: act.amount, at: 1 + nth })
    }
    for (const { from, to, amount, at } of natives) {
      if (concerns(tx, from === address))
        side.out.push({ time, order: order * 100 + at, other: to, amount, signer: tx.from })
      if (concerns(tx, to === address))
        side.in.push({ time, order: order * 100 + at, other: from, amount, signer: tx.from })
      if (to === address && amount > 0n && tx.from !== from && tx.from !== to) count.pulledIn++
    }
    for (const act of acts) {
      if (act.do === 'token') {
        if (concerns(tx, act.from === address))
          side.tokenOut.push({ time, order, other: act.to, amount: act.amount, signer: tx.from })
        if (concerns(tx, act.to === address))
          side.tokenIn.push({ time, order, other: act.from, amount: act.amount, signer: tx.from })
        const third = tx.from !== act.from && tx.from !== act.to
        if (act.to === address && act.amount > 0n && third) count.pulledIn++
        if (act.from === address && act.amount <= 10n ** 7n) count.dustOut++
        if (concerns(tx, tx.from === address && act.amount <= 10n ** 7n && third)) count.thirdPartyDust++
      }
      if (act.do === 'approve') {
        if (concerns(tx, act.owner === address)) count[act.amount === 0n ? 'revoked' : 'given']++
        if (act.spender === address && act.amount > 0n) {
          count.approved++
          if (act.owner !== address) approvers.add(act.owner)
          see(tx)
        }
      }
      if (act.do === 'create') {
        if (concerns(tx, tx.from === address)) count.made++
        if (concerns(tx, act.contract === address)) count.created++
      }
      if (act.do === 'liquidity' && concerns(tx, tx.from === address)) count[act.event]++
      if (act.do === 'authority') {
        if (act.subject === address) {
          count[act.event === 'mixer_deposit' ? 'deposit' : 'withdraw']++
          if (act.event === 'mixer_withdraw' && tx.from === address) count.withdrawOwn++
          see(tx)
        }
        if (concerns(tx, act.authority === address)) count.mixer++
      }
      if (act.do === 'delegate') {
        if (concerns(tx, act.authority === address)) count.delegations++
        if (concerns(tx, act.delegate === address)) count.delegators++
      }
    }
  }
  if (times.length === 0) return undefined
  const day = (tx: Tx) => Math.floor(timeOf(tx.block) / 86_400)
  const worth = ({ amount }: Move) => amount >= NETWORKS.ETH.nativeCoin.dust
  const funding = side.in.filter((move) => worth(move) && move.other !== address).sort((a, b) => a.order - b.order)[0]
  const others = (...lists: Move[][]) =>
    new Set(
      lists
        .flat()
        .map((move) => move.other)
        .filter((other) => other !== address),
    ).size
  return {
    address,
    first_seen: least(times),
    last_seen: most(times),
    active_days: new Set(sent.map(day)).size,
    sent: sent.length,
    sent_failed: sent.filter((tx) => tx.failed).length,
    sent_zero: sent.filter((tx) => !tx.value).length,
    sent_first: least(sent.map((tx) => timeOf(tx.block))),
    sent_last: most(sent.map((tx) => timeOf(tx.block))),
    sent_max: most(sent.map((tx) => coins(tx.value ?? 0n))),
    sent_total: total(sent.map((tx) => tx.value ?? 0n)),
    fees: total(sent.map((tx) => tx.fee ?? 0n)),
    sent_to: new Set(sent.map((tx) => tx.to)).size,
    received: received.length,
    received_from: new Set(received.map((tx) => tx.from)).size,
    paid: paid.length,
    paid_first: least(paid.map((tx) => timeOf(tx.block))),
    paid_last: most(paid.map((tx) => timeOf(tx.block))),
    paid_max: most(paid.map((tx) => coins(tx.value ?? 0n))),
    paid_total: total(paid.map((tx) => tx.value ?? 0n)),
    payers: new Set(paid.map((tx) => tx.from)).size,
    native_in_count: side.in.length,
    native_out_count: side.out.length,
    native_in: total(side.in.map((move) => move.amount)),
    native_out: total(side.out.map((move) => move.amount)),
    native_paid: total(side.in.filter(worth).map((move) => move.amount)),
    in_counterparties: others(side.in, side.tokenIn),
    out_counterparties: others(side.out, side.tokenOut),
    in_partners: others(
      side.in.filter(worth),
      side.tokenIn.filter(({ amount, signer, other }) => amount > 0n && signer === other),
    ),
    out_partners: others(
      side.out.filter(worth),
      side.tokenOut.filter(({ amount, signer }) => amount > 0n && signer === address),
    ),
    funder: funding?.other ?? null,
    token_in_count: side.tokenIn.length,
    token_out_count: side.tokenOut.length,
    token_out_own: side.tokenOut.filter((move) => move.signer === address).length,
    token_zero: [...side.tokenIn, ...side.tokenOut].filter((move) => move.amount === 0n).length,
    nft_in_count: 0,
    nft_out_count: 0,
    approvals_given: count.given,
    approvals_revoked: count.revoked,
    approvals_received: count.approved,
    approvers: approvers.size,
    contracts_created: count.made,
    created: count.created,
    lp_adds: count.add,
    lp_removes: count.remove,
    mixer_events: count.mixer,
    mixer_deposits: count.deposit,
    mixer_withdrawals: count.withdraw,
    mixer_withdrawals_own: count.withdrawOwn,
    delegations: count.delegations,
    delegators: count.delegators,
    messages: sent.filter(({ message = '' }) => message !== '' && !message.startsWith('data:')).length,
    pulled_in: count.pulledIn,
    token_dust_out: count.dustOut,
    third_party_dust: count.thirdPartyDust,
  }
}

const EVERYONE = [...PEOPLE, ...TOKENS, named('mix')]

const loaded = async () => {
  const found = await loadWallets(kit.store, 'ETH', EVERYONE)
  return EVERYONE.map((address) => {
    const wallet = found.get(address)
    if (!wallet) return undefined
    const { sent_last_position: _, ...features } = wallet
    return features
  })
}

/** Sums of floats differ in the last bits with the order of addition; everything else is exact. */
const rounded = (features: object | undefined) =>
  features &&
  Object.fromEntries(
    Object.entries(features).map(([name, value]) => [
      name,
      typeof value === 'number' ? Number(value.toFixed(9)) : value,
    ]),
  )

/** Ann and Bob have rows on either side of the middle, the others on one side. */
const IN_BOTH_TIERS: Tx[] = [
  { from: named('ann'), to: named('bob'), value: ETHER, block: 100 },
  { from: named('ann'), to: named('cat'), value: ETHER, block: 101 },
  { from: named('ann'), to: named('bob'), value: ETHER, block: 300 },
  { from: named('bob'), to: named('dan'), value: ETHER, block: 301 },
]

test('features equal a second computation from plain transactions, however the rows are split over inserts and tiers', async () => {
  await fc.assert(
    fc.asyncProperty(world, fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), async (txs, cut, hot) => {
      await kit.truncate()
      const border = Math.floor(cut * 400)
      const early = txs.filter((one) => one.block <= border)
      const late = txs.filter((one) => one.block > border)
      await insertRows(kit.store, rowsOf(early, { head: border }))
      await settle(kit.store, 'ETH', hot ? border : 400)
      await insertRows(kit.store, rowsOf(late, { from: border + 1, head: 400 }), hot ? 'hot' : 'final')
      expect((await loaded()).map(rounded)).toEqual(EVERYONE.map((address) => rounded(expected(txs, address))))
    }),
    { numRuns: 12, examples: [[IN_BOTH_TIERS, 0.5, true]] },
  )
})

test('a repeated insert with its token is counted once, through the funnel into every state', async () => {
  const rows = rowsOf([{ from: named('ann'), to: named('bob'), value: ETHER, block: 1, call: true }])
  const text = rows.transactions.map((row) => `${JSON.stringify(row)}\n`).join('')
  const ledger = rows.ledger.map((row) => `${JSON.stringify(row)}\n`).join('')
  for (let times = 0; times < 3; times++) {
    await kit.store.insert('transactions', text, { token: 'transactions:t:0:0-0:1' })
    await kit.store.insert('ledger', ledger, { token: 'ledger:t:0:0-0:1' })
  }
  expect((await loadWallets(kit.store, 'ETH', [named('ann')])).get(named('ann'))).toMatchObject({
    sent: 1,
    native_out_count: 1,
  })
  expect(await kit.store.query('SELECT toUInt32(sum(native_in_count)) AS n FROM wallet_edges')).toEqual([{ n: 1 }])
  expect(await kit.store.query('SELECT toUInt32(sum(calls)) AS n FROM wallet_protocols')).toEqual([{ n: 1 }])
  expect(await kit.store.query('SELECT toUInt32(sum(count_in)) AS n FROM wallet_assets')).toEqual([{ n: 1 }])
})

test('rows above the newest complete hot block are not counted yet', async () => {
  await settle(kit.store, 'ETH', 0)
  const rows = rowsOf([
    { from: named('ann'), to: named('bob'), block: 1 },
    { from: named('ann'), to: named('bob'), block: 2 },
  ])
  rows.blocks = rows.blocks.filter((block) => block.block_number <= 1)
  await insertRows(kit.store, rows, 'hot')
  expect((await loadWallets(kit.store, 'ETH', [named('ann')])).get(named('ann'))).toMatchObject({ sent: 1 })
})

test('Solana: deposits of token accounts are no payments, and who signs is an account, whatever mint was at its address', async () => {
  const [victim, mint, closed] = ['victim', 'mint', 'closed'].map(named) as [string, string, string]
  const lamports = (from: string, to: string, amount: bigint): Action => ({
    ...{ do: 'internal', from: named(from), to },
    amount,
  })
  const txs: Tx[] = [
    {
      ...{ from: named('maker'), to: named('program'), block: 101, call: true },
      actions: [mint, closed].map((contract): Action => ({ do: 'create', contract })),
    },
    // A spammer sends his token, and opens the account for it: one of 165 bytes, one of Token-2022 with every extension.
    {
      ...{ from: named('spammer'), to: named('program'), block: 102, call: true },
      actions: [lamports('spammer', victim, 2_039_280n), lamports('spammer', victim, 2_289_840n)],
    },
    { from: named('exchange'), to: victim, block: 103, value: 10n ** 9n },
    { from: named('exchange'), to: closed, block: 103, value: 10n ** 9n },
    { from: closed, to: named('shop'), block: 104, value: 10n ** 8n },
  ]
  await insertRows(kit.store, rowsOf(txs, { network: 'SOLANA', from: 100 }))
  const found = await loadWallets(kit.store, 'SOLANA', [victim, mint, closed])
  expect(found.get(victim)).toMatchObject({ funder: named('exchange'), in_partners: 1, native_paid: 1 })
  expect([mint, closed].map((address) => isContract(found.get(address)!))).toEqual([true, false])
  // What it did before the first block is not known, as of every other account.
  expect((await loadPast(kit.store, 'SOLANA', mint)).past.kind).toBe('fresh')
  expect((await loadPast(kit.store, 'SOLANA', closed)).past.kind).toBe('unknown')
})
