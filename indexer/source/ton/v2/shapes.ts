/** What nodes answer to version 2. Transactions are read from their bytes, which their hash covers, and from nothing printed beside them. */
import { z } from 'zod'
import { atMost, hash } from '../raw.ts'

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

/**
 * What a node states about the chain: its newest block in `last`, and the zero state, which names the chain, in `init`.
 */
export const masterchainInfo = z.looseObject({ last: blockId, init: blockId })

/** The newest block of each shard as of one block of the masterchain. */
export const shardTips = z.looseObject({ shards: atMost(MAX_TIPS, blockId) })

/**
 * A header as a node states it. It is not covered by a hash here, so parents are compared with blocks that are known.
 */
export const blockHeader = z.looseObject({
  id: blockId,
  after_merge: z.boolean().default(false),
  after_split: z.boolean().default(false),
  start_lt: whole,
  end_lt: whole,
  gen_utime: z.int(),
  /** Two where shards were merged. */
  prev_blocks: atMost(2, blockId),
})

const printedTransaction = z.looseObject({
  data: z.base64(),
  transaction_id: z.looseObject({ lt: whole, hash }),
})

/** Some transactions of a block as bytes. `incomplete` where more follow. */
export const transactionPage = z.looseObject({
  id: blockId,
  incomplete: z.boolean().default(false),
  transactions: z.array(printedTransaction),
})
/** One page of a block's transactions, as it was answered. */
export type TransactionPage = z.output<typeof transactionPage>
