/** A synthetic TRON chain with correct ids and roots: it grows, forks and answers for each block in the format of a node. */
import { blockIdOf } from '../../../../indexer/source/tron/verify/header.ts'
import { leafOf, rootOf } from '../../../../indexer/source/tron/verify/transactions.ts'
import { firstBlock } from './first-block.ts'
import {
  type PrintedBlock,
  type PrintedInfo,
  type PrintedTransaction,
  printInfo,
  printTransaction,
  type TronTx,
} from './transactions.ts'

export type Made = { block: PrintedBlock; infos: PrintedInfo[] }

export type TronChain = {
  /** Adds blocks, each with its transactions. */
  mine: (...blocks: readonly (readonly TronTx[])[]) => void
  /** Replaces the newest blocks by others with other times. */
  fork: (depth: number, ...blocks: readonly (readonly TronTx[])[]) => void
  /** Lets time pass before the next block. */
  wait: (seconds: number) => void
  /** Appends blocks of another origin: their headers are linked anew, their transactions are unchanged. */
  relink: (block: PrintedBlock, infos: readonly PrintedInfo[]) => void
  /** Height of the newest block. */
  height: () => number
  at: (number: number) => Made | undefined
  hashAt: (number: number) => string
}

const INTERVAL = 3_000
const WITNESS = '4178c842ee63b253f8f0d2955bbc582c661a078c9d'
const SIGNATURE = `${'08'.repeat(64)}01`

export const createTronChain = ({ from = 1_700_000_000 }: { from?: number } = {}): TronChain => {
  const blocks: Made[] = [{ block: firstBlock(), infos: [] }]
  let salt = 0
  let delay = 0

  const link = (transactions: PrintedTransaction[]) => {
    const number = blocks.length
    const time = from * 1_000 + number * INTERVAL + delay
    const root = rootOf(transactions.map((one) => leafOf(one)))
    const parentHash = blocks[number - 1]!.block.blockID
    const fields = { number, txTrieRoot: root, witness_address: WITNESS, parentHash, version: 34, timestamp: time }
    const blockID = blockIdOf({
      number: BigInt(number),
      timestamp: BigInt(time),
      txTrieRoot: root,
      parentHash,
      witness_id: 0n,
      witness_address: WITNESS,
      version: 34n,
      accountStateRoot: '',
    })
    const block: PrintedBlock = { blockID, block_header: { raw_data: fields, witness_signature: SIGNATURE } }
    if (transactions.length > 0) block.transactions = transactions
    return { block, number, time }
  }

  const make = (txs: readonly TronTx[]): Made => {
    const printed = txs.map((tx) => {
      salt += 1
      return printTransaction(tx, salt)
    })
    const { block, number, time } = link(printed)
    return { block, infos: txs.map((tx, index) => printInfo(tx, printed[index]!.txID, { number, time })) }
  }

  const chain: TronChain = {
    mine: (...added) => {
      for (const txs of added) blocks.push(make(txs))
    },
    fork: (depth, ...added) => {
      blocks.splice(blocks.length - depth)
      delay += INTERVAL
      chain.mine(...added)
    },
    wait: (seconds) => {
      delay += seconds * 1_000
    },
    relink: (recorded, infos) => {
      const { block, number, time } = link(recorded.transactions ?? [])
      blocks.push({ block, infos: infos.map((info) => ({ ...info, blockNumber: number, blockTimeStamp: time })) })
    },
    height: () => blocks.length - 1,
    at: (number) => blocks[number],
    hashAt: (number) => blocks[number]!.block.blockID,
  }
  return chain
}
