/** Stores and publishes fraud records of wallets, with a history of changes. */
import { createHash } from 'node:crypto'
import type { OutgoingMessage } from '../../platform/bus/bus.ts'
import type { Store } from '../../platform/store/store.ts'
import type { WalletRecord } from '../../schema/records/stored.ts'
import { recordTopicKey } from '../../schema/topics.ts'
import type { Verdict } from './verdict.ts'

/** Converts a verdict to its stored form. */
export const walletRecordOf = (verdict: Verdict): WalletRecord => ({
  network: verdict.network,
  address: verdict.address,
  version: verdict.version,
  status: verdict.status,
  probability: verdict.probability,
  body: verdict.body,
  reasons: JSON.stringify(verdict.reasons),
  unknowns: verdict.unknowns,
  model_version: verdict.modelVersion,
  data_height: verdict.dataHeight,
  offence: verdict.offence,
  offence_hops: verdict.offenceHops,
  created_at: Math.floor(verdict.createdAt / 1_000),
  computed_at: Math.floor(verdict.computedAt / 1_000),
})

const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

/** The token is a hash of the content: a verdict computed again after a crash may differ from the previous one. */
const insertOnce = (store: Store, table: string, rows: readonly object[]): Promise<void> => {
  const text = lines(rows)
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 32)
  return store.insert(table, text, { token: `${table}:${digest}` })
}

/**
 * Stores verdicts, history first, and returns the stored records. A wallet that was undone gets a record with an empty body, again on
 * every call, because the process may have crashed before it published the last one. Wallets that were never seen get none.
 */
export const saveRecords = async (store: Store, scored: readonly Verdict[]): Promise<WalletRecord[]> => {
  const stored = scored.filter(({ version }) => version > 0)
  if (stored.length === 0) return []
  const records = stored.map(walletRecordOf)
  const history = records
    .filter((_, index) => stored[index]?.changed)
    .map(
      ({ body: _body, unknowns: _unknowns, created_at: _created, offence: _offence, offence_hops: _hops, ...row }) =>
        row,
    )
  if (history.length > 0) await insertOnce(store, 'record_history', history)
  await insertOnce(store, 'wallet_records', records)
  return records
}

/** Messages of topic `records`. API replicas refresh their caches from them; customers may subscribe. */
export const recordMessages = (records: readonly WalletRecord[], headers?: Record<string, string>): OutgoingMessage[] =>
  records.map((record) => ({
    key: recordTopicKey(record.network, record.address),
    value: Buffer.from(JSON.stringify(record)),
    ...(headers && { headers }),
  }))
