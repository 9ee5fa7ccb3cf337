/** Fetches a block from one node: the block, then its infos. Everything is verified, so that lying or lagging nodes are noticed. */
import { z } from 'zod'
import { RpcAbsent, RpcInconsistent } from '../../../platform/rpc/errors.ts'
import type { Node } from '../../../platform/rpc/pool.ts'
import { read } from '../answers.ts'
import { type RawTronBlock, type RawTronInfo, rawTronBlock, rawTronInfo, rawTronInfos } from './raw.ts'
import { placeInfos, verifyHeader, verifyTransactions } from './verify/index.ts'

/** A node's answer for an absent object. */
const nothing = z.strictObject({})

/** Requests a block and verifies its header. @throws RpcAbsent when the node does not have it. */
export const askBlock = async (node: Node, path: string, body: Record<string, unknown>): Promise<RawTronBlock> => {
  const [outcome] = await node.batch([{ method: path, params: [body] }])
  if (outcome && 'result' in outcome && nothing.safeParse(outcome.result).success) {
    throw new RpcAbsent(`${path} ${JSON.stringify(body)}`)
  }
  const block = read(outcome, rawTronBlock, path)
  verifyHeader(block)
  return block
}

/** Requests the block at a height; with a hash, only that block. */
export const askBlockAt = async (node: Node, { number, hash }: { number: number; hash?: string }) => {
  const block = await askBlock(node, 'wallet/getblockbynum', { num: number })
  const found = Number(block.block_header.raw_data.number)
  if (found !== number) throw new RpcInconsistent('number', `asked for block ${number}, got ${found}`)
  if (hash !== undefined && block.blockID !== hash) throw new RpcAbsent(`block ${hash}`)
  return block
}

/** Infos of the block's transactions, in order. A block without transactions needs no request. */
export const askInfos = async (node: Node, block: RawTronBlock): Promise<RawTronInfo[]> => {
  verifyTransactions(block)
  if (block.transactions.length === 0) return []
  const num = Number(block.block_header.raw_data.number)
  // The first block allots coins. Its transactions never ran, and no node has infos of them.
  if (num === 0) return block.transactions.map(({ txID: id }) => rawTronInfo.parse({ id }))
  const body = { num }
  const [outcome] = await node.batch([{ method: 'wallet/gettransactioninfobyblocknum', params: [body] }])
  return placeInfos(block, read(outcome, rawTronInfos, 'infos'))
}
