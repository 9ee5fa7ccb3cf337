/**
 * A block as an EVM node returned it, before decoding.
 *
 * Quantities and data stay the node's hex text. Nothing is converted here, because nodes send nonces beyond 2^53, unknown
 * transaction types and unknown fields, all of which have to pass (Execution API, `eth` namespace; EIP-155 chains add
 * fields of their own, e.g. `l1Fee` of the OP stack). The schemas only name the fields that are used; objects are loose,
 * so that all other fields are kept.
 */
import { z } from 'zod'
import { isListOf, isNone, isObject, type Json } from '../guards.ts'

/** JSON-RPC quantity or data: 0x-prefixed hex, any case, any length. */
const hex = z.string().startsWith('0x')
const maybe = hex.nullish()

const rawAuthorization = z.looseObject({
  chainId: hex,
  address: hex,
  nonce: hex,
  yParity: maybe,
  v: maybe,
  r: hex,
  s: hex,
})

/** A transaction of any type. Fields not listed here, such as blobs and access lists, are kept unchanged. */
const rawTransaction = z.looseObject({
  hash: hex,
  transactionIndex: hex,
  from: hex,
  /** null (or absent) for a contract creation. */
  to: maybe,
  input: hex,
  value: hex,
  nonce: hex,
  gas: maybe,
  gasPrice: maybe,
  maxFeePerGas: maybe,
  maxPriorityFeePerGas: maybe,
  /** Absent in old captures, which then have legacy transactions. */
  type: maybe,
  /** EIP-7702, type 4 only. */
  authorizationList: z.array(rawAuthorization).nullish(),
})
/** A transaction as a node returned it, of any type. */
export type RawTransaction = z.output<typeof rawTransaction>

/** A log of a receipt or `eth_getLogs`. */
export const rawLog = z.looseObject({
  address: hex,
  topics: z.array(hex),
  data: hex,
  /** Index within the block. Some nodes leave it null in pending data, which is never read. */
  logIndex: hex,
  transactionIndex: hex,
  transactionHash: hex,
  blockHash: hex,
})
/** A log as a node returned it. Its address may be in mixed case; decoders lower it. */
export type RawLog = z.output<typeof rawLog>

/** A receipt, with the logs of its transaction in order. */
export const rawReceipt = z.looseObject({
  transactionHash: hex,
  transactionIndex: hex,
  blockHash: hex,
  /** Absent before Byzantium, which has `root` instead. */
  status: maybe,
  gasUsed: hex,
  /** Gas used in the block up to and including this transaction. */
  cumulativeGasUsed: maybe,
  effectiveGasPrice: maybe,
  contractAddress: maybe,
  logs: z.array(rawLog),
  logsBloom: maybe,
  /** OP stack: data fee paid on L1, wei. */
  l1Fee: maybe,
  blobGasUsed: maybe,
  blobGasPrice: maybe,
})
/** A receipt as a node returned it, with the logs of its transaction in order. */
export type RawReceipt = z.output<typeof rawReceipt>

const headerShape = {
  number: hex,
  hash: hex,
  parentHash: hex,
  timestamp: hex,
  logsBloom: maybe,
  baseFeePerGas: maybe,
  transactionsRoot: maybe,
  receiptsRoot: maybe,
}

/** A header from `eth_getBlockBy*(…, false)` or `newHeads`; transaction hashes are not read. */
export const rawHead = z.looseObject(headerShape)
/** A header as a node returned it, without its transactions. */
export type RawHead = z.output<typeof rawHead>

/** The JSON-RPC block object with full transactions. */
export const rawHeader = z.looseObject({ ...headerShape, transactions: z.array(rawTransaction) })
/** A block as a node returned it. Transactions are in order; uncles and withdrawals are not read. */
export type RawHeader = z.output<typeof rawHeader>

/** Answer of `eth_getBlockReceipts`; null from a node that lacks the block, or, on Ethermint, some of its receipts. */
export const receiptList = z.array(rawReceipt).nullable()

