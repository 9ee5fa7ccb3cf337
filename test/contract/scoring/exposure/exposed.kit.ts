/** What tests of exposure share: a scoring function over a store of their own, payments by name, and scoring until nothing is queued. */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { systemClock } from '../../../../platform/context/clock.ts'
import { createMetrics } from '../../../../platform/context/metrics.ts'
import type { Store } from '../../../../platform/store/store.ts'
import type { Network } from '../../../../schema/networks.ts'
import { ASSETS } from '../../../../schema/registry/contracts.ts'
import { decodeRescore } from '../../../../schema/topics.ts'
import { writeLabels } from '../../../../scorer/ledger/labels/write.ts'
import { createQueueReceivers } from '../../../../scorer/rescore/receivers.ts'
import { createRescore } from '../../../../scorer/rescore/rescore.ts'
import { createWalletModel } from '../../../../scorer/scoring/model/wallet-model.ts'
import { saveRecords } from '../../../../scorer/scoring/stored.ts'
import type { Verdict } from '../../../../scorer/scoring/verdict.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { type Action, insertRows, named, rowsOf, type Tx, timeOf } from '../../../kit/world/transactions.ts'

/** The moment every test is judged at. */
export const NOW = Date.UTC(2026, 0, 1)
export const ETH = 10n ** 18n
export const DOLLAR = 10n ** 6n
export const MILLION = 1_000_000n * DOLLAR
export const asset = (symbol: string) => [...ASSETS.ETH.values()].find((one) => one.symbol === symbol)!.address
export const USDC = asset('USDC')
const ORACLE = '0x40c57923924b5c5c5455c48d93317139addac8fb'

export const coin = (from: string, to: string, amount: bigint, of = USDC): Action => ({
  do: 'token',
  asset: of,
  from: named(from),
  to: named(to),
  amount,
})
/** Pays dollars by a transaction of the payer's own. */
export const pay = (from: string, to: string, amount: bigint, block: number): Tx => ({
  from: named(from),
  to: USDC,
  block,
  call: true,
  actions: [coin(from, to, amount)],
})
export const act = (from: string, block: number, ...actions: Action[]): Tx => ({
  from: named(from),
  to: named('x'),
  block,
  call: true,
  actions,
})
export const sanction = (name: string, block = 1): Tx =>
  act('boss', block, { do: 'authority', authority: ORACLE, event: 'sanction_add', subject: named(name) })

/** Salaries and purchases of somebody honest. */
export const honestLife = (name: string): Tx[] =>
  Array.from({ length: 24 }, (_, n) =>
    n % 2 === 0
      ? pay(`firm${n % 3}`, name, 3_000n * DOLLAR, 10 + n * 144)
      : pay(name, `store${n % 7}`, 2_500n * DOLLAR, 10 + n * 144),
  )

/** Moves dollars of three victims into a thief's wallet by its own transactions. */
export const robbed = (thief: string): Tx[] =>
  ['v1', 'v2', 'v3'].flatMap((name, n): Tx[] => [
    pay(name, `shop of ${name}`, DOLLAR, 9),
    act('src', 10, coin('src', name, 30_000n * DOLLAR)),
    act(name, 11 + n, {
      do: 'approve',
      owner: named(name),
      spender: named(thief),
      asset: USDC,
      amount: 30_000n * DOLLAR,
    }),
    act(thief, 20 + n, coin(name, thief, 30_000n * DOLLAR)),
  ])

/** What a verdict states about money of flagged wallets. */
export const inflowOf = (verdict: Verdict | undefined) => verdict?.reasons.find(({ code }) => code === 'FLAGGED_INFLOW')

/** Opens a store for the file, empties it before each test, closes it at the end. */
export const exposedKit = (network: Network = 'ETH') => {
  let kit: TestStore
  beforeAll(async () => {
    kit = await openTestStore()
  })
  beforeEach(() => kit.truncate())
  afterAll(() => kit.close())

  const scoringOver = (store: Store) =>
    createRescore({ context: { metrics: createMetrics(), clock: systemClock }, store, model: createWalletModel() })

  const label = (name: string, said: string, revoked = false) =>
    writeLabels(kit.store, [
      {
        network,
        address: named(name),
        label: said,
        detector: 'list',
        class: 'reported',
        confidence: 0.95,
        detector_version: '1',
        evidence: {},
        tx_hash: '',
        block_number: 0,
        foundAt: Date.now(),
        ...(revoked && { revoked }),
      },
    ])

  /** Scores and stores wallets once, as the stream does. */
  const score = async (addresses: readonly string[]): Promise<{ scored: Verdict[]; queued: string[] }> => {
    const queued: string[] = []
    const scored = await scoringOver(kit.store).rescore(network, addresses, NOW)
    await saveRecords(kit.store, scored)
    const spread = createQueueReceivers({
      store: kit.store,
      producer: {
        send: async (sends) => {
          for (const { messages } of sends)
            for (const { value } of messages) if (value) queued.push(...decodeRescore(value))
        },
      },
    })
    await spread(network, scored)
    return { scored, queued }
  }

  /** Scores until nothing is queued any more; records keep their newest rows only. */
  const settle = async (...names: string[]): Promise<Record<string, Verdict>> => {
    const last = new Map<string, Verdict>()
    let now = names.map(named)
    for (let round = 0; now.length > 0; round++) {
      expect(round).toBeLessThan(8)
      const { scored, queued } = await score(now)
      await kit.store.command('OPTIMIZE TABLE wallet_records FINAL')
      for (const one of scored) last.set(one.address, one)
      now = [...new Set(queued)]
    }
    return Object.fromEntries(names.flatMap((name) => (last.has(named(name)) ? [[name, last.get(named(name))!]] : [])))
  }

  return {
    world: (...txs: Tx[]) => insertRows(kit.store, rowsOf(txs, { network })),
    /** A stranger's token states that a wallet got some of it from thousands. */
    named: (name: string, times: number, block: number) =>
      kit.store.command(
        `INSERT INTO ledger (network, address, block_time, position, counterparty, direction, kind, asset, token_id, amount, tx_hash, block_number, initiator)
        SELECT '${network}', '${named(name)}', toDateTime(${timeOf(block)}), bitShiftLeft(toUInt64(${block}), 35) + number, concat('0xnobody', toString(number)),
          1, 'fungible', '${named('lie')}', 0, 1, '0xlies', ${block}, '${named('liar')}' FROM numbers(${times})`,
      ),
    /** Blocks from one on: what was before is not known. */
    worldFrom: (from: number, ...txs: Tx[]) => insertRows(kit.store, rowsOf(txs, { network, from })),
    /** The past of a wallet was fetched, and nothing of it is missing. */
    fetched: (name: string, to_block: number) =>
      kit.store.insert(
        'wallet_pasts',
        `${JSON.stringify({ network, address: named(name), to_block, sent: 1, native: 1, tokens: 1, complete: 1, done: 1, transactions: 0, blocks: 0, sources: 'logs', why: '', version: NOW })}\n`,
      ),
    label,
    score,
    settle,
    /** Routes of the statements that it takes to score a wallet. */
    routesOf: async (name: string): Promise<string[]> => {
      const routes: string[] = []
      const store: Store = {
        ...kit.store,
        query: (sql, params, options) => {
          routes.push(options?.route ?? '')
          return kit.store.query(sql, params, options)
        },
      }
      await scoringOver(store).rescore(network, [named(name)], NOW)
      return routes
    },
  }
}
