/** Messages between contracts, and from outside. Source: TON, `crypto/block/block.tlb` (Message, CommonMsgInfo, StateInit). */
import { type Cell, hashOf } from './cell/cell.ts'
import { type Slice, sliceOf } from './cell/slice.ts'

/** Initial state of a contract. */
export type StateInit = { code: Cell | undefined; data: Cell | undefined }

/** A parsed message. Addresses are `workchain:hex`, or empty. */
export type Message =
  | {
      kind: 'internal'
      bounce: boolean
      /** Whether it comes back because its receiver refused it. */
      bounced: boolean
      source: string
      destination: string
      /** Coins sent along, in nanotons. */
      value: bigint
      init: StateInit | undefined
      body: Slice
    }
  | { kind: 'external'; destination: string; init: StateInit | undefined; body: Slice }
  /** Has no receiver on the chain. */
  | { kind: 'log'; source: string; body: Slice }

const initOf = (slice: Slice): StateInit => {
  if (slice.bit()) slice.skip(5)
  if (slice.bit()) slice.skip(2)
  const code = slice.bit() ? slice.ref() : undefined
  const data = slice.bit() ? slice.ref() : undefined
  if (slice.bit()) slice.ref()
  return { code, data }
}

const readInit = (slice: Slice): StateInit | undefined => {
  if (!slice.bit()) return undefined
  return slice.bit() ? initOf(sliceOf(slice.ref())) : initOf(slice)
}

const readBody = (slice: Slice): Slice => (slice.bit() ? sliceOf(slice.ref()) : slice)

/** Reads an amount, and skips extra currencies, which may be present. */
export const readCoins = (slice: Slice): bigint => {
  const coins = slice.coins()
  if (slice.bit()) slice.ref()
  return coins
}

/** @throws RangeError when the cell is not a message. */
export const readMessage = (cell: Cell): Message => {
  const slice = sliceOf(cell)
  if (!slice.bit()) {
    slice.skip(1)
    const bounce = slice.bit()
    const bounced = slice.bit()
    const source = slice.address()
    const destination = slice.address()
    const value = readCoins(slice)
    slice.coins()
    slice.coins()
    slice.skip(64 + 32)
    const init = readInit(slice)
    return { kind: 'internal', bounce, bounced, source, destination, value, init, body: readBody(slice) }
  }
  if (!slice.bit()) {
    slice.address()
    const destination = slice.address()
    slice.coins()
    const init = readInit(slice)
    return { kind: 'external', destination, init, body: readBody(slice) }
  }
  const source = slice.address()
  slice.address()
  slice.skip(64 + 32)
  readInit(slice)
  return { kind: 'log', source, body: readBody(slice) }
}

/** Hash of a contract's code in hex; empty without code. */
export const codeHashOf = (init: StateInit | undefined): string => (init?.code ? hashOf(init.code).toString('hex') : '')
