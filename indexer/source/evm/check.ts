/** Checks that hold whatever node answered. Each throws RpcInconsistent under its own name, which is a metric label. */
import { RpcInconsistent } from '../../../platform/rpc/errors.ts'
import type { EvmDialect } from '../../../schema/networks.ts'
import type { Bloom } from './bloom.ts'
import type { RawHeader, RawReceipt, RawTrace, RawTransaction } from './raw.ts'

const same = (a: string, b: string) => a === b || a.toLowerCase() === b.toLowerCase()

const ZERO_ADDRESS = /^0x0{40}$/

/** Bor's transaction for state from Ethereum: see `EvmDialect.stateSync`. */
const isStateSync = (transaction: RawTransaction) =>
  ZERO_ADDRESS.test(transaction.from) && ZERO_ADDRESS.test(transaction.to ?? '')

/** The header is the one requested, and its transactions belong to it and are in order. */
export const checkHeader = (block: RawHeader, at: { number: number; hash?: string | undefined }) => {
  if (Number(block.number) !== at.number) {
    throw new RpcInconsistent('number', `asked for block ${at.number}, got ${Number(block.number)}`)
  }
  if (at.hash !== undefined && !same(block.hash, at.hash)) {
    throw new RpcInconsistent('hash', `asked for block ${at.hash}, got ${block.hash}`)
  }
  block.transactions.forEach((transaction, index) => {
    if (Number(transaction.transactionIndex) !== index) {
      throw new RpcInconsistent(
        'transaction_order',
        `transaction ${transaction.hash} is at index ${index} of ${block.hash}`,
      )
    }
    if (typeof transaction.blockHash === 'string' && !same(transaction.blockHash, block.hash)) {
      throw new RpcInconsistent('transaction_block', `transaction ${transaction.hash} is of ${transaction.blockHash}`)
    }
  })
}

/**
 * Receipts belong to the block, one to each transaction, and their logs make up the header's bloom.
 * @param patient true while another answer may still bring what Ethermint nodes are sometimes missing for good.
 * @returns the receipts in transaction order.
 */
export const checkReceipts = (
  block: RawHeader,
  receipts: readonly RawReceipt[],
  { dialect, bloom, patient }: { dialect: EvmDialect; bloom: Bloom; patient: boolean },
): RawReceipt[] => {
  const places = new Map(block.transactions.map((transaction, index) => [transaction.hash.toLowerCase(), index]))
  const placed: (RawReceipt | undefined)[] = []
  for (const receipt of receipts) {
    if (!same(receipt.blockHash, block.hash)) {
      throw new RpcInconsistent('receipt_block', `a receipt of ${receipt.blockHash} came with block ${block.hash}`)
    }
    const place = places.get(receipt.transactionHash.toLowerCase())
    if (place === undefined) {
      if (dialect.stateSync) continue
      throw new RpcInconsistent(
        'receipt_transaction',
        `receipt ${receipt.transactionHash} is of no transaction of ${block.hash}`,
      )
    }
    placed[place] = receipt
  }
  const missing = block.transactions.filter(
    (transaction, index) => placed[index] === undefined && !(dialect.stateSync && isStateSync(transaction)),
  )
  if (missing.length > 0 && (patient || !dialect.ethermint)) {
    throw new RpcInconsistent('receipt_count', `${missing.length} transactions of ${block.hash} came without receipt`)
  }
  if (!dialect.ethermint && block.logsBloom) {
    const logs = placed.flatMap((receipt, index) => {
      const transaction = block.transactions[index]
      return receipt && transaction && !(dialect.stateSync && isStateSync(transaction)) ? receipt.logs : []
    })
    if (!same(bloom(logs), block.logsBloom)) {
      throw new RpcInconsistent('bloom', `the logs of ${block.hash} do not make up its bloom`)
    }
  }
  return placed.filter((receipt) => receipt !== undefined)
}

/** Every transaction was traced, and nothing else. */
export const checkTraces = (block: RawHeader, traces: readonly RawTrace[], dialect: EvmDialect) => {
  const traced = new Set<number>()
  for (const { txIndex, txHash } of traces) {
    const transaction = block.transactions[txIndex]
    if (!transaction || !same(transaction.hash, txHash)) {
      throw new RpcInconsistent('trace_transaction', `a trace of ${txHash} came with block ${block.hash}`)
    }
    traced.add(txIndex)
  }
  const untraced = block.transactions.filter(
    (transaction, index) => !traced.has(index) && !(dialect.stateSync && isStateSync(transaction)),
  )
  if (untraced.length > 0 && !dialect.ethermint) {
    throw new RpcInconsistent('trace_count', `${untraced.length} transactions of ${block.hash} came without trace`)
  }
}
