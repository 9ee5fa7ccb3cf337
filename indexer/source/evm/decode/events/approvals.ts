import type { ApprovalRow } from '../../../../../schema/block.ts'
import { PERMIT2 } from '../../../../../schema/registry/index.ts'
import type { Cursor, LogReader } from '../cursor.ts'
import { addressAt, addressOfTopic, isZeroAt, uintAt, WORD } from '../hex.ts'
import { ONE_WORD, word } from './transfers.ts'

const THREE_WORDS = 2 + 3 * WORD

const approve = (
  at: Cursor,
  position: string,
  kind: ApprovalRow['kind'],
  owner: string,
  spender: string,
  asset: string,
  amount: string,
): true => {
  at.rows.approvals.push({
    network: at.network,
    block_number: at.number,
    block_time: at.time,
    position,
    tx_hash: at.txHash,
    owner,
    spender,
    asset,
    kind,
    amount,
    initiator: at.sender,
  })
  return true
}

/** ERC-20 (three topics), ERC-721 (four), unindexed (one topic and three words). */
export const readApproval: LogReader = (at, log, position) => {
  const { topics, data, address: token } = log
  if (topics.length === 1) {
    const owner = addressAt(data, word(0))
    const spender = addressAt(data, word(1))
    if (owner === undefined || spender === undefined || data.length !== THREE_WORDS) return false
    const kind = at.registry.legacyNfts.has(token) ? 'nft' : 'fungible'
    return approve(at, position, kind, owner, spender, token, uintAt(data, word(2)))
  }
  const owner = addressOfTopic(topics[1])
  const spender = addressOfTopic(topics[2])
  if (owner === undefined || spender === undefined) return false
  if (topics.length === 3)
    return data.length >= ONE_WORD && approve(at, position, 'fungible', owner, spender, token, uintAt(data, word(0)))
  const id = topics[3]
  return id?.length === ONE_WORD && approve(at, position, 'nft', owner, spender, token, uintAt(id, 2))
}

/** ERC-721 and ERC-1155: the whole collection, on or off. */
export const readApprovalForAll: LogReader = (at, log, position) => {
  const { topics, data, address: token } = log
  const unindexed = topics.length === 1
  const owner = unindexed ? addressAt(data, word(0)) : addressOfTopic(topics[1])
  const operator = unindexed ? addressAt(data, word(1)) : addressOfTopic(topics[2])
  const flag = unindexed ? word(2) : word(0)
  if (owner === undefined || operator === undefined || data.length < flag + WORD) return false
  return approve(at, position, 'all', owner, operator, token, isZeroAt(data, flag) ? '0' : '1')
}

/** Permit2 `Approval` and `Permit`: owner, token and spender indexed, the amount first in the data. */
export const readPermit2Approval: LogReader = (at, log, position) => {
  if (log.address !== PERMIT2) return true
  const owner = addressOfTopic(log.topics[1])
  const token = addressOfTopic(log.topics[2])
  const spender = addressOfTopic(log.topics[3])
  if (owner === undefined || token === undefined || spender === undefined || log.data.length < ONE_WORD) return false
  return approve(at, position, 'permit2', owner, spender, token, uintAt(log.data, word(0)))
}

/** Permit2 `Lockdown`: the owner withdraws an allowance. */
export const readPermit2Lockdown: LogReader = (at, log, position) => {
  if (log.address !== PERMIT2) return true
  const owner = addressOfTopic(log.topics[1])
  const token = addressAt(log.data, word(0))
  const spender = addressAt(log.data, word(1))
  if (owner === undefined || token === undefined || spender === undefined) return false
  return approve(at, position, 'permit2', owner, spender, token, '0')
}
