/**
 * Verifies a block against its hash: the header hashes to it, and transactions and receipts make up the header's roots. Each
 * check throws RpcInconsistent under its own name, which is a metric label.
 *
 * Fields outside the roots are recomputed from those inside: hashes and effective prices of transactions, gas of each
 * receipt, addresses of created contracts. The roots contain senders only as signatures, which are recovered in one of
 * four blocks, chosen at random. Not bound by the header at all: call traces below the root frame, code and names of
 * contracts, the two fees `blobGasPrice` and `l1Fee`, and the nonce of deposits before Canyon.
 */

import { keccakHex } from '../../../../platform/keccak.ts'
import { RpcInconsistent } from '../../../../platform/rpc/errors.ts'
import type { EvmDialect } from '../../../../schema/networks.ts'
import type { Bloom } from '../bloom.ts'
import type { RawHead, RawHeader, RawReceipt, RawTransaction } from '../raw.ts'
import { headerHash } from './header.ts'
import { writeReceipt } from './receipts.ts'
import { createRlpWriter, type RlpWriter } from './rlp.ts'
import { createdBy, signerOf } from './sender.ts'
import { holdsStateSync, uncommittedHash } from './state-sync.ts'
import { DEPOSIT, typeOf, writeTransaction } from './transactions.ts'
import { listRoot } from './trie.ts'

/** First type whose price depends on the base fee (EIP-1559), and the type with blobs (EIP-4844). */
const DYNAMIC_FEE = 2
const BLOB = 3
/** A sender is recovered in one of this many blocks, because it costs as much as the rest of a block's verification. */
const SENDER_BLOCKS = 4
/** Gas of one blob (EIP-4844). */
const BLOB_GAS = 131_072n

const same = (a: string, b: string) => a === b || a.toLowerCase() === b.toLowerCase()

/**
 * The checks of one network. Checks that the dialect does not support always pass.
 * @throws RpcInconsistent from each check
 */
export type Verifier = {
  /** Checks that the header hashes to the block's hash. */
  header: (block: RawHead) => void
  /** Checks that the transactions make up the header's root. */
  transactions: (block: RawHeader) => void
  /** Checks that the receipts, in transaction order, make up the header's root. */
  receipts: (block: RawHeader, placed: readonly (RawReceipt | undefined)[]) => void
}

const inconsistent = (check: string, message: string) => new RpcInconsistent(check, message)

/** Runs a check whose fields may be missing or not hex. */
const checkingFields = <T>(check: string, block: Pick<RawHead, 'hash'>, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError) throw inconsistent(check, `block ${block.hash}: ${error.message}`)
    throw error
  }
}

const smallest = (a: bigint, b: bigint) => (a < b ? a : b)

/** Price of a unit of gas, by the transaction's fields and the base fee (EIP-1559). */
const priceOf = (transaction: RawTransaction, baseFee: string | null | undefined): bigint => {
  const cap = transaction.maxFeePerGas
  if (typeOf(transaction) < DYNAMIC_FEE || !cap) return BigInt(transaction.gasPrice ?? '0x0')
  return smallest(BigInt(cap), BigInt(baseFee ?? '0x0') + BigInt(transaction.maxPriorityFeePerGas ?? '0x0'))
}

const checkDerived = (
  block: RawHeader,
  transaction: RawTransaction,
  receipt: RawReceipt,
  gasBefore: bigint,
  dialect: EvmDialect,
  writer: RlpWriter,
) => {
  const of = `of transaction ${transaction.hash}`
  if (BigInt(receipt.cumulativeGasUsed ?? '0x0') - gasBefore !== BigInt(receipt.gasUsed)) {
    throw inconsistent('gas_used', `the receipt ${of} states other gas than the sum of the block`)
  }
  const type = typeOf(transaction)
  if (type >= DYNAMIC_FEE && type < DEPOSIT && !receipt.effectiveGasPrice) {
    throw inconsistent('gas_price', `the receipt ${of} states no price`)
  }
  if (receipt.effectiveGasPrice && type < DEPOSIT) {
    const price = priceOf(transaction, block.baseFeePerGas)
    const stated = BigInt(receipt.effectiveGasPrice)
    // Bor may grant transactions a lower price.
    if (dialect.stateSync ? stated > price : stated !== price) {
      throw inconsistent('gas_price', `the receipt ${of} states another price than its fields`)
    }
  }
  const blobs = Array.isArray(transaction.blobVersionedHashes) ? transaction.blobVersionedHashes.length : 0
  if (receipt.blobGasUsed && type === BLOB && BigInt(receipt.blobGasUsed) !== BigInt(blobs) * BLOB_GAS) {
    throw inconsistent('blob_gas', `the receipt ${of} states another number of blobs`)
  }
  if (receipt.l1Fee && BigInt(receipt.l1Fee) > 0n && typeOf(block.transactions[0] ?? {}) !== DEPOSIT) {
    throw inconsistent('l1_fee', `the receipt ${of} states a fee that only rollups take`)
  }
  const nonceOfDeposit = typeof receipt.depositNonce === 'string' ? receipt.depositNonce : undefined
  if (type === DEPOSIT && nonceOfDeposit !== undefined && BigInt(nonceOfDeposit) !== BigInt(transaction.nonce)) {
    throw inconsistent('deposit_nonce', `the receipt ${of} states another nonce`)
  }
  if (!transaction.to && !receipt.contractAddress && receipt.status === '0x1') {
    throw inconsistent('contract_address', `the receipt ${of} names no contract`)
  }
  if (!transaction.to && receipt.contractAddress) {
    if (!same(createdBy(transaction.from, transaction.nonce, writer), receipt.contractAddress)) {
      throw inconsistent('contract_address', `the receipt ${of} names another contract than it created`)
    }
  }
}

