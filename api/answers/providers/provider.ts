/** Sources of records: the scorer and its tables, behind two calls per operation. */
import type { Network, Operation } from '../../../schema/networks.ts'
import type { StoredRecord } from '../../../schema/records/stored.ts'

/** An address (canonical text) on a network. */
export type Subject = { network: Network; address: string }

/** Source of the records of one operation. */
export type Provider = {
  /** Latest stored records, in the order of the subjects, in one round trip. */
  lookup: (subjects: readonly Subject[], signal: AbortSignal) => Promise<(StoredRecord | undefined)[]>
  /** Scores now, stores and returns the record; `undefined` for an address without activity. */
  compute: (subject: Subject, signal: AbortSignal) => Promise<StoredRecord | undefined>
  /** Computes concurrent requests in batches, and bounds its own concurrency. */
  inBulk?: true
}

/** An operation is available when it has a provider. */
export type Providers = Partial<Record<Operation, Provider>>

/** Unique key of a subject. */
export const keyOf = ({ network, address }: Subject): string => `${network}:${address}`
