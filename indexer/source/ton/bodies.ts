/**
 * What messages say, as far as standards define it: comments, jettons (TEP-74), NFTs (TEP-62). Anybody can write any of them to anybody:
 * a body alone proves nothing.
 */
import { type Slice, sliceOf } from './cell/slice.ts'
import { snakeOf } from './cell/text.ts'
import type { PlacedTransaction } from './raw.ts'

/** Operations, the first 32 bits of a body: those of TEP-74 and TEP-62, and 0 for a text. */
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

/** First 32 bits of a body, `undefined` where there are fewer. */
export const opOf = (body: Slice): number | undefined =>
  body.bitsLeft() >= OP_BITS ? body.copy().uint(OP_BITS) : undefined

/** The part after the operation, `undefined` when the body is another. */
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

/** Bytes of a comment, `undefined` when the body is none. */
export const commentOf = (body: Slice): Buffer | undefined =>
  reading(() => {
    const slice = after(body, OP.comment)
    return slice && snakeOf(slice)
  })

type JettonMove = { amount: bigint; party: string }

/** What a jetton wallet is told that another one sent: the amount and the owner it claims to come from. */
export const internalTransferOf = (body: Slice): JettonMove | undefined =>
  reading(() => {
    const slice = after(body, OP.jettonInternalTransfer)
    if (!slice) return undefined
    slice.skip(QUERY_BITS)
    return { amount: slice.coins(), party: slice.address() }
  })

/** What a jetton's master is told that a wallet burnt, and whose it was. */
export const burnOf = (body: Slice): JettonMove | undefined =>
  reading(() => {
    const slice = after(body, OP.jettonBurnNotification)
    if (!slice) return undefined
    slice.skip(QUERY_BITS)
    return { amount: slice.coins(), party: slice.address() }
  })

/** New owner of an item; empty for nobody. */
export const nftTransferOf = (body: Slice): { owner: string } | undefined =>
  reading(() => {
    const slice = after(body, OP.nftTransfer)
    if (!slice) return undefined
    slice.skip(QUERY_BITS)
    return { owner: slice.address() }
  })

/** What stands between the operation and the payload that is meant for the new owner. */
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
 * The text that goes with jettons or an item, as its sender wrote it: an owner to its jetton wallet, or a contract to the new owner. A
 * notice of something that was never sent is a text of whoever made it up.
 */
export const payloadCommentOf = (body: Slice): Buffer | undefined =>
  reading(() => {
    const op = opOf(body)
    const skip = op === undefined ? undefined : BEFORE_PAYLOAD[op]
    const slice = op === undefined || !skip ? undefined : after(body, op)
    if (!slice) return undefined
    slice.skip(QUERY_BITS)
    skip?.(slice)
    // The payload stands here, or in a cell of its own.
    return commentOf(slice.bit() ? sliceOf(slice.ref()) : slice)
  })

/** A message that a contract took and acted on. */
export const takenOf = ({ message, outcome }: PlacedTransaction) =>
  message?.kind === 'internal' && !message.bounced && outcome.result === 'done' ? message : undefined
