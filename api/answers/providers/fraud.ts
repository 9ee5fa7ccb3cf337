/** Fraud records: read from the table, or scored on demand, stored and published. */
import { z } from 'zod'
import type { Clock } from '../../../platform/context/clock.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import type { StoredRecord, WalletRecord } from '../../../schema/records/stored.ts'
import type { AskAuthorities } from '../../../scorer/ledger/authorities/ask.ts'
import { hasIncompleteLog, LOG_IS_INCOMPLETE } from '../../../scorer/ledger/authorities/coverage.ts'
import { storeAnswers } from '../../../scorer/ledger/authorities/merge.ts'
import { createBatches } from '../../../scorer/ledger/reading/batches.ts'
import type { QueueReceivers } from '../../../scorer/rescore/receivers.ts'
import type { Rescore } from '../../../scorer/rescore/rescore.ts'
import { saveRecords } from '../../../scorer/scoring/stored.ts'
import type { Verdict } from '../../../scorer/scoring/verdict.ts'
import { createBatcher } from '../reader/batch.ts'
import { byNetwork } from './by-network.ts'
import { keyOf, type Provider, type Subject } from './provider.ts'

const FIND = readSql(import.meta.url, './sql/find-wallet-records.sql')

const recordRow = z
  .object({
    address: z.string(),
    version: z.coerce.number(),
    body: z.string(),
    data_height: z.number(),
    unsure: z.number(),
  })
  .transform(({ data_height: dataHeight, unsure, ...row }) => ({ ...row, dataHeight, unsure: unsure === 1 }))

/** Newest stored fraud records, without withdrawn ones. */
export const createFraudLookup =
  (store: Store): Provider['lookup'] =>
  async (subjects, signal) => {
    const found = await byNetwork(subjects, async (network, addresses) => {
      const rows = await store.query(
        FIND,
        { network, addresses, words: LOG_IS_INCOMPLETE },
        { route: 'find_wallet_records', signal },
      )
      // byNetwork keeps the last row of an address, so the newest must come last.
      return z
        .array(recordRow)
        .parse(rows)
        .sort((a, b) => a.version - b.version)
    })
    return found.map((record) => (record?.body ? record : undefined))
  }

/** Dependencies of the fraud provider. */
export type FraudProviderDeps = {
  store: Store
  rescore: Rescore
  clock: Clock
  /** Publishes computed records to other replicas and subscribers. */
  publish: (records: readonly WalletRecord[]) => Promise<void>
  /** Asks the authorities of a network about an address, where a node is configured. */
  askAuthorities?: AskAuthorities | undefined
  /** Queues the recipients of wallets whose verdict changed for rescoring. */
  spread?: QueueReceivers | undefined
}

/** Does not withdraw a record twice. (The scorer does, in case the first withdrawal was not published.) */
const keepRecords = async (
  network: Network,
  verdicts: readonly Verdict[],
  { store, publish, spread }: Pick<FraudProviderDeps, 'store' | 'publish' | 'spread'>,
): Promise<WalletRecord[]> => {
  const records = await saveRecords(
    store,
    verdicts.filter(({ seen, changed }) => seen || changed),
  )
  await publish(records)
  await spread?.(network, verdicts)
  return records
}

const storedOf = (record: WalletRecord | undefined): StoredRecord | undefined =>
  record?.body
    ? {
        body: record.body,
        version: record.version,
        dataHeight: record.data_height,
        unsure: hasIncompleteLog(record.unknowns),
      }
    : undefined

/** Scores one wallet at a time, and asks the authorities about it concurrently. */
export const createFraudProvider = ({
  store,
  rescore,
  clock,
  publish,
  askAuthorities,
  spread,
}: FraudProviderDeps): Provider => ({
  lookup: createFraudLookup(store),
  compute: async ({ network, address }) => {
    const now = clock.now()
    const asking = askAuthorities?.(network, address)
    // The answers of the authorities are stored for later verdicts.
    const [verdicts] = await Promise.all([
      rescore.rescore(network, [address], now, { asking }),
      asking?.then((asked) => storeAnswers(store, { network, address }, asked, now)),
    ])
    const [record] = await keepRecords(network, verdicts, { store, publish, spread })
    return storedOf(record)
  },
})

/**
 * Wallets per bulk computation: few enough to meet the deadline on a slow machine; ten thousand take seconds. Only one batch runs
 * at a time, so that interactive callers find the store free.
 */
const BULK = 1_000

/**
 * Scores wallets in batches, as stream scoring does. Requests that arrive during a batch form the next one. Authorities are not
 * asked about single addresses; only their logs count.
 */
export const createBulkFraudProvider = ({
  store,
  rescore,
  clock,
  publish,
  spread,
}: Omit<FraudProviderDeps, 'askAuthorities'>): Provider => {
  const batches = createBatches(BULK)
  const scoreAll = async (network: Network, addresses: readonly string[]): Promise<WalletRecord[]> => {
    const all: WalletRecord[] = []
    await batches.each(network, addresses, async (some) => {
      const patience = some.length > 1 ? { repeatMs: 0 } : {}
      const verdicts = await rescore.rescore(network, some, clock.now(), patience)
      all.push(...(await keepRecords(network, verdicts, { store, publish, spread })))
    })
    return all
  }
  const score = createBatcher<Subject, WalletRecord | undefined>({
    concurrency: 1,
    maxBatch: BULK,
    load: (subjects) => byNetwork(subjects, scoreAll),
  })
  return {
    lookup: createFraudLookup(store),
    compute: async (subject) => storedOf(await score(keyOf(subject), subject)),
    inBulk: true,
  }
}
