/**
 * The API under load, on one machine with its generator: cached, looked up in the store, recalculated by the real
 * scorer, called by agents, paid. Each figure is compared with the same Fastify stack (transport rules, headers,
 * metrics, body parsing) answering a constant buffer.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { agentRoutes } from '../../api/a2a/routes.ts'
import { createFraudProvider } from '../../api/answers/providers/fraud.ts'
import { createServeCounts } from '../../api/answers/served/bases.ts'
import type { Facilitator } from '../../api/x402/chain/facilitator.ts'
import { createPaymentGate } from '../../api/x402/gate.ts'
import { createLedger } from '../../api/x402/ledger.ts'
import { createLocalReservations } from '../../api/x402/reservations.ts'
import { migrate } from '../../platform/store/migrate/migrate.ts'
import { openStore } from '../../platform/store/open.ts'
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import { createRescore } from '../../scorer/rescore/rescore.ts'
import { createWalletModel } from '../../scorer/scoring/model/wallet-model.ts'
import { startApi, testContext } from '../contract/api/kit.ts'
import {
  address,
  bodiesOf,
  bodyFor,
  fillRecords,
  HOT,
  load,
  loadConstant,
  type Measured,
  numberOf,
} from './api/load.ts'
import { startMoving } from './api/moves.ts'
import { agreeing, RECEIVER, signPayments, startSettlement } from './api/payments.ts'
import type { BenchResult } from './run.ts'

const FILL = readSql(import.meta.url, './rescore/fill.sql')
const LEDGER = readSql(import.meta.url, './rescore/ledger.sql')
const HOT_ROWS = readSql(import.meta.url, './api/hot.sql')
/** Number of wallets with transactions, and total of these transactions. */
const SCORED = 10_000
const TRANSACTIONS = 100_000
/** Repetitions of ceiling and cached answers. */
const TURNS = 3

/** Blocks of 200 transactions. */
const HEIGHT = Math.ceil(TRANSACTIONS / 200)

const insertBlock = (store: Store, tier: 'blocks' | 'blocks_hot', block_number: number) => {
  const block = { network: 'ETH', block_number, block_time: 1_700_000_000 + 12 * block_number, block_hash: '0x' }
  const row = { ...block, parent_hash: '0x', transaction_count: 1, sees_traces: 1 }
  return store.insert(tier, JSON.stringify(tier === 'blocks_hot' ? { ...row, version: 1 } : row))
}

const fillChain = async (store: Store) => {
  await store.command(FILL, { wallets: SCORED, from: 0, count: TRANSACTIONS })
  await store.command(LEDGER, { from: 0, count: TRANSACTIONS })
  await insertBlock(store, 'blocks', HEIGHT)
}

/** Ten blocks that are not final. Returns the addresses in them. */
const fillHotBlocks = async (store: Store): Promise<string[]> => {
  const later = 100
  for (const table of ['transactions', 'ledger']) {
    await store.command(HOT_ROWS, { hot: `${table}_hot`, table, later, from: HEIGHT - later })
  }
  for (let n = 1; n <= 10; n++) await insertBlock(store, 'blocks_hot', HEIGHT + n)
  const settled = { network: 'ETH', version: 1, state: 'settled', settled: HEIGHT, target: HEIGHT }
  await store.insert('watermarks', JSON.stringify(settled))
  const rows = await store.query<{ address: string }>('SELECT DISTINCT address FROM ledger_hot LIMIT 500')
  return rows.map((row) => row.address)
}

const tipOf = async (store: Store): Promise<{ number: number; hash: string }> => {
  const [tip] = await store.query<{ number: number; hash: string }>(
    'SELECT block_number AS number, block_hash AS hash FROM blocks_all ORDER BY block_number DESC LIMIT 1',
  )
  return tip ?? { number: 0, hash: '0x' }
}

const faster = (a: Measured, b: Measured): Measured => (a.perSecond >= b.perSecond ? a : b)

const message = (index: number): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'message/send',
    params: {
      message: {
        kind: 'message',
        role: 'user',
        messageId: `m${index}`,
        parts: [{ kind: 'data', data: { skill: 'fraud_check', network: 'ETH', walletAddress: address(index) } }],
      },
    },
  })

const serveStore = async (store: Store, facilitator?: Facilitator) => {
  const context = testContext()
  const provider = createFraudProvider({
    store,
    clock: context.clock,
    rescore: createRescore({ context, store, model: createWalletModel() }),
    publish: async () => {},
  })
  const payments =
    facilitator &&
    createPaymentGate({
      context,
      receiver: RECEIVER,
      facilitator,
      reservations: createLocalReservations(Date.now),
      ledger: createLedger(store, Date.now),
    })
  const started = await startApi(
    {
      providers: { fraud_check: provider },
      serveCounts: createServeCounts(store),
      extensions: [agentRoutes({})],
      payments,
    },
    context,
  )
  const [url = ''] = await started.api.start()
  return { ...started, url }
}

const paid = async (store: Store, facilitator: Facilitator, connections: number, count: number): Promise<Measured> => {
  const { url, close } = await serveStore(store, facilitator)
  const headersEach = await signPayments(count)
  const bodies = Array.from({ length: count }, (_, index) => bodyFor(index % HOT.length))
  const headers = { 'content-type': 'application/json' }
  try {
    return await load({
      url,
      path: '/api/fraud/check',
      headers,
      headersEach,
      bodies,
      seconds: 0,
      connections,
      amount: count,
    })
  } finally {
    await close()
  }
}

