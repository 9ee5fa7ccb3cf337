import type { Block, LedgerRow } from '../../../../schema/block.ts'
import type { Network } from '../../../../schema/networks.ts'
import type { ChainRegistry } from '../../../../schema/registry/index.ts'
import type { RawLog } from '../raw.ts'

/** State of the decoder: the block, the current transaction, and the rows so far. One per block. */
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

/** The decoded parts of a log. The address is in lower case. */
export type Log = Pick<RawLog, 'address' | 'topics' | 'data'>

/**
 * Reads one log by its topic0. Returns false if the log does not have the shape of the event; it then counts as malformed.
 * Well-formed logs that are not relevant return true without a row.
 */
export type LogReader = (at: Cursor, log: Log, position: string) => boolean

/**
 * Common columns of the current transaction's rows, for rare rows. Frequent rows list them: object literals that begin with a
 * spread are built property by property, which is several times slower.
 */
export const headOf = (at: Cursor, position: string) => ({
  network: at.network,
  block_number: at.number,
  block_time: at.time,
  position,
  tx_hash: at.txHash,
})

/** Token id of movements without one. */
export const NO_TOKEN_ID = '0'

/** Writes one movement of value, under both parties. A movement to oneself gets two rows as well. */
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
