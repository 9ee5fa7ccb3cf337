/** What tests of exposure reports share: a store, transactions of named accounts, labels, and reports. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Store } from '../../../../platform/store/store.ts'
import type { Network } from '../../../../schema/networks.ts'
import { type ExposureReport, exposureReport } from '../../../../schema/records/explained/exposure.ts'
import { ASSETS } from '../../../../schema/registry/contracts.ts'
import { loadExposureReport } from '../../../../scorer/ledger/exposure/load.ts'
import { writeLabels } from '../../../../scorer/ledger/labels/write.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { type Action, named, type Tx } from '../../../kit/world/transactions.ts'

export const ETH = 10n ** 18n
export const MILLI = 10n ** 15n
/** The wallet that is reported on. */
export const W = named('w')
export const asset = (symbol: string, network: Network = 'ETH') =>
  [...ASSETS[network].values()].find((one) => one.symbol === symbol)!.address

export const pay = (from: string, to: string, value: bigint, block = 1): Tx => ({
  from: named(from),
  to: named(to),
  value,
  block,
})
export const act = (from: string, block: number, ...actions: Action[]): Tx => ({
  from: named(from),
  to: named('x'),
  block,
  actions,
})
export const coin = (symbol: string, from: string, to: string, amount: bigint, network?: Network): Action => ({
  do: 'token',
  asset: asset(symbol, network),
  from: named(from),
  to: named(to),
  amount,
})
export const sum = (shares: Record<string, number>) => Object.values(shares).reduce((a, b) => a + b, 0)
export const some = (shares: Record<string, number>) =>
  Object.fromEntries(Object.entries(shares).filter(([, share]) => share > 0))

/** A store of the file's own, empty before each test. */
export const reportKit = () => {
  let opened: TestStore
  beforeAll(async () => {
    opened = await openTestStore()
  })
  beforeEach(() => opened.truncate())
  afterAll(() => opened.close())
  const labelled = (labels: Record<string, string>, confidence = 0.9, network: Network = 'ETH') =>
    writeLabels(
      opened.store,
      Object.entries(labels).map(([name, label]) => ({
        network,
        address: named(name),
        label,
        detector: 'list',
        class: 'reported' as const,
        confidence,
        detector_version: '1',
        evidence: { name, ...(label === 'service' ? { kind: 'exchange' } : {}) },
        tx_hash: '',
        block_number: 0,
        foundAt: Date.now(),
      })),
    )
  const report = async (network: Network = 'ETH', address = W): Promise<ExposureReport> =>
    exposureReport.parse(await loadExposureReport(opened.store, network, address))
  return { store: (): Store => opened.store, empty: () => opened.truncate(), labelled, report }
}
