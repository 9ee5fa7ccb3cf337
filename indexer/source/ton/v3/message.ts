/**
 * Rebuilds the cells of messages from version 3's printed form. It has the fields, the body and the initial state, but not where
 * these are stored in the message: each possibility is tried, and the hash decides.
 */
import { readBag } from '../cell/boc.ts'
import { type Builder, createBuilder } from '../cell/builder.ts'
import { type Cell, hashOf } from '../cell/cell.ts'
import { writeDictionary } from '../cell/dictionary.ts'
import type { PrintedMessage } from './shapes.ts'

const EMPTY: Cell = createBuilder().end()

/** Coins and extra currencies. */
export const writeCoins = (
  builder: Builder,
  coins: bigint,
  others: Readonly<Record<string, string>> | undefined,
): Builder => {
  const entries = Object.entries(others ?? {}).map(([id, amount]) => {
    return [Number(id), (value: Builder) => value.variable(BigInt(amount), 5)] as const
  })
  return builder.coins(coins).maybe(writeDictionary(new Map(entries), 32), (to, cell) => to.ref(cell))
}

const writeHead = (builder: Builder, message: PrintedMessage): Builder => {
  const { source = '', destination = '', value } = message
  if (value !== undefined) {
    builder
      .bit(false)
      .bit(message.ihr_disabled === true)
      .bit(message.bounce === true)
      .bit(message.bounced === true)
    builder.address(source).address(destination)
    writeCoins(builder, value, message.value_extra_currencies)
    // Since version 12 of the chain, flags take the place of the instant-routing fee.
    builder.coins(message.extra_flags ?? message.ihr_fee ?? 0n).coins(message.fwd_fee ?? 0n)
    return builder.uint(message.created_lt ?? 0n, 64).uint(message.created_at ?? 0n, 32)
  }
  if (message.destination !== undefined) {
    return builder
      .uint(0b10, 2)
      .address('')
      .address(destination)
      .coins(message.import_fee ?? 0n)
  }
  builder.uint(0b11, 2).address(source).address('')
  return builder.uint(message.created_lt ?? 0n, 64).uint(message.created_at ?? 0n, 32)
}

/** A value stored inline or in a cell of its own. */
const writeEither = (builder: Builder, cell: Cell, apart: boolean): Builder =>
  apart ? builder.bit(true).ref(cell) : builder.bit(false).append(cell)

const cellOf = (content: PrintedMessage['message_content']): Cell | undefined =>
  content && readBag(Buffer.from(content.body, 'base64'))

const PLACES = [true, false] as const

/** Every possible encoding of the message. Those that do not fit a cell are left out. */
const encodingsOf = (message: PrintedMessage): Cell[] => {
  const body = cellOf(message.message_content) ?? EMPTY
  const init = cellOf(message.init_state)
  return (init ? PLACES : [true]).flatMap((initApart) =>
    PLACES.flatMap((bodyApart) => {
      try {
        const builder = writeHead(createBuilder(), message)
        builder.maybe(init, (to, cell) => writeEither(to, cell, initApart))
        return [writeEither(builder, body, bodyApart).end()]
      } catch (error) {
        if (error instanceof RangeError || error instanceof SyntaxError) return []
        throw error
      }
    }),
  )
}

/** A cell of which only hash and depth are known. */
const stub = (hash: string, depth: number): Cell => ({
  ...EMPTY,
  hashes: [Buffer.from(hash, 'hex')],
  depths: [depth],
})

/**
 * The possible cells of a message: one, if an encoding has the printed hash. Otherwise, because receivers outside the chain are not
 * printed, placeholders of every possible depth.
 */
export const messageCells = (message: PrintedMessage): readonly Cell[] => {
  const ways = encodingsOf(message)
  const same = ways.find((cell) => hashOf(cell).toString('hex') === message.hash)
  if (same) return [same]
  const depths = new Set(ways.map(({ depths: own }) => own[0] ?? 0))
  return [...depths].map((depth) => stub(message.hash, depth))
}
