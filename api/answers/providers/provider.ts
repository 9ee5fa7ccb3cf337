/** Where records come from, as the API sees it: the scorer and its tables behind two calls per operation. */
import type { Network, Operation } from '../../../schema/networks.ts'
import type { StoredRecord } from '../../../schema/records/stored.ts'

/** An address (canonical text) on a network. */
export type Subject = { network: Network; address: string }

/** Where records of one operation come from. */
export type Provider = {
  /** Latest stored records, in the order asked; one round trip however many. */
  lookup: (subjects: readonly Subject[], signal: AbortSignal) => Promise<(StoredRecord | undefined)[]>
  /** Scores now, stores, and returns the record; `undefined` for an address never seen on its network. */
  compute: (subject: Subject, signal: AbortSignal) => Promise<StoredRecord | undefined>
  /** It computes together what is asked for together, and bounds by itself what it does at a time. */
  inBulk?: true
}

/** An operation is available when it has a provider. */
export type Providers = Partial<Record<Operation, Provider>>

/** Names a subject uniquely, for maps. */
export const keyOf = ({ network, address }: Subject): string => `${network}:${address}`
