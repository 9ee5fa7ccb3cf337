/**
 * Messages as cells, made again from what version 3 prints of them. Printed are the fields, the body and what a contract begins as, but
 * not where in the message they stand: each place is tried, and the hash tells which one it was.
 */
import { readBag } from '../cell/boc.ts'
import { type Builder, createBuilder } from '../cell/builder.ts'
import { type Cell, hashOf } from '../cell/cell.ts'
import { writeDictionary } from '../cell/dictionary.ts'
import type { PrintedMessage } from './shapes.ts'

const EMPTY: Cell = createBuilder().end()

/** Coins, and currencies beside them. */
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
    // What was the fee for instant routing has been flags since version 12 of the chain, in the same place.
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

/** Something that stands in the message itself, or in a cell of its own. */
const writeEither = (builder: Builder, cell: Cell, apart: boolean): Builder =>
  apart ? builder.bit(true).ref(cell) : builder.bit(false).append(cell)

const cellOf = (content: PrintedMessage['message_content']): Cell | undefined =>
  content && readBag(Buffer.from(content.body, 'base64'))

const PLACES = [true, false] as const

/** Every way the message may have been written. What does not fit into a cell is none. */
const waysOf = (message: PrintedMessage): Cell[] => {
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

/** A cell of which only the hash is known, and how deep it is. */
const stub = (hash: string, depth: number): Cell => ({
  ...EMPTY,
  hashes: [Buffer.from(hash, 'hex')],
  depths: [depth],
})

/**
 * The cells that a message may be: one where what is printed gives its hash. Where it does not, because receivers outside the
 * chain are not printed, stand-ins of every depth it may have.
 */
export const messageCells = (message: PrintedMessage): readonly Cell[] => {
  const ways = waysOf(message)
  const same = ways.find((cell) => hashOf(cell).toString('hex') === message.hash)
  if (same) return [same]
  const depths = new Set(ways.map(({ depths: own }) => own[0] ?? 0))
  return [...depths].map((depth) => stub(message.hash, depth))
}
