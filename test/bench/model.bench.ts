/** The wallet model alone: predictions with all reasons per second, compared with reading as many wallets' features directly. */
import { ALL_READ } from '../../scorer/ledger/authorities/coverage.ts'
import { emptyWallet } from '../../scorer/ledger/features/wallet.ts'
import { aggregatesOf } from '../../scorer/scoring/model/aggregates.ts'
import { behaviourFeatures } from '../../scorer/scoring/model/behaviour.ts'
import { createWalletModel } from '../../scorer/scoring/model/wallet-model.ts'
import type { Wallet } from '../../scorer/scoring/wallet.ts'
import type { BenchResult } from './run.ts'

const wallet = (nth: number): Wallet => ({
  network: 'ETH',
  address: `0x${nth}`,
  features: {
    ...emptyWallet(`0x${nth}`),
    sent: 10 + (nth % 50),
    sent_first: 1,
    sent_last: 1_000_000 + nth,
    sent_to: 1 + (nth % 9),
    sent_max: 1 + (nth % 7),
    sent_total: 20 + nth,
    received: 40,
    paid: 5 + (nth % 40),
    paid_first: 3,
    paid_last: 1_000_000,
    paid_max: 3,
    paid_total: 20 + (nth % 11),
    payers: 1 + (nth % 5),
  },
  contacts: [],
  known: { listings: [], labels: [] },
  logs: ALL_READ,
  service: false,
  evidence: {},
})

/** @param args wallets (1,000), rounds (20), of which the fastest counts */
export const run = async ([wallets = '1000', rounds = '20']: string[] = []): Promise<BenchResult> => {
  const model = createWalletModel()
  const all = Array.from({ length: Number(wallets) }, (_, nth) => wallet(nth))
  const fastest = (work: (one: Wallet) => unknown): number =>
    Math.min(
      ...Array.from({ length: Number(rounds) }, () => {
        const started = performance.now()
        for (const one of all) work(one)
        return performance.now() - started
      }),
    )
  const ours = fastest(model.predict)
  const read = fastest(({ network, features }) => behaviourFeatures(aggregatesOf(network, features)))
  const rate = (ms: number) => Math.round((all.length / ms) * 1_000)
  return {
    figure: rate(ours),
    ceiling: rate(read),
    ratio: Number((read / ours).toFixed(3)),
    unit: 'predictions/s',
    msForAll: Number(ours.toFixed(1)),
    wallets: all.length,
  }
}
