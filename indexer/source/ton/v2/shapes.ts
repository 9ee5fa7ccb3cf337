/** What nodes answer to version 2. Transactions are read from their bytes, which their hash covers, and from nothing printed beside them. */
import { z } from 'zod'
import { hash } from '../raw.ts'

/** A signed number of 64 bits in decimals, as 16 hex digits. */
const shard = z
  .union([z.int(), z.string().regex(/^-?\d{1,19}$/)])
  .transform((value) => BigInt.asUintN(64, BigInt(value)).toString(16).padStart(16, '0'))
/** A whole number of 64 bits: longer ones would cost more to read than to send. */
const whole = z.union([z.int(), z.string().regex(/^\d{1,20}$/)]).transform(BigInt)
/** Shards that a node may name: several times those of the busiest hour there was. */
const MAX_TIPS = 1_024

const blockId = z.looseObject({
  workchain: z.int(),
  shard,
  seqno: z.int().min(0),
  root_hash: hash,
  file_hash: hash,
})

export const masterchainInfo = z.looseObject({ last: blockId, init: blockId })

export const shardTips = z.looseObject({ shards: z.array(blockId).max(MAX_TIPS) })

export const blockHeader = z.looseObject({
  id: blockId,
  after_merge: z.boolean().default(false),
  after_split: z.boolean().default(false),
  start_lt: whole,
  end_lt: whole,
  gen_utime: z.int(),
  /** Two where shards were merged. */
  prev_blocks: z.array(blockId).max(2),
})

const printedTransaction = z.looseObject({
  data: z.base64(),
  transaction_id: z.looseObject({ lt: whole, hash }),
})

export const transactionPage = z.looseObject({
  id: blockId,
  incomplete: z.boolean().default(false),
  transactions: z.array(printedTransaction),
})
export type TransactionPage = z.output<typeof transactionPage>