type VerifierOptions = {
  /**
   * Accept transactions without a signature under the node's hash: development nodes let callers act as any account
   * (`anvil_impersonateAccount`). No public network has such transactions. The root still has to match.
   * @default false
   */
  impersonation?: boolean
  /** Selects, from [0, 1), the block and the transaction whose sender is recovered. @default Math.random */
  random?: () => number
}

const isUnsigned = ({ r, s }: RawTransaction): boolean =>
  [r, s].every((part) => typeof part === 'string' && /^0x0*$/.test(part))

/** A verifier with its own write buffer, for use in one thread. */
export const createVerifier = (
  dialect: EvmDialect,
  bloom: Bloom,
  { impersonation = false, random = Math.random }: VerifierOptions = {},
): Verifier => {
  const writer = createRlpWriter()
  const { verifies } = dialect

  /** Number of transactions, from the first, that are in the roots. */
  const committed = (block: RawHeader): number => {
    const last = dialect.stateSync ? block.transactions.at(-1) : undefined
    return block.transactions.length - (last && same(last.hash, uncommittedHash(block)) ? 1 : 0)
  }

  const checkSender = (block: RawHeader, transaction: RawTransaction | undefined) => {
    if (!transaction || (impersonation && isUnsigned(transaction))) return
    const signer = checkingFields('sender', block, () => {
      try {
        return signerOf(transaction, writer)
      } catch (error) {
        throw error instanceof RangeError ? error : new RangeError('a signature is invalid')
      }
    })
    if (signer !== undefined && !same(signer, transaction.from)) {
      throw inconsistent(
        'sender',
        `transaction ${transaction.hash} was signed by ${signer}, not by ${transaction.from}`,
      )
    }
  }

  return {
    header: (block) => {
      if (!verifies.header) return
      const hash = checkingFields('header_hash', block, () => headerHash(block, writer))
      if (!same(hash, block.hash)) {
        throw inconsistent('header_hash', `the header that came as ${block.hash} hashes to ${hash}`)
      }
    },
    transactions: (block) => {
      if (!verifies.transactions) return
      const { transactions } = block
      const count = committed(block)
      const incomplete = dialect.stateSync && holdsStateSync(transactions)
      const own = (index: number) => {
        const transaction = transactions[index]
        if (!transaction) throw new RangeError(`no transaction ${index}`)
        writeTransaction(writer, transaction)
        const hash = keccakHex(writer.view())
        if (!same(hash, transaction.hash) && !(impersonation && isUnsigned(transaction))) {
          throw inconsistent('transaction_hash', `the transaction that came as ${transaction.hash} hashes to ${hash}`)
        }
      }
      checkingFields('transactions_root', block, () => {
        if (incomplete) {
          for (let index = 0; index < count - 1; index += 1) {
            writer.clear()
            own(index)
          }
        } else if (!same(listRoot(count, own, writer), String(block.transactionsRoot))) {
          throw inconsistent('transactions_root', `the transactions of ${block.hash} do not make up its root`)
        }
      })
      const place = random() * SENDER_BLOCKS
      if (place < 1) checkSender(block, transactions[Math.floor(place * (incomplete ? count - 1 : count))])
    },
    receipts: (block, placed) => {
      if (!verifies.receipts) return
      const count = committed(block)
      const at = (index: number): [RawTransaction, RawReceipt] => {
        const [transaction, receipt] = [block.transactions[index], placed[index]]
        if (!transaction || !receipt) throw new RangeError(`no receipt ${index}`)
        return [transaction, receipt]
      }
      checkingFields('receipts_root', block, () => {
        const root = listRoot(
          count,
          (index) => {
            const [transaction, receipt] = at(index)
            writeReceipt(writer, receipt, typeOf(transaction), bloom)
          },
          writer,
        )
        if (!same(root, String(block.receiptsRoot))) {
          throw inconsistent('receipts_root', `the receipts of ${block.hash} do not make up its root`)
        }
        let gas = 0n
        for (let index = 0; index < count; index += 1) {
          const [transaction, receipt] = at(index)
          checkDerived(block, transaction, receipt, gas, dialect, writer)
          gas = BigInt(receipt.cumulativeGasUsed ?? '0x0')
        }
      })
    },
  }
}