/**
 * Arguments: `--seconds=8 --connections=50 --wallets=100000 --payments=1000 --settlements=60`, and `--only=calculate` for rows with
 * that word only. Latencies in the details are milliseconds; `load` is the machine's load average after the row.
 */
export const run = async (args: readonly string[] = []): Promise<BenchResult[]> => {
  const seconds = numberOf(args, 'seconds', 8)
  const connections = numberOf(args, 'connections', 50)
  const wallets = numberOf(args, 'wallets', 100_000)
  const payments = numberOf(args, 'payments', 1_000)
  const settlements = numberOf(args, 'settlements', 60)
  const only = args.find((arg) => arg.startsWith('--only='))?.slice('--only='.length) ?? ''
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-api-'))
  const { metrics, log } = testContext()
  const store = await openStore({ path: join(folder, 'chdb'), metrics, log })
  try {
    await migrate({ store, log })
    await fillRecords(store, wallets)
    await fillChain(store)
    const { url, ask, close } = await serveStore(store)
    await load({ url, bodies: HOT, seconds: 2, connections })
    // The speed of a machine changes from one moment to the next: both alternate, and the best of each counts.
    let ceiling = await loadConstant({ seconds, connections })
    let cached = await load({ url, bodies: HOT, seconds, connections })
    for (let turn = 1; turn < TURNS; turn++) {
      ceiling = faster(ceiling, await loadConstant({ seconds, connections }))
      cached = faster(cached, await load({ url, bodies: HOT, seconds, connections }))
    }
    const results: BenchResult[] = []
    const report = async (what: string, measure: () => Promise<Measured>) => {
      if (!what.includes(only)) return
      process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${what}\n`)
      const { perSecond, ...latency } = await measure()
      const ratio = Number((perSecond / ceiling.perSecond).toFixed(3))
      const machine = Number((loadavg()[0] ?? 0).toFixed(1))
      results.push({
        what,
        figure: perSecond,
        ceiling: ceiling.perSecond,
        ratio,
        unit: 'req/s',
        ...latency,
        load: machine,
      })
    }
    await report('cached', async () => cached)
    await report('cached, paced at 5,000 req/s', () => load({ url, bodies: HOT, seconds, connections, rate: 5_000 }))
    // Every address once, so that none is in memory.
    const cold = Math.min(30_000, wallets - 1_000)
    const apart = bodiesOf(1_000, cold)
    await report('looked up in the store', () =>
      load({ url, bodies: apart, seconds, connections, amount: Math.floor(cold * 0.6) }),
    )
    const paced = { seconds, connections, rate: 1_000 }
    await report('looked up in the store, paced at 1,000 req/s', () =>
      load({ url, bodies: bodiesOf(1_000 + cold, seconds * paced.rate), ...paced }),
    )
    const known = await ask('/fraud/check', JSON.parse(bodyFor(1, true)))
    if (known.status !== 200) throw new Error(`the scorer does not know its wallets: ${known.status}`)
    const recalculated = bodiesOf(0, 500, true)
    // Each verdict differs from the inserted one, and its history is written too.
    await report('calculate, verdicts that change', () => load({ url, bodies: recalculated, seconds, connections: 1 }))
    await report('calculate, one caller', () => load({ url, bodies: recalculated, seconds, connections: 1 }))
    await report('calculate, four callers', () => load({ url, bodies: recalculated, seconds, connections: 4 }))
    const hot = (await fillHotBlocks(store)).map((walletAddress) =>
      JSON.stringify({ network: 'ETH', walletAddress, calculate: true }),
    )
    await report('calculate while blocks are not final', () =>
      load({ url, bodies: recalculated, seconds, connections: 1 }),
    )
    await report('calculate, wallets of those blocks', () => load({ url, bodies: hot, seconds, connections: 1 }))
    const whileMoving = async (job: { connections: number; rate?: number }) => {
      const moving = startMoving(store, await tipOf(store))
      const measured = await load({ url, bodies: recalculated, seconds: seconds * 3, ...job }).finally(moving.stop)
      return { ...measured, ...(await moving.stop()) }
    }
    await report('calculate while the watermark moves', () => whileMoving({ connections: 1 }))
    // Requests are due whether tables move or not, so a move delays all requests during it.
    await report('calculate while the watermark moves, paced at 10 req/s', () => whileMoving({ connections, rate: 10 }))
    const asked = await ask('/api/a2a', JSON.parse(message(0)))
    if (asked.body.result?.status.state !== 'completed') throw new Error(JSON.stringify(asked.body))
    const messages = HOT.map((_, index) => message(index))
    await report('A2A message/send', () => load({ url, path: '/api/a2a', bodies: messages, seconds, connections }))
    await close()
    await report('paid for, settlement apart', () => paid(store, agreeing, 10, payments))
    await report('paid for, settled on a local chain', async () => {
      const settlement = await startSettlement(settlements)
      return paid(store, settlement.facilitator, 4, settlements).finally(settlement.stop)
    })
    return results
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
