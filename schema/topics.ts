/**
 * Topics, keys, headers and the codec of block messages: the written reorg contract.
 *
 * - `history.<network>`: final blocks, several partitions, published in ascending order, consumed in any order.
 * - `head.<network>`: one partition, strict chain order. Steps:
 *   - `handover`: blocks `from..to` (hash of `to` given) are on the history topic, and the head topic goes on above them. It
 *     is the first message of the topic;
 *   - `new`: rows of blocks `from..to`, which extend the chain the topic told so far;
 *   - `undo`: blocks `from..to` are no longer part of the chain. It and the `new` messages that replace them are one
 *     transaction: a read-committed consumer never sees the one without the other;
 *   - `final`: every block up to `to` (hash given) will never change. `to` never goes back.
 * - `rescore.<network>`: the rescore queue, addresses whose rows are stored and whose records have to be computed again. A
 *   message is a JSON array of them; an address is always on the same partition.
 * - `records` (compacted): every new record, as JSON. Fraud records of wallets have the key `network:address`, those of
 *   other operations `network:address:operation` and name their `operation` inside: an address has one of each. An empty
 *   `body` withdraws the record.
 * - `served`: served-request counts.
 * - `status` (kept for minutes): how the networks of each role are doing (`records/status.ts`).
 * - `dlq`: what could not be processed, with reason, offsets and token.
 *
 * Every message of `history` and `head` carries a header `log`: a UUID that the first publisher of a topic made. A topic that
 * was deleted and created again has another one, so that nobody takes its offsets for those of the old topic.
 *
 * A message stays below 1 MB: blocks larger than that travel as parts 0..of-1 with equal `from`, `to` and `hash`, each
 * part holding some of the rows. A message is one JSON line (`Envelope`) followed by JSON lines of rows, table by table,
 * so that the scorer hands each section to the store without parsing it.
 */
import { z } from 'zod'
import { type Block, type BlockRef, TABLES, type TableName, touchedAddresses } from './block.ts'
import { NETWORK_CODES, type Network, type Operation } from './networks.ts'

/** Version of the row shapes and of the codec. */
export const SCHEMA_VERSION = 1

/** Header of `history` messages that `assay backfill` published: the range it was asked for, as `from-to`. */
export const BACKFILL_HEADER = 'backfill'

/** Upper bound of a message's value, in bytes. Kafka's default limit is 1,048,588 with headers. */
export const MAX_MESSAGE_BYTES = 900_000

export const topics = {
  history: (network: Network) => `history.${network}`,
  head: (network: Network) => `head.${network}`,
  rescore: (network: Network) => `rescore.${network}`,
  records: 'records',
  served: 'served',
  status: 'status',
  dlq: 'dlq',
}

/** Key of a record on topic `records`: a newer one of the same operation replaces it. */
export const recordTopicKey = (network: Network, address: string, operation: Operation = 'fraud_check'): string =>
  operation === 'fraud_check' ? `${network}:${address}` : `${network}:${address}:${operation}`

export const HISTORY_PARTITIONS = 4
export const RESCORE_PARTITIONS = 4

const integerText = z.string().regex(/^\d+$/).transform(Number)

/** Headers of messages on `head` and `history`. All values are text on the wire. */
export const blockHeaders = z.object({
  schema: integerText.pipe(z.literal(SCHEMA_VERSION)),
  network: z.enum(NETWORK_CODES),
  /** Identity of the topic: one for all its messages. */
  log: z.string().min(1),
  step: z.enum(['new', 'undo', 'final', 'handover']),
  from: integerText,
  to: integerText,
  /** Hash of block `to` (`new`, `final`, `handover`), of the last block that stays (`undo`). */
  hash: z.string(),
  part: integerText,
  of: integerText,
})
export type BlockHeaders = z.output<typeof blockHeaders>

const envelope = z.object({
  blocks: z.array(
    z.object({
      number: z.int(),
      hash: z.string(),
      parentHash: z.string(),
      time: z.int(),
      /** 1 when the block has its traces. */
      traces: z.literal([0, 1]),
    }),
  ),
  /** Table, row count and byte length of each section that follows, in order. */
  sections: z.array(z.tuple([z.enum(TABLES), z.int(), z.int()])),
  touched: z.array(z.string()),
})

/** A message as the bus carries it, before it has an offset; `stamp` adds the identity of its topic. */
export type BlockMessage = { key: string; value: Buffer; headers: Record<string, string> }

/** Upper bound of a message of the rescore queue's value, in bytes: some thousands of addresses. */
const MAX_RESCORE_BYTES = 200_000
/** Quotes and comma around an address. */
const ADDRESS_FRAME_BYTES = 3

const rescoreValue = z.array(z.string().min(1))

/** Values of messages of the rescore queue that hold the addresses, in order. */
export const encodeRescore = (addresses: readonly string[]): Buffer[] => {
  const groups: string[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const address of addresses) {
    const size = address.length + ADDRESS_FRAME_BYTES
    if (bytes + size > MAX_RESCORE_BYTES) {
      groups.push([])
      bytes = 1
    }
    groups.at(-1)?.push(address)
    bytes += size
  }
  return groups.map((group) => Buffer.from(JSON.stringify(group)))
}

/** @throws ZodError or SyntaxError when the value is no array of addresses. */
export const decodeRescore = (value: Buffer): string[] => rescoreValue.parse(JSON.parse(value.toString()))

