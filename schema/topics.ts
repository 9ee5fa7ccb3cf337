/**
 * Topics, keys, headers and the codec of block messages: the contract about reorgs.
 *
 * - `history.<network>`: final blocks, several partitions, published in ascending order, consumed in any order.
 * - `head.<network>`: one partition, strict chain order. Steps:
 *   - `handover`: blocks `from..to` (with the hash of `to`) are on the history topic, and the head topic continues above
 *     them. It is the first message of the topic;
 *   - `new`: rows of blocks `from..to`, which extend the chain published so far;
 *   - `undo`: blocks `from..to` are no longer part of the chain. It and the `new` messages that replace them are one
 *     transaction: a read-committed consumer never sees one without the other;
 *   - `final`: no block up to `to` (with its hash) will ever change. `to` never decreases.
 * - `past.<network>`: one partition. Rows from before the first covered block, step `new` as above: either authority logs of
 *   blocks `from..to`, with the progress of each log; or the fetched past of a wallet, with its completeness. A range may come
 *   again; its rows come before the message that declares it read.
 * - `pasts.<network>`: requests for pasts of wallets, and for pools of tokens, each as JSON. The fetcher commits a message once
 *   the past is on `past.<network>`, so that no request is lost.
 * - `rescore.<network>`: the rescore queue: addresses whose rows are stored and whose records have to be computed again. A
 *   message is a JSON array of addresses; an address is always on the same partition.
 * - `records` (compacted): every new record, as JSON. Fraud records of wallets have the key `network:address`, those of other
 *   operations `network:address:operation` and a field `operation`, because an address has one of each. An empty `body`
 *   withdraws the record.
 * - `served`: numbers of served requests.
 * - `status` (kept for minutes): the state of each role's networks (`records/service/status.ts`).
 * - `dlq`: messages that could not be processed, with reason, offsets and token.
 *
 * Every message of `history` and `head` has a header `log`: a UUID that the first publisher of a topic created. A topic that was
 * deleted and created again has another one, so that its offsets are not taken for those of the old topic.
 *
 * A message stays below 1 MB: larger blocks are sent in parts 0..of-1 with equal `from`, `to` and `hash`, each with some of
 * the rows. A message is one JSON line (`Envelope`) followed by JSON lines of rows, table by table, so that the scorer can
 * pass each section to the store without parsing it.
 */
import { z } from 'zod'
import {
  type AuthorityRow,
  type Block,
  type BlockRef,
  emptyRows,
  TABLES,
  type TableName,
  touchedAddresses,
} from './block.ts'
import { NETWORK_CODES, type Network, type Operation } from './networks.ts'
import { type PackedBlock, type Part, packBlock, partsOf } from './packed.ts'
import { AUTHORITY_LISTS } from './registry/authorities.ts'

/** Version of the row formats and of the codec. */
export const SCHEMA_VERSION = 1

/** Header of `history` messages published by `assay backfill`: its range, as `from-to`. */
export const BACKFILL_HEADER = 'backfill'

/** Maximum size of a message's value, in bytes. Kafka's default limit is 1,048,588 with headers. */
export const MAX_MESSAGE_BYTES = 900_000

/** Names of the topics. Those of blocks, pasts and rescoring exist once per network. */
export const topics = {
  history: (network: Network) => `history.${network}`,
  head: (network: Network) => `head.${network}`,
  past: (network: Network) => `past.${network}`,
  pasts: (network: Network) => `pasts.${network}`,
  rescore: (network: Network) => `rescore.${network}`,
  records: 'records',
  served: 'served',
  status: 'status',
  dlq: 'dlq',
}

/** Key of a record on topic `records`: a newer record of the same operation replaces it. */
export const recordTopicKey = (network: Network, address: string, operation: Operation = 'fraud_check'): string =>
  operation === 'fraud_check' ? `${network}:${address}` : `${network}:${address}:${operation}`

/** Partitions of each `history` topic. Publishers distribute blocks over them in turn. */
export const HISTORY_PARTITIONS = 4
/** Partitions of each `rescore` topic; all messages about an address are on one of them. */
export const RESCORE_PARTITIONS = 4

const integerText = z.string().regex(/^\d+$/).transform(Number)

/** Headers of messages on `head` and `history`. All values are text on the wire. */
export const blockHeaders = z.object({
  schema: integerText.pipe(z.literal(SCHEMA_VERSION)),
  network: z.enum(NETWORK_CODES),
  /** Identity of the topic, the same for all its messages. */
  log: z.string().min(1),
  step: z.enum(['new', 'undo', 'final', 'handover']),
  from: integerText,
  to: integerText,
  /** Hash of block `to` (`new`, `final`, `handover`), or of the last block that stays (`undo`). */
  hash: z.string(),
  part: integerText,
  of: integerText,
})
/** Parsed headers of a block message: numbers instead of text. */
export type BlockHeaders = z.output<typeof blockHeaders>

