import type { RawTrace } from '../raw.ts'
import { codeIdentity } from './code-hash.ts'
import { type Cursor, move, NO_TOKEN_ID } from './cursor.ts'
import { decimalOf } from './hex.ts'
import { createActors } from './speakers.ts'

/** Frames that move value. CALLCODE does not move it, and DELEGATECALL only inherits it. */
const MOVES_VALUE = new Set<RawTrace['type']>(['call', 'create', 'create2', 'suicide'])

/**
 * Writes a creation. `code` is undefined if the runtime code was not visible. `root` is the account that initiated it; empty if
 * that is the contract itself, as for accounts deployed by their first user operation.
 */
export const recordCreation = (
  at: Cursor,
  position: string,
  contract: string,
  creator: string,
  code: string | undefined,
  root = at.sender,
): void => {
  const identity = code === undefined ? { hash: '', size: 0 } : codeIdentity(code)
  at.rows.creations.push({
    network: at.network,
    block_number: at.number,
    block_time: at.time,
    position,
    tx_hash: at.txHash,

    contract,
    event: 'create',
    creator,
    root_creator: root === contract ? '' : root,
    code_hash: identity.hash,
    code_size: identity.size,
  })
}

/** Writes a self-destruct. */
export const recordDestruction = (at: Cursor, position: string, contract: string, beneficiary: string): void => {
  at.rows.creations.push({
    network: at.network,
    block_number: at.number,
    block_time: at.time,
    position,
    tx_hash: at.txHash,

    contract,
    event: 'destroy',
    creator: beneficiary,
    root_creator: at.sender,
    code_hash: '',
    code_size: 0,
  })
}

/**
 * Reads internal transfers, factory creations and self-destructs of one transaction. Only frames with a row are numbered, from
 * 1 in call order, so that positions do not depend on what else a node's tracer shows.
 */
export const readFrames = (at: Cursor, frames: readonly RawTrace[]): void => {
  let event = 0
  const actorOf = createActors(at)
  for (const frame of frames) {
    const actor = actorOf(frame)
    if (frame.depth === 0 || frame.reverted) continue
    const { type } = frame
    const creates = type === 'create' || type === 'create2'
    const carries = MOVES_VALUE.has(type) && frame.value !== '0x0' && frame.to !== ''
    const value = carries ? decimalOf(frame.value) : '0'
    if (!creates && type !== 'suicide' && value === '0') continue
    event += 1
    const position = at.positions(event)
    const from = frame.from.toLowerCase()
    const to = frame.to.toLowerCase()
    if (value !== '0') move(at, position, 'internal', from, to, '', NO_TOKEN_ID, value)
    if (creates && to !== '') recordCreation(at, position, to, from, frame.output, actor)
    if (type === 'suicide') recordDestruction(at, position, from, to)
  }
}