/** A block as its message names it. */
export type SentBlock = BlockRef & { traces: 0 | 1 }

/** What a consumer gets out of a `new` message. `rows` are JSON lines, ready to insert. */
export type DecodedBlocks = {
  headers: BlockHeaders
  blocks: SentBlock[]
  touched: string[]
  sections: { table: TableName; count: number; rows: Buffer }[]
}

const textHeaders = (headers: Omit<BlockHeaders, 'log'>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

type Line = { table: TableName; text: string; bytes: number }

const linesOf = (blocks: readonly Block[]): Line[] =>
  TABLES.flatMap((table) =>
    blocks.flatMap((block) =>
      block.rows[table].map((row) => {
        const text = `${JSON.stringify(row)}\n`
        return { table, text, bytes: Buffer.byteLength(text) }
      }),
    ),
  )

const packParts = (lines: readonly Line[], budget: number): Line[][] => {
  const parts: Line[][] = [[]]
  let bytes = 0
  for (const line of lines) {
    if (bytes + line.bytes > budget && bytes > 0) {
      parts.push([])
      bytes = 0
    }
    parts.at(-1)?.push(line)
    bytes += line.bytes
  }
  return parts
}

const encodePart = (blocks: SentBlock[], touched: string[], lines: readonly Line[]): Buffer => {
  const sections: [TableName, number, number][] = []
  for (const line of lines) {
    const last = sections.at(-1)
    if (last?.[0] === line.table) {
      last[1] += 1
      last[2] += line.bytes
    } else sections.push([line.table, 1, line.bytes])
  }
  const head = JSON.stringify({ blocks, sections, touched } satisfies z.input<typeof envelope>)
  return Buffer.from(`${head}\n${lines.map((line) => line.text).join('')}`)
}

/**
 * Encodes consecutive blocks of one network as one or more `new` messages, each below MAX_MESSAGE_BYTES.
 * Touched addresses travel with the last part, when every row is on its way.
 */
export const encodeBlocks = (blocks: readonly Block[]): BlockMessage[] => {
  const first = blocks[0]
  const last = blocks.at(-1)
  if (!first || !last) return []
  const refs = blocks.map(({ number, hash, parentHash, time, rows }) => {
    const traces: 0 | 1 = rows.blocks.some(({ sees_traces }) => sees_traces === 1) ? 1 : 0
    return { number, hash, parentHash, time, traces }
  })
  const touched = [...new Set(blocks.flatMap(touchedAddresses))]
  const headBytes = Buffer.byteLength(JSON.stringify({ refs, touched })) + 1_000
  const parts = packParts(linesOf(blocks), Math.max(MAX_MESSAGE_BYTES - headBytes, MAX_MESSAGE_BYTES / 4))
  return parts.map((lines, part) => ({
    key: `${first.network}:${first.number}`,
    value: encodePart(refs, part === parts.length - 1 ? touched : [], lines),
    headers: textHeaders({
      schema: SCHEMA_VERSION,
      network: first.network,
      step: 'new',
      from: first.number,
      to: last.number,
      hash: last.hash,
      part,
      of: parts.length,
    }),
  }))
}

const control = (
  step: 'undo' | 'final' | 'handover',
  network: Network,
  from: number,
  to: number,
  hash: string,
): BlockMessage => ({
  key: `${network}:${from}`,
  value: Buffer.alloc(0),
  headers: textHeaders({ schema: SCHEMA_VERSION, network, step, from, to, hash, part: 0, of: 1 }),
})

/** Blocks `from..to` leave the chain; `hash` is the block at `from - 1`, which stays. */
export const encodeUndo = (network: Network, from: number, to: number, hash: string): BlockMessage =>
  control('undo', network, from, to, hash)

/** Every block up to `number` is final. */
export const encodeFinal = (network: Network, number: number, hash: string): BlockMessage =>
  control('final', network, number, number, hash)

/** Blocks `from..to` are on the history topic; the next block of the head topic follows `to`, whose hash is `hash`. */
export const encodeHandover = (network: Network, from: number, to: number, hash: string): BlockMessage =>
  control('handover', network, from, to, hash)

/** The message with the identity of the topic it goes to, without which nobody reads it. */
export const stamp = <M extends { headers?: Record<string, string> }>(message: M, log: string): M => ({
  ...message,
  headers: { ...message.headers, log },
})

/** @throws ZodError when the headers are not those of a block message of this schema version. */
export const decodeHeaders = (headers: Record<string, string>): BlockHeaders => blockHeaders.parse(headers)

/**
 * Splits a `new` message into its sections without parsing rows.
 * @throws ZodError or SyntaxError when headers or envelope are malformed; RangeError when sections do not fill the value.
 */
export const decodeBlocks = (message: { value: Buffer; headers: Record<string, string> }): DecodedBlocks => {
  const headers = decodeHeaders(message.headers)
  const headEnd = message.value.indexOf(10)
  const head = envelope.parse(JSON.parse(message.value.toString('utf8', 0, headEnd)))
  let at = headEnd + 1
  const sections = head.sections.map(([table, count, bytes]) => {
    const rows = message.value.subarray(at, at + bytes)
    at += bytes
    return { table, count, rows }
  })
  if (at !== message.value.length) throw new RangeError(`sections end at ${at} of ${message.value.length} bytes`)
  return { headers, blocks: head.blocks, touched: head.touched, sections }
}
