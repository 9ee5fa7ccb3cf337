/**
 * Bulk rescoring: wallets a second, with flags, model and record, against the least any scorer must do: reading the same
 * wallets' merged features and nothing else.
 */
import { systemClock } from '../../platform/clock.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { readSql } from '../../platform/store/sql.ts'
import { loadWallets } from '../../scorer/ledger/features/wallet.ts'
import { createRescore, WALLETS_AT_ONCE } from '../../scorer/rescore.ts'
import { createWalletModel } from '../../scorer/scoring/model/wallet-model.ts'
import { saveRecords } from '../../scorer/scoring/stored.ts'
import { openTestStore } from '../kit/store.ts'
import type { BenchResult } from './run.ts'

const FILL = readSql(import.meta.url, './rescore.fill.sql')
const LEDGER = readSql(import.meta.url, './rescore.ledger.sql')
const PER_INSERT = 100_000

const address = (index: number): string => `0x${index.toString(16).padStart(40, '0')}`
const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1_000
}

/** @param args wallets in the tables (100,000), transactions a wallet (10), wallets scored (20,000), batch (as the stream). */
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
  const single: number[] = []
  for (const one of asked.slice(0, 100)) single.push(await seconds(() => rescore('ETH', [one], Date.now())))
  single.sort((a, b) => a - b)
  const rate = (time: number) => Math.round(asked.length / time)
  const ms = (share: number) => Math.round((single[Math.floor(single.length * share)] ?? 0) * 1e5) / 100
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
      oneWalletMs: { p50: ms(0.5), p99: ms(0.99) },
    },
    { figure: rate(saved), ratio: Number((load / saved).toFixed(3)), what: 'rescore and store', ...common },
  ]
}
