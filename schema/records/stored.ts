/** Stored records: rows of the record tables, and messages of topic `records`. */
import { z } from 'zod'
import { NETWORK_CODES, type Network } from '../networks.ts'
import type { WalletStatus } from './common.ts'

/** Fields of stored records of all operations. */
export type StoredRecord = {
  /**
   * JSON text of the record, without fields that differ between answers (address, checked_times, updatedAt). Empty if the record
   * is withdrawn, because every block with the wallet was undone.
   */
  body: string
  /** Increases with every computation; an older record never replaces a newer one. */
  version: number
  /** Newest block that the record includes. */
  dataHeight?: number | undefined
  /** Whether something is open because authority logs were not complete. */
  unsure?: boolean | undefined
}

/** A message of topic `records`, with the fields of all operations. Fraud records have no `operation`. */
export const publishedRecord = z.object({
  operation: z.string().default('fraud_check'),
  network: z.enum(NETWORK_CODES),
  address: z.string(),
  version: z.number(),
  body: z.string(),
  data_height: z.number().optional(),
  /** What a fraud record leaves open; other operations publish it as text. */
  unknowns: z.array(z.string()).catch([]),
}) satisfies z.ZodType<Omit<StoredRecord, 'dataHeight' | 'unsure'>>

/** A row of table `wallet_records`, which topic `records` carries unchanged. Times in Unix seconds. */
export type WalletRecord = Omit<StoredRecord, 'dataHeight' | 'unsure'> & {
  network: Network
  /** Canonical text. */
  address: string
  status: WalletStatus
  /** 0 to 1. */
  probability: number
  /** JSON text of the reasons. */
  reasons: string
  unknowns: string[]
  model_version: string
  data_height: number
  /** Category of the wallet's money for those who receive it; empty for none. */
  offence: string
  /** Number of transfers to the nearest offence that its money came from; 0 if there is none. */
  offence_hops: number
  created_at: number
  computed_at: number
}
