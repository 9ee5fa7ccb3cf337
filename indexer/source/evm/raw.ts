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

export const rawTransaction = z.looseObject({
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
export type RawTransaction = z.output<typeof rawTransaction>

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
export type RawLog = z.output<typeof rawLog>

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
export type RawHead = z.output<typeof rawHead>

/** The JSON-RPC block object with full transactions. */
export const rawHeader = z.looseObject({ ...headerShape, transactions: z.array(rawTransaction) })
export type RawHeader = z.output<typeof rawHeader>

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
