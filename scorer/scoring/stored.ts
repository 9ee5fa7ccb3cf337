/** Fraud records at rest: the newest of each wallet, and what they were before. */
import { createHash } from 'node:crypto'
import type { OutgoingMessage } from '../../platform/bus/bus.ts'
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Network } from '../../schema/networks.ts'
import type { WalletStatus } from '../../schema/records/common.ts'
import { recordTopicKey } from '../../schema/topics.ts'
import type { ScoredWallet } from '../rescore.ts'

const LOOKUP = readSql(import.meta.url, './sql/lookup.sql')

/** A record as stored, and as topic `records` carries it. Times in Unix seconds. */
export type StoredRecord = {
  network: Network
  address: string
  /** Rises with every computation of the record. */
  version: number
  status: WalletStatus
  /** 0 to 1. */
  probability: number
  /** JSON text of the fraud record without walletAddress, checked_times and updatedAt. */
  body: string
  /** JSON text of the reasons. */
  reasons: string
  unknowns: string[]
  model_version: string
  data_height: number
  created_at: number
  computed_at: number
}

/** Newest stored records, in the order asked; one query. */
export const lookupRecords = async (
  store: Store,
  subjects: readonly { network: Network; address: string }[],
): Promise<(StoredRecord | undefined)[]> => {
  if (subjects.length === 0) return []
  const networks = [...new Set(subjects.map((subject) => subject.network))]
  const addresses = [...new Set(subjects.map((subject) => subject.address))]
  const rows = await store.query<Omit<StoredRecord, 'version'> & { version: string }>(
    LOOKUP,
    { networks, addresses },
    { route: 'wallet_records' },
  )
  const found = new Map<string, StoredRecord>()
  for (const row of rows) {
    const key = `${row.network}:${row.address}`
    const version = Number(row.version)
    if (version > (found.get(key)?.version ?? -1)) found.set(key, { ...row, version })
  }
  return subjects.map(({ network, address }) => found.get(`${network}:${address}`))
}

/** A verdict in the shape it is stored in. */
export const storedRecord = (scored: ScoredWallet): StoredRecord => ({
  network: scored.network,
  address: scored.address,
  version: scored.version,
  status: scored.status,
  probability: scored.probability,
  body: scored.body,
  reasons: JSON.stringify(scored.reasons),
  unknowns: scored.unknowns,
  model_version: scored.modelVersion,
  data_height: scored.dataHeight,
  created_at: Math.floor(scored.createdAt / 1_000),
  computed_at: Math.floor(scored.computedAt / 1_000),
})

const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

/** The token names the content, because a verdict computed again after a crash may differ from the one before it. */
const insertOnce = (store: Store, table: string, rows: readonly object[]): Promise<void> => {
  const text = lines(rows)
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 32)
  return store.insert(table, text, { token: `${table}:${digest}` })
}

/** Stores verdicts of wallets that were seen, history first. Returns what was stored. */
export const saveRecords = async (store: Store, scored: readonly ScoredWallet[]): Promise<StoredRecord[]> => {
  const seen = scored.filter((one) => one.seen)
  if (seen.length === 0) return []
  const records = seen.map(storedRecord)
  const history = records
    .filter((_, index) => seen[index]?.changed)
    .map(({ body: _body, unknowns: _unknowns, created_at: _created, ...row }) => row)
  if (history.length > 0) await insertOnce(store, 'record_history', history)
  await insertOnce(store, 'wallet_records', records)
  return records
}

/** Messages of topic `records`: API replicas refresh their memory from them, customers may subscribe. */
export const recordMessages = (records: readonly StoredRecord[]): OutgoingMessage[] =>
  records.map((record) => ({
    key: recordTopicKey(record.network, record.address),
    value: Buffer.from(JSON.stringify(record)),
  }))
