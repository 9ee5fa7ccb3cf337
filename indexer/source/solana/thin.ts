/**
 * Shortens answers of Solana nodes while they arrive. A mainnet block is many megabytes of JSON, mostly votes and program logs,
 * and has 64-bit integers. The body is scanned once, piece by piece: each transaction is examined separately, a vote becomes
 * `null` in the list, program logs are dropped, and whole numbers that a double cannot hold become text. The remaining text is
 * only what is decoded.
 */

import { exactText } from '../../../platform/rpc/json.ts'
import type { BodyReader } from '../../../platform/rpc/transport.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const SPACE = 0x20

/** The program of votes (Solana documentation, "Vote Program"). */
export const VOTE_PROGRAM = 'Vote111111111111111111111111111111111111111'

/** Depth of the items of `result.transactions`. */
const LIST_DEPTH = 3
const LOGS = '"logMessages":'

/** Whether an odd number of backslashes ends before a position, looking back to `from` at most. */
const isEscaped = (from: number, to: number, isBackslash: (at: number) => boolean): boolean => {
  let at = to
  while (at > from && isBackslash(at - 1)) at -= 1
  return (to - at) % 2 === 1
}

/** Position after the string that begins at `from`, or the end of the JSON if it does not end. */
const endOfText = (json: string, from: number): number => {
  for (let at = from + 1; ; ) {
    const quote = json.indexOf('"', at)
    if (quote === -1) return json.length
    if (!isEscaped(at, quote, (place) => json.charCodeAt(place) === BACKSLASH)) return quote + 1
    at = quote + 1
  }
}

/** The transaction with its list of log messages emptied. */
const withoutLogs = (json: string): string => {
  const key = json.indexOf(LOGS)
  const open = json.indexOf('[', key)
  if (key === -1 || open === -1 || json.slice(key + LOGS.length, open).trim() !== '') return json
  let at = open + 1
  while (at < json.length && json[at] !== ']') at = json[at] === '"' ? endOfText(json, at) : at + 1
  return `${json.slice(0, open + 1)}${json.slice(at)}`
}

type Shown = {
  transaction?: {
    message?: { accountKeys?: unknown[]; instructions?: { programIdIndex?: number }[]; addressTableLookups?: unknown[] }
  }
  meta?: { fee?: unknown; preBalances?: unknown[]; postBalances?: unknown[] } | null
}

/** Whether only the fee was paid: a vote account can also pay out. */
const movesNothing = ({ meta }: Shown): boolean => {
  const [before, after] = [meta?.preBalances, meta?.postBalances]
  if (!Array.isArray(before) || !Array.isArray(after)) return false
  return before.every((balance, index) => index === 0 || balance === after[index])
}

/** Whether all instructions belong to the vote program, and only the fee was paid. */
const isVote = (json: string): boolean => {
  if (!json.includes(VOTE_PROGRAM)) return false
  const shown = JSON.parse(json) as Shown
  const { accountKeys, instructions, addressTableLookups } = shown.transaction?.message ?? {}
  if (!Array.isArray(accountKeys) || !Array.isArray(instructions) || instructions.length === 0) return false
  if (Array.isArray(addressTableLookups) && addressTableLookups.length > 0) return false
  const votes = instructions.every(({ programIdIndex }) => accountKeys[programIdIndex ?? -1] === VOTE_PROGRAM)
  return votes && movesNothing(shown)
}

const thinTransaction = (json: string): string => {
  try {
    return isVote(json) ? 'null' : exactText(withoutLogs(json))
  } catch {
    // Not JSON: parsing the whole answer will report it.
    return json
  }
}

/** Shortens an answer that arrives in pieces. */
export type Thinner = {
  /** @returns the remaining text of the piece, as far as it is complete. */
  push: (piece: Uint8Array) => string
  /** @returns the rest. */
  end: () => string
}

/** A scanner for one answer. It buffers one transaction at a time, or an answer without transactions. */
export const createThinner = (): Thinner => {
  let depth = 0
  let inText = false
  let escaped = false
  /** Inside `result.transactions`. */
  let listing = false
  /** The last string that ended at the depth of a block's fields, until a value begins. */
  let key = ''
  let textFrom = 0
  /** Bytes of an incomplete unit: a transaction, or the text around them. */
  let held: Uint8Array[] = []

  const take = (): string => {
    const bytes = held.length === 1 && held[0] ? held[0] : Buffer.concat(held)
    held = []
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  }

  const push = (piece: Uint8Array): string => {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    const isBackslash = (place: number) => bytes[place] === BACKSLASH
    let out = ''
    let from = 0
    let at = 0
    if (inText) textFrom = 0
    const cut = (to: number) => {
      if (to > from) held.push(bytes.subarray(from, to))
      from = to
    }
    while (at < bytes.length) {
      if (inText) {
        if (escaped) {
          escaped = false
          at += 1
          continue
        }
        const quote = bytes.indexOf(QUOTE, at)
        const odd = isEscaped(at, quote === -1 ? bytes.length : quote, isBackslash)
        if (quote === -1) {
          escaped = odd
          break
        }
        if (odd) {
          at = quote + 1
          continue
        }
        if (depth === 2) key += bytes.toString('latin1', textFrom, quote)
        inText = false
        at = quote + 1
        continue
      }
      const byte = bytes[at]
      if (byte === QUOTE) {
        inText = true
        if (depth === 2) key = ''
        textFrom = at + 1
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        depth += 1
        if (byte === OPEN_LIST && depth === LIST_DEPTH && key === 'transactions') {
          listing = true
          cut(at + 1)
          out += take()
        }
        if (listing && depth === LIST_DEPTH + 1) from = at
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        depth -= 1
        if (listing && depth === LIST_DEPTH) {
          cut(at + 1)
          out += thinTransaction(take())
        } else if (listing && depth < LIST_DEPTH) {
          listing = false
          from = at
        }
      } else if (listing && depth === LIST_DEPTH && byte !== undefined && byte > SPACE) {
        // Between transactions: commas, and items of the list that are not objects.
        out += byte === COMMA ? ',' : String.fromCharCode(byte)
      }
      at += 1
    }
    if (inText && depth === 2) key += bytes.toString('latin1', Math.min(textFrom, bytes.length))
    const outside = listing && depth === LIST_DEPTH
    if (!outside) cut(bytes.length)
    return out
  }

  return { push, end: () => (held.length === 0 ? '' : exactText(take())) }
}

/** Reads the body of an answer and shortens it while it arrives. */
export const thinnedBody = (): BodyReader => {
  const thinner = createThinner()
  const texts: string[] = []
  return {
    push: (piece) => void texts.push(thinner.push(piece)),
    end: () => {
      texts.push(thinner.end())
      return texts.join('')
    },
  }
}
