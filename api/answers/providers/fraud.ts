/** Fraud records for the API: found in the table, or computed by the scorer's one function, stored and published. */
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

/** Newest stored fraud records, those that are not withdrawn. */
export const createFraudLookup =
  (store: Store): Provider['lookup'] =>
  async (subjects, signal) => {
    const found = await byNetwork(subjects, async (network, addresses) => {
      const rows = await store.query(
        FIND,
        { network, addresses, words: LOG_IS_INCOMPLETE },
        { route: 'find_wallet_records', signal },
      )
      // The last row of an address is kept (byNetwork), so the newest has to come last.
      return z
        .array(recordRow)
        .parse(rows)
        .sort((a, b) => a.version - b.version)
    })
    return found.map((record) => (record?.body ? record : undefined))
  }

/** The scorer, and who hears of what is scored here. */
export type FraudProviderDeps = {
  store: Store
  rescore: Rescore
  clock: Clock
  /** Tells other replicas and subscribers of a record that was computed here. */
  publish: (records: readonly WalletRecord[]) => Promise<void>
  /** Asks the authorities of a network about an address, where a node is configured. */
  askAuthorities?: AskAuthorities | undefined
  /** Has those scored again who were paid by wallets of which something is known now. */
  spread?: QueueReceivers | undefined
}

/** A record that was withdrawn before is not withdrawn again. The scorer does so, lest the first time was not published. */
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

/** Scores one wallet for one caller, and asks the authorities about it meanwhile. */
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
    // What the authorities say is stored beside the verdict that rests on it, for the verdicts after this one.
    const [verdicts] = await Promise.all([
      rescore.rescore(network, [address], now, { asking }),
      asking?.then((asked) => storeAnswers(store, { network, address }, asked, now)),
    ])
    const [record] = await keepRecords(network, verdicts, { store, publish, spread })
    return storedOf(record)
  },
})

/**
 * Wallets that a bulk computation takes at a time: few enough for its deadline on a slow machine, for ten thousand take seconds. A batch
 * is under way at a time, so that interactive callers find the store free.
 */
const BULK = 1_000

/**
 * Fraud records computed many at a time, as stream scoring does: what is asked for while a batch is computed is the next one. Authorities are
 * not asked about single addresses, their logs are what counts.
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
