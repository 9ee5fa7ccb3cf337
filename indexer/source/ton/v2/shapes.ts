/** Schemas of version 2. Transactions are parsed only from their bytes, which their hash covers. */
import { z } from 'zod'
import { atMost, hash } from '../raw.ts'

/** A signed 64-bit number in decimal, as 16 hex digits. */
const shard = z
  .union([z.int(), z.string().regex(/^-?\d{1,19}$/)])
  .transform((value) => BigInt.asUintN(64, BigInt(value)).toString(16).padStart(16, '0'))
/** A 64-bit number; longer ones would be costly to parse. */
const whole = z.union([z.int(), z.string().regex(/^\d{1,20}$/)]).transform(BigInt)
/** Maximum number of shards that a node may name: several times the record. */
const MAX_TIPS = 1_024

const blockId = z.looseObject({
  workchain: z.int(),
  shard,
  seqno: z.int().min(0),
  root_hash: hash,
  file_hash: hash,
})

/** A node's view of the chain: its newest block in `last`, and the zero state, which identifies the chain, in `init`. */
export const masterchainInfo = z.looseObject({ last: blockId, init: blockId })

/** The newest block of each shard as of one masterchain block. */
export const shardTips = z.looseObject({ shards: atMost(MAX_TIPS, blockId) })

/** A header as a node states it. No hash covers it here, so parents are compared with known blocks. */
export const blockHeader = z.looseObject({
  id: blockId,
  after_merge: z.boolean().default(false),
  after_split: z.boolean().default(false),
  start_lt: whole,
  end_lt: whole,
  gen_utime: z.int(),
  /** Two if shards were merged. */
  prev_blocks: atMost(2, blockId),
})

const printedTransaction = z.looseObject({
  data: z.base64(),
  transaction_id: z.looseObject({ lt: whole, hash }),
})

/** A page of a block's transactions as bytes. `incomplete` if more follow. */
export const transactionPage = z.looseObject({
  id: blockId,
  incomplete: z.boolean().default(false),
  transactions: z.array(printedTransaction),
})
/** One page of a block's transactions. */
export type TransactionPage = z.output<typeof transactionPage>
