import { LOG_EVENT_BASE, type Rows } from '../../../../schema/block.ts'
import type { Network } from '../../../../schema/networks.ts'
import { positionsOf } from '../../positions.ts'
import type { RawReceipt, TokenMetadata } from '../raw.ts'
import { numberOf } from './hex.ts'

/** First position of a token in a block. */
export type TokenPlace = { position: string; tx_hash: string }

/** Positions of the tokens of a block: the first log of each, or the block's start for those without logs. */
export const tokenPlaces = (number: number, receipts: readonly RawReceipt[]): ((token: string) => TokenPlace) => {
  const firstLog = new Map<string, { receipt: RawReceipt; log: number }>()
  for (const receipt of receipts)
    receipt.logs.forEach(({ address }, log) => {
      const token = address.toLowerCase()
      if (!firstLog.has(token)) firstLog.set(token, { receipt, log })
    })
  return (token) => {
    const first = firstLog.get(token.toLowerCase())
    if (!first) return { position: positionsOf(number, 0)(0), tx_hash: '' }
    const { receipt, log } = first
    const position = positionsOf(number, numberOf(receipt.transactionIndex))(LOG_EVENT_BASE + log)
    return { position, tx_hash: receipt.transactionHash }
  }
}

/** Row of a token of the block. */
export const tokenRow = (
  { network, number, time }: { network: Network; number: number; time: number },
  place: TokenPlace,
  { token, standard, name, symbol, decimals }: TokenMetadata,
): Rows['tokens'] => ({
  network,
  block_number: number,
  block_time: time,
  ...place,
  token: token.toLowerCase(),
  standard,
  name,
  symbol,
  decimals,
})