/** A row of table `authority_logs`, without its version. */
const authorityLogRow = z.object({
  network: z.enum(NETWORK_CODES),
  authority: z.string().min(1),
  list: z.enum(AUTHORITY_LISTS),
  name: z.string(),
  since: z.int(),
  from_block: z.int(),
  to_block: z.int(),
  target: z.int(),
  complete: z.union([z.literal(0), z.literal(1)]),
  source: z.string(),
  reason: z.string(),
  left_seconds: z.int(),
})
/** Progress of reading an authority's log, as the indexer reports it on topic `past`. */
export type AuthorityLogState = z.output<typeof authorityLogRow>

const yesNo = z.union([z.literal(0), z.literal(1)])

/** A row of table `wallet_pasts`. */
const walletPastRow = z.object({
  network: z.enum(NETWORK_CODES),
  address: z.string().min(1),
  to_block: z.int(),
  sent: yesNo,
  native: yesNo,
  tokens: yesNo,
  complete: yesNo,
  done: yesNo,
  transactions: z.int(),
  blocks: z.int(),
  sources: z.string(),
  why: z.string(),
  // Indexers before 0.3 do not send it.
  pools_why: z.string().default(''),
  version: z.int(),
})
/** Completeness of a wallet's past, as the indexer reports it. */
export type WalletPastState = z.output<typeof walletPastRow>

/** `pools`: for a token, only what registered exchanges announced with it. */
const pastRequest = z.object({ address: z.string().min(1), pools: z.literal(true).optional() })
/** A scorer's request to fetch an address's past from before the first covered block. */
export type PastRequest = z.output<typeof pastRequest>

/** Encodes a request for topic `pasts.<network>`. */
export const encodePastRequest = (network: Network, request: PastRequest): { key: string; value: Buffer } => ({
  key: `${network}:${request.address}`,
  value: Buffer.from(JSON.stringify(request)),
})

/** @throws ZodError or SyntaxError when the value is not a request. */
export const decodePastRequest = (value: Buffer): PastRequest => pastRequest.parse(JSON.parse(value.toString()))

const envelope = z.object({
  blocks: z.array(
    z.object({
      number: z.int(),
      hash: z.string(),
      parentHash: z.string(),
      time: z.int(),
      /** 1 if the block has its traces. */
      traces: z.literal([0, 1]),
    }),
  ),
  /** Table, row count and byte length of each following section, in order. */
  sections: z.array(z.tuple([z.enum(TABLES), z.int(), z.int()])),
  touched: z.array(z.string()),
  /** On topic `past`: progress of each authority's log. */
  logs: z.array(authorityLogRow).optional(),
  /** On topic `past`: completeness of wallets' pasts. */
  pasts: z.array(walletPastRow).optional(),
})

/** A message for the bus; `stamp` adds the identity of its topic. */
export type BlockMessage = { key: string; value: Buffer; headers: Record<string, string> }

/** Maximum size of a rescore message's value, in bytes: a few thousand addresses. */
const MAX_RESCORE_BYTES = 200_000
/** Quotes and comma around an address. */
const ADDRESS_FRAME_BYTES = 3

const rescoreValue = z.array(z.string().min(1))

/** Encodes addresses as values of rescore messages, in order. */
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

/** @throws ZodError or SyntaxError when the value is not an array of addresses. */
export const decodeRescore = (value: Buffer): string[] => rescoreValue.parse(JSON.parse(value.toString()))

/** A block in the envelope of its message. */
export type SentBlock = BlockRef & { traces: 0 | 1 }

/** Content of a `new` message. `rows` are JSON lines, ready to insert. */
export type DecodedBlocks = {
  headers: BlockHeaders
  blocks: SentBlock[]
  touched: string[]
  sections: { table: TableName; count: number; rows: Buffer }[]
  logs: AuthorityLogState[]
  pasts: WalletPastState[]
}

const LINE_BREAK = 0x0a

