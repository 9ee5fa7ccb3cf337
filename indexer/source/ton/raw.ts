/** Blocks of TON before decoding, independent of the API version. */
import { z } from 'zod'
import type { TonTransaction } from './transaction.ts'

/** 32 bytes in base64, as hex. */
export const hash = z
  .string()
  .regex(/^[A-Za-z0-9+/_-]{43}=?$/)
  .transform((text) => Buffer.from(text.replaceAll('-', '+').replaceAll('_', '/'), 'base64').toString('hex'))

/** A list with a maximum length, checked before any item is parsed; otherwise a node could choose the cost of an answer. */
export const atMost = <T extends z.ZodType>(max: number, item: T) => z.array(z.unknown()).max(max).pipe(z.array(item))

/** Identifies one block of one shard. Hashes and the shard in hex. */
export type BlockId = { workchain: number; shard: string; seqno: number; root_hash: string; file_hash: string }

/** A shard block without its transactions, whose logical times are between `start_lt` and `end_lt`. `gen_utime` in seconds. */
export type BlockHeader = {
  id: BlockId
  after_merge: boolean
  after_split: boolean
  start_lt: bigint
  end_lt: bigint
  gen_utime: number
  /** Two if shards were merged. */
  prev_blocks: readonly BlockId[]
}

/** A transaction with its account's full address. */
export type PlacedTransaction = TonTransaction & { address: string }

/** A jetton wallet confirmed by its master. */
export type JettonWallet = { owner: string; master: string }
/** An item confirmed by its collection; one without a collection stands for itself. */
export type NftItem = { collection: string; index: string }
/** On-chain metadata of a jetton. Empty, or -1, if absent. */
export type Jetton = { name: string; symbol: string; decimals: number }

/** Confirmed contracts. Contracts not listed are not trusted. */
export type Contracts = {
  wallets: ReadonlyMap<string, JettonWallet>
  items: ReadonlyMap<string, NftItem>
  jettons: ReadonlyMap<string, Jetton>
}

/** A masterchain block with all shard blocks it made final. */
export type RawTon = {
  number: number
  hash: string
  parentHash: string
  time: number
  /** Shard blocks since the previous masterchain block, and the masterchain block itself. */
  blocks: readonly BlockHeader[]
  /** In order of logical time: a message comes before what it causes. */
  transactions: readonly PlacedTransaction[]
}
