import type { Block, LedgerRow } from '../../../../schema/block.ts'
import type { Network } from '../../../../schema/networks.ts'
import type { ChainRegistry } from '../../../../schema/registry/index.ts'
import type { RawLog } from '../raw.ts'

/** Position of the decoder: the block, the current transaction, the rows written so far. One per block. */
export type Cursor = {
  readonly network: Network
  readonly number: number
  readonly time: number
  readonly registry: ChainRegistry
  readonly wrapped: string | undefined
  readonly rows: Block['rows']
  txHash: string
  /** Sender of the transaction. */
  sender: string
  positions: (event: number) => string
}

/** What is read of a log. The address is in lower case. */
export type Log = Pick<RawLog, 'address' | 'topics' | 'data'>

/**
 * Reads one log of a known topic0. Returns false when the log has that topic but not the shape of the event: it is
 * then counted as malformed. Logs that are well formed and none of our business return true and leave no row.
 */
export type LogReader = (at: Cursor, log: Log, position: string) => boolean

/**
 * Columns every row of the transaction at hand shares, for rare rows. Frequent rows spell them out: an object literal
 * that begins with a spread is built property by property, several times slower.
 */
export const headOf = (at: Cursor, position: string) => ({
  network: at.network,
  block_number: at.number,
  block_time: at.time,
  position,
  tx_hash: at.txHash,
})

/** Token id of movements that have none. */
export const NO_TOKEN_ID = '0'

/** One movement of value, written under both parties. A movement to oneself gives two rows as well. */
export const move = (
  at: Cursor,
  position: string,
  kind: LedgerRow['kind'],
  from: string,
  to: string,
  asset: string,
  tokenId: string,
  amount: string,
): void => {
  const { network, number, time, txHash, sender } = at
  at.rows.ledger.push(
    {
      network,
      block_number: number,
      block_time: time,
      position,
      tx_hash: txHash,
      address: from,
      counterparty: to,
      direction: -1,
      kind,
      asset,
      token_id: tokenId,
      amount,
      initiator: sender,
    },
    {
      network,
      block_number: number,
      block_time: time,
      position,
      tx_hash: txHash,
      address: to,
      counterparty: from,
      direction: 1,
      kind,
      asset,
      token_id: tokenId,
      amount,
      initiator: sender,
    },
  )
}
