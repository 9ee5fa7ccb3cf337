/**
 * Bulk rescoring: wallets a second, with flags, model and record, compared with the minimum of any scorer: reading the same
 * wallets' merged features and nothing else.
 */
import { systemClock } from '../../platform/context/clock.ts'
import { createMetrics } from '../../platform/context/metrics.ts'
import { readSql } from '../../platform/store/sql.ts'
import { loadWallets } from '../../scorer/ledger/features/wallet.ts'
import { writeLabels } from '../../scorer/ledger/labels/write.ts'
import { createRescore, WALLETS_AT_ONCE } from '../../scorer/rescore/rescore.ts'
import { createWalletModel } from '../../scorer/scoring/model/wallet-model.ts'
import { saveRecords } from '../../scorer/scoring/stored.ts'
import { openTestStore } from '../kit/store/store.ts'
import type { BenchResult } from './run.ts'

const PAID = readSql(import.meta.url, './rescore/paid.sql')
const FILL = readSql(import.meta.url, './rescore/fill.sql')
const LEDGER = readSql(import.meta.url, './rescore/ledger.sql')
const PER_INSERT = 100_000

const address = (index: number): string => `0x${index.toString(16).padStart(40, '0')}`
const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1_000
}

/** Number of thieves among the wallets, and of wallets scored one by one. */
const THIEVES = 200
const SINGLES = 100

/** Elapsed and CPU milliseconds per wallet, one after the other: median and a high percentile. */
const oneByOne = async (addresses: readonly string[], score: (address: string) => Promise<unknown>) => {
  for (const address of addresses.slice(0, 5)) await score(address)
  const measured: { ms: number; cpuMs: number }[] = []
  for (const address of addresses) {
    const [started, cpu] = [performance.now(), process.cpuUsage()]
    await score(address)
    const { user, system } = process.cpuUsage(cpu)
    measured.push({ ms: performance.now() - started, cpuMs: (user + system) / 1_000 })
  }
  const at = (share: number, what: 'ms' | 'cpuMs') => {
    const sorted = measured.map((one) => one[what]).sort((a, b) => a - b)
    return Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10
  }
  return { p50: at(0.5, 'ms'), p99: at(0.99, 'ms'), cpu: at(0.5, 'cpuMs') }
}

/** @param args wallets in the tables (100,000), transactions a wallet (10), wallets scored (20,000), batch (as the stream) */
export const run = async ([
  wallets = '100000',
  each = '10',
  score = '20000',
  size = `${WALLETS_AT_ONCE}`,
]: string[] = []): Promise<BenchResult[]> => {
  const kit = await openTestStore({ readers: 3 })
  const { store } = kit
  const params = { wallets: Number(wallets) }
  for (let from = 0; from < params.wallets * Number(each); from += PER_INSERT) {
    await store.command(FILL, { ...params, from, count: PER_INSERT })
    await store.command(LEDGER, { from, count: PER_INSERT })
  }
  const top = Math.ceil((params.wallets * Number(each)) / 200)
  await store.insert(
    'blocks',
    `${JSON.stringify({ network: 'ETH', block_number: top, block_time: 1_700_000_000 + 12 * top, block_hash: '0x', parent_hash: '0x', transaction_count: 1, sees_traces: 1 })}\n`,
  )
  const context = { metrics: createMetrics(), clock: systemClock }
  const { rescore } = createRescore({ context, store, model: createWalletModel() })
  const batch = Number(size)
  const stride = Math.max(1, Math.floor(params.wallets / Number(score)))
  const asked = Array.from({ length: Number(score) }, (_, index) => address((index * stride) % params.wallets))
  const batches = Array.from({ length: Math.ceil(asked.length / batch) }, (_, index) =>
    asked.slice(index * batch, (index + 1) * batch),
  )
  const each1 = async (work: (some: string[]) => Promise<unknown>) => {
    for (const some of batches) await work(some)
  }
  await rescore('ETH', asked.slice(0, 100), Date.now())
  const load = await seconds(() => each1((some) => loadWallets(store, 'ETH', some, { anyHot: false, hot: new Set() })))
  const full = await seconds(() => each1((some) => rescore('ETH', some, Date.now())))
  const saved = await seconds(() => each1(async (some) => saveRecords(store, await rescore('ETH', some, Date.now()))))
  const scoreOne = (one: string) => rescore('ETH', [one], Date.now())
  const oneWalletMs = await oneByOne(asked.slice(0, SINGLES), scoreOne)
  const thieves = Array.from({ length: THIEVES }, (_, index) => address((index * 499 + 7) % params.wallets))
  const labelled = { network: 'ETH', label: 'theft', detector: 'bench', class: 'reported', confidence: 0.95 } as const
  await writeLabels(
    store,
    thieves.map((thief) => ({
      ...labelled,
      address: thief,
      detector_version: '',
      evidence: {},
      tx_hash: '',
      block_number: 0,
      foundAt: Date.now(),
    })),
  )
  const paid = await store.query<{ address: string }>(PAID, { thieves, limit: SINGLES })
  const paidByThiefMs = await oneByOne(
    paid.map((row) => row.address),
    scoreOne,
  )
  const rate = (time: number) => Math.round(asked.length / time)
  await kit.close()
  const common = {
    unit: 'wallets/s',
    ceiling: rate(load),
    wallets: params.wallets,
    transactions: params.wallets * Number(each),
    batch,
  }
  return [
    {
      figure: rate(full),
      ratio: Number((load / full).toFixed(3)),
      what: 'rescore',
      ...common,
      oneWalletMs,
      paidByThiefMs,
    },
    { figure: rate(saved), ratio: Number((load / saved).toFixed(3)), what: 'rescore and store', ...common },
  ]
}
