/**
 * Verifies a node's answer for a block: everything that the id commits to is recomputed, and the infos, which nothing commits to,
 * have to belong to it. Each check throws RpcInconsistent under its own name, which is a metric label.
 */
import { messageOf } from '../../../../platform/errors.ts'
import { RpcInconsistent } from '../../../../platform/rpc/errors.ts'
import type { RawTronBlock, RawTronInfo, RawTronTransaction } from '../raw.ts'
import { blockIdOf } from './header.ts'
import { leafOf, rootOf, transactionIdOf } from './transactions.ts'

/** Checks that the header has the block's id. */
export const verifyHeader = ({ blockID, block_header: { raw_data: header } }: RawTronBlock): void => {
  const own = blockIdOf(header)
  if (own !== blockID) throw new RpcInconsistent('header_hash', `block ${blockID} has the header of ${own}`)
}

const leaf = (transaction: RawTronTransaction): Buffer => {
  try {
    return leafOf(transaction)
  } catch (error) {
    throw new RpcInconsistent('transaction_shape', `transaction ${transaction.txID}: ${messageOf(error).slice(0, 200)}`)
  }
}

/** Checks each transaction's id, and that all together make up the header's root. */
export const verifyTransactions = ({ blockID, block_header, transactions }: RawTronBlock): void => {
  for (const transaction of transactions) {
    const own = transactionIdOf(transaction)
    if (own !== transaction.txID)
      throw new RpcInconsistent('transaction_hash', `transaction ${transaction.txID} is ${own}`)
  }
  const stated = block_header.raw_data.txTrieRoot || rootOf([])
  if (rootOf(transactions.map(leaf)) !== stated) {
    throw new RpcInconsistent('transactions_root', `the transactions of block ${blockID} do not match its root`)
  }
}

/**
 * Checks that there is one info per transaction, of this height and this block's time: a branch with the same transactions at the
 * same height was created at another time.
 * @returns the infos in the order of their transactions.
 */
export const placeInfos = (
  { blockID, block_header: { raw_data: header }, transactions }: RawTronBlock,
  infos: readonly RawTronInfo[],
): RawTronInfo[] => {
  if (infos.length !== transactions.length) {
    throw new RpcInconsistent(
      'info_count',
      `block ${blockID} has ${transactions.length} transactions and came with ${infos.length} infos`,
    )
  }
  const byId = new Map(infos.map((info) => [info.id, info]))
  return transactions.map(({ txID }) => {
    const info = byId.get(txID)
    if (!info)
      throw new RpcInconsistent('info_transaction', `transaction ${txID} of block ${blockID} came without info`)
    if (info.blockNumber !== header.number || info.blockTimeStamp !== header.timestamp) {
      throw new RpcInconsistent('info_block', `the info of ${txID} is of another block than ${blockID}`)
    }
    return info
  })
}
