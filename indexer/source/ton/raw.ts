/** Blocks of TON as they are read, whichever version of the HTTP API they came from. */
import { z } from 'zod'
import type { TonTransaction } from './transaction.ts'

/** 32 bytes in base64, as hex. */
export const hash = z
  .string()
  .regex(/^[A-Za-z0-9+/_-]{43}=?$/)
  .transform((text) => Buffer.from(text.replaceAll('-', '+').replaceAll('_', '/'), 'base64').toString('hex'))

/** A list of so many at most. A longer one is refused before any of it is read: what an answer costs is a node's choice otherwise. */
export const atMost = <T extends z.ZodType>(most: number, item: T) => z.array(z.unknown()).max(most).pipe(z.array(item))

/** Names one block of one shard. Hashes and the shard in hex. */
export type BlockId = { workchain: number; shard: string; seqno: number; root_hash: string; file_hash: string }

/**
 * A block of one shard without its transactions, whose logical times lie between `start_lt` and `end_lt`. `gen_utime`
 * in seconds.
 */
export type BlockHeader = {
  id: BlockId
  after_merge: boolean
  after_split: boolean
  start_lt: bigint
  end_lt: bigint
  gen_utime: number
  /** Two where shards were merged. */
  prev_blocks: readonly BlockId[]
}

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
