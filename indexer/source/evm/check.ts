/**
 * Checks that the parts of an answer belong together; `verify` checks them against the block's hash. Each check throws
 * RpcInconsistent under its own name, which is a metric label.
 */
import { RpcInconsistent } from '../../../platform/rpc/errors.ts'
import type { EvmDialect } from '../../../schema/networks.ts'
import type { RawHeader, RawReceipt, RawTrace, RawTransaction } from './raw.ts'
import { isStateSync, uncommittedHash } from './verify/state-sync.ts'

const same = (a: string, b: string) => a === b || a.toLowerCase() === b.toLowerCase()

/** Checks that the header is the requested one, and that its transactions belong to it and are in order. */
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
 * Checks that the receipts belong to the block, one per transaction.
 * @param patient true while another answer may still have receipts that Ethermint nodes sometimes lose for good.
 * @returns the receipts in the order of their transactions.
 */
export const placeReceipts = (
  block: RawHeader,
  receipts: readonly RawReceipt[],
  { dialect, patient }: { dialect: EvmDialect; patient: boolean },
): (RawReceipt | undefined)[] => {
  const places = new Map(block.transactions.map((transaction, index) => [transaction.hash.toLowerCase(), index]))
  const placed: (RawReceipt | undefined)[] = block.transactions.map(() => undefined)
  for (const receipt of receipts) {
    if (!same(receipt.blockHash, block.hash)) {
      throw new RpcInconsistent('receipt_block', `a receipt of ${receipt.blockHash} came with block ${block.hash}`)
    }
    const place = places.get(receipt.transactionHash.toLowerCase())
    if (place !== undefined) {
      placed[place] = receipt
    } else if (!dialect.stateSync || !same(receipt.transactionHash, uncommittedHash(block))) {
      throw new RpcInconsistent(
        'receipt_transaction',
        `receipt ${receipt.transactionHash} is of no transaction of ${block.hash}`,
      )
    }
  }
  const missing = block.transactions.filter(
    (transaction, index) => placed[index] === undefined && !(dialect.stateSync && isStateSync(block, transaction)),
  )
  if (missing.length > 0 && (patient || !dialect.ethermint)) {
    throw new RpcInconsistent('receipt_count', `${missing.length} transactions of ${block.hash} came without receipt`)
  }
  return placed
}

/** Whether the root frame has the sender, receiver and value of its transaction. */
const matchesTransaction = (frame: RawTrace, transaction: RawTransaction): boolean =>
  same(frame.from, transaction.from) &&
  BigInt(frame.value) === BigInt(transaction.value) &&
  (!transaction.to || same(frame.to, transaction.to))

/** Checks that every transaction was traced, with a root frame that matches it, and nothing else was. */
export const checkTraces = (block: RawHeader, traces: readonly RawTrace[], dialect: EvmDialect) => {
  const traced = new Set<number>()
  for (const frame of traces) {
    const transaction = block.transactions[frame.txIndex]
    if (!transaction || !same(transaction.hash, frame.txHash)) {
      throw new RpcInconsistent('trace_transaction', `a trace of ${frame.txHash} came with block ${block.hash}`)
    }
    const bound = frame.depth === 0 && !dialect.ethermint && !(dialect.stateSync && isStateSync(block, transaction))
    if (bound && !matchesTransaction(frame, transaction)) {
      throw new RpcInconsistent('trace_root', `the trace of ${frame.txHash} begins with another transaction`)
    }
    traced.add(frame.txIndex)
  }
  const untraced = block.transactions.filter(
    (transaction, index) => !traced.has(index) && !(dialect.stateSync && isStateSync(block, transaction)),
  )
  if (untraced.length > 0 && !dialect.ethermint) {
    throw new RpcInconsistent('trace_count', `${untraced.length} transactions of ${block.hash} came without trace`)
  }
}