const textHeaders = (headers: Omit<BlockHeaders, 'log'>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/** Size of the envelope's field names and `sections`, with a reserve. */
const HEAD_BYTES = 1_020

/** The JSON that all parts of a message share, encoded once. */
type Head = { blocks: string; touched: string; extraFields?: string }

const headOf = (blocks: readonly SentBlock[], touched: readonly string[]): Head => ({
  blocks: JSON.stringify(blocks),
  touched: JSON.stringify(touched),
})

const encodePart = ({ blocks, touched, extraFields = '' }: Head, { sections, lines }: Part): Buffer => {
  const head = `{"blocks":${blocks},"sections":${JSON.stringify(sections)},"touched":${touched}${extraFields}}\n`
  return Buffer.concat([Buffer.from(head), ...lines])
}

/** Encodes consecutive blocks of one network as messages: see `encodePacked`. */
export const encodeBlocks = (blocks: readonly Block[]): BlockMessage[] => encodePacked(blocks.map(packBlock))

/**
 * Encodes consecutive blocks of one network as one or more `new` messages, each below MAX_MESSAGE_BYTES. The last part has the
 * touched addresses, so that all rows come before them.
 */
export const encodePacked = (blocks: readonly PackedBlock[]): BlockMessage[] => {
  const first = blocks[0]
  const last = blocks.at(-1)
  if (!first || !last) return []
  const refs = blocks.map(({ number, hash, parentHash, time, traces }) => ({ number, hash, parentHash, time, traces }))
  const head = headOf(refs, [...new Set(blocks.flatMap(({ touched }) => touched))])
  const headBytes = Buffer.byteLength(head.blocks) + Buffer.byteLength(head.touched) + HEAD_BYTES
  const parts = partsOf(blocks, Math.max(MAX_MESSAGE_BYTES - headBytes, MAX_MESSAGE_BYTES / 4))
  return parts.map((own, part) => ({
    key: `${first.network}:${first.number}`,
    value: encodePart(part === parts.length - 1 ? head : { ...head, touched: '[]' }, own),
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

/**
 * Encodes the authority logs of blocks `from..to` as messages below MAX_MESSAGE_BYTES. The last one has the progress of each
 * log.
 * @param to the last block of the range.
 */
export const encodePast = (
  network: Network,
  from: number,
  to: BlockRef,
  authority: readonly AuthorityRow[],
  logs: readonly AuthorityLogState[],
): BlockMessage[] => {
  const block: Block = { ...to, network, rows: { ...emptyRows(), authority: [...authority] } }
  return pastMessages(block, from, touchedAddresses([block]), `,"logs":${JSON.stringify(logs)}`)
}

/**
 * Encodes the fetched past of a wallet as messages below MAX_MESSAGE_BYTES. The last one has its completeness.
 * @param to the last block of the past.
 */
export const encodeWalletPast = (
  network: Network,
  to: BlockRef,
  rows: Block['rows'],
  state: WalletPastState,
): BlockMessage[] =>
  // Other parties of its transactions are not rescored, because only a part of their pasts is known.
  pastMessages({ ...to, network, rows }, 0, [state.address], `,"pasts":[${JSON.stringify(state)}]`)

const pastMessages = (block: Block, from: number, touched: readonly string[], extraFields: string): BlockMessage[] => {
  const { network, number, hash, parentHash, time } = block
  // A row touches at most two addresses, which it also contains: halves leave room for both.
  const parts = partsOf([packBlock(block)], MAX_MESSAGE_BYTES / 4)
  const head = headOf([{ number, hash, parentHash, time, traces: 0 }], touched)
  return parts.map((own, part) => ({
    key: `${network}:${from}`,
    value: encodePart(part === parts.length - 1 ? { ...head, extraFields } : { ...head, touched: '[]' }, own),
    headers: textHeaders({
      schema: SCHEMA_VERSION,
      network,
      step: 'new',
      from,
      to: number,
      hash,
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

/** Blocks `from..to` leave the chain; `hash` is that of block `from - 1`, which stays. */
export const encodeUndo = (network: Network, from: number, to: number, hash: string): BlockMessage =>
  control('undo', network, from, to, hash)

/** Every block up to `number` is final. */
export const encodeFinal = (network: Network, number: number, hash: string): BlockMessage =>
  control('final', network, number, number, hash)

/** Blocks `from..to` are on the history topic; the head topic continues above `to`, whose hash is `hash`. */
export const encodeHandover = (network: Network, from: number, to: number, hash: string): BlockMessage =>
  control('handover', network, from, to, hash)

/** Adds the identity of the topic, without which consumers reject the message. */
export const stamp = <M extends { headers?: Record<string, string> }>(message: M, log: string): M => ({
  ...message,
  headers: { ...message.headers, log },
})

/** @throws ZodError when they are not headers of a block message of this schema version. */
export const decodeHeaders = (headers: Record<string, string>): BlockHeaders => blockHeaders.parse(headers)

/**
 * Splits a `new` message into its sections without parsing rows.
 * @throws ZodError or SyntaxError when headers or envelope are malformed; RangeError when sections do not fill the value.
 */
export const decodeBlocks = (message: { value: Buffer; headers: Record<string, string> }): DecodedBlocks => {
  const headers = decodeHeaders(message.headers)
  const headEnd = message.value.indexOf(LINE_BREAK)
  const head = envelope.parse(JSON.parse(message.value.toString('utf8', 0, headEnd)))
  let at = headEnd + 1
  const sections = head.sections.map(([table, count, bytes]) => {
    const rows = message.value.subarray(at, at + bytes)
    at += bytes
    return { table, count, rows }
  })
  if (at !== message.value.length) throw new RangeError(`sections end at ${at} of ${message.value.length} bytes`)
  const { blocks, touched, logs = [], pasts = [] } = head
  return { headers, blocks, touched, sections, logs, pasts }
}