const isHex = (value: unknown): boolean => typeof value === 'string' && value.startsWith('0x')
const isMaybe = (value: unknown): boolean => isNone(value) || isHex(value)
/** Whether an object has valid hex fields, and valid optional hex fields. */
const has = (value: unknown, hexes: readonly string[], maybes: readonly string[]): value is Json => {
  if (!isObject(value)) return false
  for (const name of hexes) if (!isHex(value[name])) return false
  for (const name of maybes) if (!isMaybe(value[name])) return false
  return true
}

/** Names of a schema's required and optional hex fields. */
const namesOf = (shape: Readonly<Record<string, z.ZodType>>): [hexes: string[], maybes: string[]] => {
  const names = Object.keys(shape)
  return [names.filter((name) => shape[name] === hex), names.filter((name) => shape[name] === maybe)]
}
const AUTHORIZATION = namesOf(rawAuthorization.shape)
const TRANSACTION = namesOf(rawTransaction.shape)
const LOG = namesOf(rawLog.shape)
const RECEIPT = namesOf(rawReceipt.shape)
const HEADER = namesOf(rawHeader.shape)

const isAuthorization = (value: unknown) => has(value, ...AUTHORIZATION)
const isTransaction = (value: unknown): boolean =>
  has(value, ...TRANSACTION) &&
  (value.authorizationList === undefined ||
    value.authorizationList === null ||
    isListOf(value.authorizationList, isAuthorization))
const isLog = (value: unknown) => has(value, ...LOG) && isListOf(value.topics, isHex)
const isReceipt = (value: unknown) => has(value, ...RECEIPT) && isListOf(value.logs, isLog)

/**
 * Whether an answer matches `rawHeader`, without copying it. Blocks have thousands of fields, so the schema is only used for the
 * error message of an invalid one.
 */
export const isRawHeader = (value: unknown): value is RawHeader =>
  has(value, ...HEADER) && isListOf(value.transactions, isTransaction)

/** Whether an answer matches `receiptList`, without copying it. */
export const isReceiptList = (value: unknown): value is RawReceipt[] => isListOf(value, isReceipt)

/** One frame of execution, the same from `trace_block` and from `callTracer`. */
export type RawTrace = {
  txIndex: number
  txHash: string
  /** Index in call order (depth first, callers before callees) within the transaction; the root frame is 1. */
  frameIndex: number
  /** 0 for the transaction's own frame. */
  depth: number
  /** `suicide` is SELFDESTRUCT: `from` the destroyed contract, `to` the beneficiary, `value` its balance. */
  type: 'call' | 'callcode' | 'delegatecall' | 'staticcall' | 'create' | 'create2' | 'suicide'
  from: string
  /** Callee; the created contract (empty if creation failed and the node omits it); the beneficiary. */
  to: string
  /** Wei, `0x0` without value. For `delegatecall` it is the inherited value, and nothing moved. */
  value: string
  /** Calldata, init code for creations. */
  input?: string
  /** Return data; runtime code for creations. */
  output?: string
  /** The node's reason why this frame failed. */
  error?: string
  /** This frame, or one it ran inside, failed: its effects were undone. */
  reverted: boolean
}

/** Name, symbol and decimals by the token contract; empty and -1 if it did not answer. */
export type TokenMetadata = {
  token: string
  standard: 'erc20' | 'erc721' | 'erc1155'
  name: string
  symbol: string
  /** -1 when unknown. */
  decimals: number
}

/** Everything fetched of one block, verified as far as the dialect allows: the input of the decoder. */
export type RawBlock = {
  block: RawHeader
  /** In transaction order. The Ethermint family may permanently lack some. */
  receipts: RawReceipt[]
  /** Ordered by transaction, then by `frameIndex`; `undefined` if the node offers no traces. */
  traces: RawTrace[] | undefined
  /** Runtime code, by lower-case address, of contracts created directly by transactions; empty with traces. */
  codes: ReadonlyMap<string, string>
  /** Tokens that this source sees for the first time; a token may come again after a restart. */
  tokenMetadata: readonly TokenMetadata[]
}
