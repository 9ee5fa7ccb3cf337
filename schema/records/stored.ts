/** Records at rest: the rows of the record tables, and what topic `records` carries. */
import { z } from 'zod'
import { NETWORK_CODES, type Network } from '../networks.ts'
import type { WalletStatus } from './common.ts'

/** What every record at rest has, whichever operation it answers. */
export type StoredRecord = {
  /**
   * JSON text of the record, without the fields that differ from answer to answer (address, checked_times, updatedAt). Empty
   * where the record is withdrawn: every block that named the wallet was undone.
   */
  body: string
  /** Rises with every computation of the record; an older one never replaces a newer one. */
  version: number
  /** Newest block that the record knows. */
  dataHeight?: number | undefined
  /** It leaves something open because the logs of authorities were not complete. */
  unsure?: boolean | undefined
}

/** A message of topic `records`, with the fields every operation has. Fraud records leave `operation` out. */
export const publishedRecord = z.object({
  operation: z.string().default('fraud_check'),
  network: z.enum(NETWORK_CODES),
  address: z.string(),
  version: z.number(),
  body: z.string(),
  data_height: z.number().optional(),
  /** What a fraud record leaves open; other operations publish theirs as text. */
  unknowns: z.array(z.string()).catch([]),
}) satisfies z.ZodType<Omit<StoredRecord, 'dataHeight' | 'unsure'>>

/** A row of table `wallet_records`, which topic `records` carries as it is. Times in Unix seconds. */
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
  /** As what the wallet's money counts for those who receive it; empty for nothing. */
  offence: string
  /** Transfers between it and the nearest offence its money came from; 0 where none was found. */
  offence_hops: number
  created_at: number
  computed_at: number
}
