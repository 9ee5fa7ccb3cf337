/**
 * Parses message bodies defined by standards: comments, jettons (TEP-74), NFTs (TEP-62). Anybody can send any of them to anybody,
 * so a body alone proves nothing.
 */
import { type Slice, sliceOf } from './cell/slice.ts'
import { snakeOf } from './cell/text.ts'
import type { PlacedTransaction } from './raw.ts'

/** Operations, the first 32 bits of a body: those of TEP-74 and TEP-62, and 0 for a comment. */
export const OP = {
  comment: 0,
  jettonTransfer: 0x0f8a7ea5,
  jettonInternalTransfer: 0x178d4519,
  jettonNotification: 0x7362d09c,
  jettonBurn: 0x595f07bc,
  jettonBurnNotification: 0x7bdd97de,
  nftTransfer: 0x5fcc3d14,
  nftOwnershipAssigned: 0x05138d91,
} as const

const OP_BITS = 32
const QUERY_BITS = 64

/** First 32 bits of a body, `undefined` if there are fewer. */
export const opOf = (body: Slice): number | undefined =>
  body.bitsLeft() >= OP_BITS ? body.copy().uint(OP_BITS) : undefined

/** The part after the operation, `undefined` if the body has another operation. */
const after = (body: Slice, op: number): Slice | undefined => {
  if (opOf(body) !== op) return undefined
  const slice = body.copy()
  slice.skip(OP_BITS)
  return slice
}

const reading = <T>(read: () => T | undefined): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Bytes of a comment, `undefined` if the body is none. */
export const commentOf = (body: Slice): Buffer | undefined =>
  reading(() => {
    const slice = after(body, OP.comment)
    return slice && snakeOf(slice)
  })

type JettonMove = { amount: bigint; party: string }

/** Jettons in a transfer message between two jetton wallets: the amount, and the claimed owner. */
export const internalTransferOf = (body: Slice): JettonMove | undefined =>
  reading(() => {
    const slice = after(body, OP.jettonInternalTransfer)
    if (!slice) return undefined
    slice.skip(QUERY_BITS)
    return { amount: slice.coins(), party: slice.address() }
  })

/** Jettons in a wallet's burn notification to its master, and their owner. */
export const burnOf = (body: Slice): JettonMove | undefined =>
  reading(() => {
    const slice = after(body, OP.jettonBurnNotification)
    if (!slice) return undefined
    slice.skip(QUERY_BITS)
    return { amount: slice.coins(), party: slice.address() }
  })

/** New owner of an item; empty for none. */
export const nftTransferOf = (body: Slice): { owner: string } | undefined =>
  reading(() => {
    const slice = after(body, OP.nftTransfer)
    if (!slice) return undefined
    slice.skip(QUERY_BITS)
    return { owner: slice.address() }
  })

/** Skips the fields between the operation and the payload for the new owner. */
const BEFORE_PAYLOAD: Readonly<Record<number, (slice: Slice) => void>> = {
  [OP.jettonTransfer]: (slice) => {
    slice.coins()
    slice.address()
    slice.address()
    if (slice.bit()) slice.ref()
    slice.coins()
  },
  [OP.jettonNotification]: (slice) => {
    slice.coins()
    slice.address()
  },
  [OP.nftOwnershipAssigned]: (slice) => {
    slice.address()
  },
}

/**
 * The sender's comment on jettons or an item, sent by an owner to its jetton wallet, or by a contract to the new owner. A
 * notification of something that was never sent is just a text of its author.
 */
export const payloadCommentOf = (body: Slice): Buffer | undefined =>
  reading(() => {
    const op = opOf(body)
    const skip = op === undefined ? undefined : BEFORE_PAYLOAD[op]
    const slice = op === undefined || !skip ? undefined : after(body, op)
    if (!slice) return undefined
    slice.skip(QUERY_BITS)
    skip?.(slice)
    // The payload is inline, or in a cell of its own.
    return commentOf(slice.bit() ? sliceOf(slice.ref()) : slice)
  })

/** The message of a transaction, if the contract accepted it and succeeded. */
export const acceptedMessageOf = ({ message, outcome }: PlacedTransaction) =>
  message?.kind === 'internal' && !message.bounced && outcome.result === 'done' ? message : undefined
