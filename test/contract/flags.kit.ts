/** What tests of flags share: a scoring function over a store of their own, and readers of what it says. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { createMetrics } from '../../platform/metrics.ts'
import type { Network } from '../../schema/networks.ts'
import { fraudBody } from '../../schema/records/fraud.ts'
import { createWalletModel } from '../../scorer/model/wallet-model.ts'
import { createRescore, type Rescore, type ScoredWallet } from '../../scorer/rescore.ts'
import { openTestStore, type TestStore } from '../kit/store.ts'
import { type Action, insertRows, named, rowsOf, type Tx } from './scoring.world.ts'

/** Opens a store for the file, empties it before each test, closes it at the end. */
export const flagsKit = () => {
  let kit: TestStore
  let scoring: Rescore
  beforeAll(async () => {
    kit = await openTestStore()
    const context = { metrics: createMetrics(), clock: systemClock }
    scoring = createRescore({ context, store: kit.store, model: createWalletModel() })
  })
  beforeEach(() => kit.truncate())
  afterAll(() => kit.close())
  return {
    store: () => kit.store,
    /** Puts a world into the final tier. */
    happened: (...txs: (Tx | Tx[])[]) => insertRows(kit.store, rowsOf(txs.flat())),
    /** Verdicts by name; names that start with 0x are addresses. */
    score: async (names: readonly string[], network: Network = 'ETH'): Promise<Map<string, ScoredWallet>> => {
      const addresses = names.map((name) => (name.startsWith('0x') ? name : named(name)))
      const scored = await scoring.rescore(network, addresses, Date.UTC(2026, 0, 1))
      return new Map(names.map((name, index) => [name, scored[index]!]))
    },
  }
}

/** Flags that are set, with their sources. */
export const flagsOf = (scored: ScoredWallet | undefined) => {
  const { forensic_details } = fraudBody.parse(JSON.parse(scored!.body))
  return Object.fromEntries(Object.entries(forensic_details).filter(([, value]) => value !== '0' && value !== ''))
}

/** What a flag rests on, as the record's reasons tell it. */
export const evidenceOf = (scored: ScoredWallet | undefined, code: string) =>
  scored!.reasons.find((reason) => reason.code === code)?.evidence

export const act = (from: string, to: string, block: number, ...actions: Action[]): Tx => ({
  from: named(from),
  to: to === '' ? '' : named(to),
  block,
  call: true,
  actions,
})
