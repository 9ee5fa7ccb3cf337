/**
 * Schemas of a TRON node's answers for one block: `getblockbynum` and `gettransactioninfobyblocknum`.
 *
 * The schemas only name fields that are used; objects are loose. A transaction is parsed from `raw_data_hex`, which its id
 * commits to, and never from the `raw_data` beside it, which a node could fill with anything. Whole numbers beyond 2^53 arrive
 * as text (`platform/rpc/json.ts`). Source: java-tron, `protocol/src/main/protos/core/Tron.proto` and `JsonFormat`, which
 * omits fields with default values.
 */
import { z } from 'zod'

const hex = z
  .string()
  .regex(/^([0-9a-fA-F]{2})*$/)
  .transform((text) => text.toLowerCase())
const hash = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/)
  .transform((text) => text.toLowerCase())
/** 0x41 and 20 bytes. Logs omit the first byte. */
const address = z
  .string()
  .regex(/^(41)?[0-9a-fA-F]{40}$/)
  .transform((text) => `0x${text.slice(-40).toLowerCase()}`)
/** int64. */
const whole = z.union([z.int(), z.string().regex(/^-?\d+$/)]).transform(BigInt)
const none = whole.default(0n)

const rawHeader = z.looseObject({
  number: none,
  timestamp: none,
  txTrieRoot: hex.default(''),
  parentHash: hash,
  witness_id: none,
  witness_address: hex.default(''),
  version: none,
  accountStateRoot: hex.default(''),
})
/** Header of a block. Its bytes are rebuilt from these fields and hashed. `timestamp` in ms. */
export type RawTronHeader = z.output<typeof rawHeader>

const rawTransaction = z.looseObject({
  txID: hash,
  raw_data_hex: hex,
  signature: z.array(hex).default([]),
  /** Results that the block itself commits to; the fields have changed over the years. */
  ret: z.array(z.record(z.string(), z.unknown())).default([]),
})
/** A transaction as a node returned it: the signed bytes and the signatures. */
export type RawTronTransaction = z.output<typeof rawTransaction>

/** A block with its transactions. `blockID` begins with the height; the rest is from the header's hash. */
export const rawTronBlock = z.looseObject({
  blockID: hash,
  block_header: z.looseObject({ raw_data: rawHeader }),
  transactions: z.array(rawTransaction).default([]),
})
/** A block as a node returned it. Hex and hashes are in lower case. */
export type RawTronBlock = z.output<typeof rawTronBlock>

const rawLog = z.looseObject({
  address,
  topics: z.array(hex).default([]),
  data: hex.default(''),
})
/** A log of a transaction; topics and data are hex without `0x`. */
export type RawTronLog = z.output<typeof rawLog>

const rawInternal = z.looseObject({
  caller_address: address,
  /** Empty if there is none, as for votes. */
  transferTo_address: z.union([address, z.literal('')]).default(''),
  /** One entry for the coin, without `tokenId`, and one per TRC10 token; zero amounts are omitted. */
  callValueInfo: z.array(z.looseObject({ callValue: none, tokenId: z.string().default('') })).default([]),
  /** Kind, as text in hex: call, create, suicide, or a staking operation. */
  note: hex.default(''),
  rejected: z.boolean().default(false),
})
/** An internal transaction, from nodes that keep them. No hash of the block binds it. */
export type RawTronInternal = z.output<typeof rawInternal>

/** Result of running a transaction. */
export const rawTronInfo = z.looseObject({
  id: hash,
  blockNumber: none,
  blockTimeStamp: none,
  fee: none,
  contract_address: address.optional(),
  receipt: z.looseObject({ energy_usage_total: none }).prefault({}),
  log: z.array(rawLog).default([]),
  internal_transactions: z.array(rawInternal).default([]),
})
/** Result of running a transaction, as a node states it. `fee` in sun. */
export type RawTronInfo = z.output<typeof rawTronInfo>

/** A list, or `{}` if it is empty. */
export const rawTronInfos = z.union([z.array(rawTronInfo), z.strictObject({}).transform((): RawTronInfo[] => [])])

/** A checked block: one info per transaction, in order. */
export type RawTron = {
  block: RawTronBlock
  infos: readonly RawTronInfo[]
  /** Whether the node is known to keep internal transactions. If not, missing ones may exist. */
  showsInternal: boolean
}
