/**
 * What an EVM node returned for one block, before it is decoded.
 *
 * Quantities and data stay the hex text the node sent: nothing is converted here, because nodes send nonces beyond
 * 2^53, unknown transaction types and unknown fields, all of which have to pass (Execution API, `eth` namespace; EIP-155
 * chains add fields of their own, e.g. `l1Fee` of the OP stack). The schemas name only what is read; objects are
 * loose, so everything else a node sent is kept beside it.
 */
import { z } from 'zod'

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

/** A transaction of any type. What is not named here, such as blobs and access lists, is kept as it came. */
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
  /** Absent in old captures: then a legacy transaction. */
  type: maybe,
  /** EIP-7702, type 4 only. */
  authorizationList: z.array(rawAuthorization).nullish(),
})
/** A transaction as a node gave it, of any type. */
export type RawTransaction = z.output<typeof rawTransaction>

/** A log as receipts and `eth_getLogs` have it. */
export const rawLog = z.looseObject({
  address: hex,
  topics: z.array(hex),
  data: hex,
  /** Index within the block; some nodes leave it null in pending data, which never reaches here. */
  logIndex: hex,
  transactionIndex: hex,
  transactionHash: hex,
  blockHash: hex,
})
/** A log as a node gave it. Its address may be in mixed case: decoders lower it. */
export type RawLog = z.output<typeof rawLog>

/** A receipt. Its logs are those of its transaction, in order. */
export const rawReceipt = z.looseObject({
  transactionHash: hex,
  transactionIndex: hex,
  blockHash: hex,
  /** Absent before Byzantium, where `root` is used instead. */
  status: maybe,
  gasUsed: hex,
  /** Gas of the block up to and with this transaction. */
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
/** A receipt as a node gave it, with the logs of its transaction in order. */
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

/** A header as `eth_getBlockBy*(…, false)` or `newHeads` gives it; transaction hashes are not read. */
export const rawHead = z.looseObject(headerShape)
/** A header as a node gave it, without its transactions. */
export type RawHead = z.output<typeof rawHead>

/** The JSON-RPC block object with full transactions. */
export const rawHeader = z.looseObject({ ...headerShape, transactions: z.array(rawTransaction) })
/** A block object as a node gave it. Transactions are in order; uncles and withdrawals are not read. */
export type RawHeader = z.output<typeof rawHeader>

/**
 * Answer of `eth_getBlockReceipts`; null from a node that does not have the block, or on Ethermint not all of its
 * receipts.
 */
export const receiptList = z.array(rawReceipt).nullable()

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const isHex = (value: unknown): boolean => typeof value === 'string' && value.startsWith('0x')
const isMaybe = (value: unknown): boolean => value === undefined || value === null || isHex(value)
const isListOf = (value: unknown, is: (item: unknown) => boolean): boolean => Array.isArray(value) && value.every(is)
/** Whether an object has the fields, each as one of the schemas above asks for. */
const has = (value: unknown, hexes: readonly string[], maybes: readonly string[]): value is Json => {
  if (!isObject(value)) return false
  for (const name of hexes) if (!isHex(value[name])) return false
  for (const name of maybes) if (!isMaybe(value[name])) return false
  return true
}

/** Names of the fields of a schema that are hex, and of those that may be missing. */
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
 * Whether an answer is what `rawHeader` takes, without a copy of it. Blocks have thousands of fields, and the schema is asked
 * only for words about those that are wrong.
 */
export const isRawHeader = (value: unknown): value is RawHeader =>
  has(value, ...HEADER) && isListOf(value.transactions, isTransaction)

/** Whether an answer is what `receiptList` takes, without a copy of it. */
export const isReceiptList = (value: unknown): value is RawReceipt[] => isListOf(value, isReceipt)

/** One frame of execution, the same whether it came from `trace_block` or from `callTracer`. */
export type RawTrace = {
  txIndex: number
  txHash: string
  /** Place in call order (depth first, callers before callees) within the transaction, from 1: the root frame is 1. */
  frameIndex: number
  /** 0 for the transaction's own frame, which repeats the transaction. */
  depth: number
  /** `suicide` is SELFDESTRUCT: `from` the destroyed contract, `to` the beneficiary, `value` its balance. */
  type: 'call' | 'callcode' | 'delegatecall' | 'staticcall' | 'create' | 'create2' | 'suicide'
  from: string
  /** Callee; the created contract for creations (empty where it failed and the node omits it); the beneficiary. */
  to: string
  /** Wei. `0x0` for frames that carry none. For `delegatecall` it is the inherited value and nothing moved. */
  value: string
  /** Calldata, init code for creations. */
  input?: string
  /** Return data; runtime code for creations. */
  output?: string
  /** The node's words for why this frame failed. */
  error?: string
  /** This frame or one it ran inside failed: its effects did not happen. */
  reverted: boolean
}

/** Name, symbol and decimals as the contract answered; empty and -1 where it did not. */
export type TokenMetadata = {
  token: string
  standard: 'erc20' | 'erc721' | 'erc1155'
  name: string
  symbol: string
  /** -1 when unknown. */
  decimals: number
}

/** All that was fetched of one block, verified as far as the dialect allows: what a decoder is given. */
export type RawBlock = {
  block: RawHeader
  /** In transaction order. On the Ethermint family there may be fewer than transactions, permanently. */
  receipts: RawReceipt[]
  /** Ordered by transaction, then by `frameIndex`; `undefined` when the node offers no traces. */
  traces: RawTrace[] | undefined
  /** Runtime code by lower-case address, of contracts created directly by transactions; filled only without traces. */
  codes: ReadonlyMap<string, string>
  /** Tokens first met by this source in this block; a token may come again after a restart. */
  tokenMetadata: readonly TokenMetadata[]
}
