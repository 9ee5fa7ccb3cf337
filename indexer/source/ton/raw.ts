/**
 * What nodes answer about blocks (toncenter's API, version 2). Transactions are read from their bytes, which their hash
 * covers, and from nothing printed beside them.
 */
import { z } from 'zod'
import type { TonTransaction } from './transaction.ts'

/** 32 bytes in base64, as hex. */
const hash = z
  .string()
  .regex(/^[A-Za-z0-9+/_-]{43}=?$/)
  .transform((text) => Buffer.from(text.replaceAll('-', '+').replaceAll('_', '/'), 'base64').toString('hex'))
/** A signed number of 64 bits in decimals, as 16 hex digits. */
const shard = z
  .union([z.int(), z.string().regex(/^-?\d{1,19}$/)])
  .transform((value) => BigInt.asUintN(64, BigInt(value)).toString(16).padStart(16, '0'))
/** A whole number of 64 bits: longer ones would cost more to read than to send. */
const whole = z.union([z.int(), z.string().regex(/^\d{1,20}$/)]).transform(BigInt)
/** Shards that a node may name: several times those of the busiest hour there was. */
const MAX_TIPS = 1_024

/** Names one block of one shard. */
export const blockId = z.looseObject({
  workchain: z.int(),
  shard,
  seqno: z.int().min(0),
  root_hash: hash,
  file_hash: hash,
})
export type BlockId = z.output<typeof blockId>

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
export type BlockHeader = z.output<typeof blockHeader>

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

/** A transaction with its account as addresses are written. */
export type PlacedTransaction = TonTransaction & { address: string }

/** A jetton wallet that its master confirms. */
export type JettonWallet = { owner: string; master: string }
/** An item that its collection confirms; one without a collection stands for itself. */
export type NftItem = { collection: string; index: string }
/** What a jetton says of itself on the chain. Empty, or -1, where it does not. */
export type Jetton = { name: string; symbol: string; decimals: number }

/** What contracts say of themselves, as far as others confirm it. What is not there is not believed. */
export type Contracts = {
  wallets: ReadonlyMap<string, JettonWallet>
  items: ReadonlyMap<string, NftItem>
  jettons: ReadonlyMap<string, Jetton>
}

/** A block of the masterchain with all that it made final. */
export type RawTon = {
  number: number
  hash: string
  parentHash: string
  time: number
  /** Blocks of shards since the block before, and the masterchain's own. */
  blocks: readonly BlockHeader[]
  /** In order of logical time: a message comes before what it causes. */
  transactions: readonly PlacedTransaction[]
}
