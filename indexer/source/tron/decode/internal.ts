/**
 * Internal transactions, from nodes that keep them. Only four kinds move value: the others are staking operations, whose
 * `callValue` is the staked or delegated amount. Source: java-tron, `Program.java`, calls of `addInternalTx`.
 */
import { type Cursor, move, NO_TOKEN_ID } from '../../evm/decode/cursor.ts'
import { recordCreation, recordDestruction } from '../../evm/decode/frames.ts'
import type { RawTronInternal } from '../raw.ts'

const MOVING = new Set(['call', 'create', 'suicide', 'withdrawExpireUnfreezeWhileSuiciding'])

/** Writes internal transfers, creations by contracts and self-destructs. Rows are numbered from 1. */
export const readInternal = (at: Cursor, internal: readonly RawTronInternal[]): void => {
  let event = 0
  const next = () => {
    event += 1
    return at.positions(event)
  }
  for (const { caller_address: from, transferTo_address: to, callValueInfo, note, rejected } of internal) {
    const kind = Buffer.from(note, 'hex').toString('latin1')
    if (rejected || !MOVING.has(kind) || to === '') continue
    for (const { callValue, tokenId } of callValueInfo) {
      if (callValue <= 0n) continue
      if (tokenId === '') move(at, next(), 'internal', from, to, '', NO_TOKEN_ID, callValue.toString())
      else move(at, next(), 'fungible', from, to, tokenId, NO_TOKEN_ID, callValue.toString())
    }
    if (kind === 'create') recordCreation(at, next(), to, from, undefined)
    if (kind === 'suicide') recordDestruction(at, next(), from, to)
  }
}
