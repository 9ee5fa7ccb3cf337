/**
 * Parses refusals of `eth_getLogs`. Every provider has its own limits and texts (collected from: getLogsRetryHelper of
 * ponder-sh/ponder, sources of geth, reth, erigon, java-tron, issues INFURA/infura#237 and latticexyz/mud#1522) and reuses
 * codes, so the text is checked before the code.
 */

/**
 * - `range`: too many blocks; `maxBlocks` is the limit that the provider names.
 * - `results`: too many results; `upTo` is the last block of the range that the provider suggests.
 * - `pruned`: the node no longer has blocks that far back, or does not sell them. It never means that there are no events.
 */
export type Refusal =
  | { kind: 'range'; maxBlocks: number | undefined }
  | { kind: 'results'; upTo: number | undefined }
  | { kind: 'pruned' }

/** geth and its forks (`core/history`): the range begins below the oldest block whose history is kept. */
const PRUNED_HISTORY = 4444

const PRUNED =
  /pruned|history (is )?(not available|unavailable|expired)|\barchive\b|missing trie node|(block|logs?|receipts?|data) (is|are)? ?(too old|no longer (available|stored))|(before|below|older than|earlier than) the (earliest|oldest|first) (available )?block/i

/** The first group is the maximum number of blocks, the second a `k` for thousands. */
const MAX_BLOCKS_TEXTS: readonly RegExp[] = [
  // A bare number, or one of blocks: requests, results and seconds are limited in the same words.
  /limited to (?:a |an |0 ?- ?)?([\d,_]+)(k?)(?= ?-?(?:block|range)|[.;!]?$)/i,
  /\ba ([\d,_]+)(k?) block range/i,
  /range [\d,_]+ exceeds (?:the )?limit of ([\d,_]+)(k?)/i,
  /up to (?:a |an )?([\d,_]+)(k?) blocks?/i,
  /at most ([\d,_]+)(k?) blocks?/i,
  /max(?:imum)?(?: allowed)?(?: block)? range(?: allowed)?(?: is|:)? ?([\d,_]+)(k?)/i,
  /max(?:imum)?(?: is)? ([\d,_]+)(k?) blocks?/i,
  /number of requested blocks is ([\d,_]+)(k?)/i,
  /ranges? (?:over|of more than|larger than|greater than) ([\d,_]+)(k?) blocks?/i,
  /block range (?:is )?(?:greater|larger|more) than ([\d,_]+)(k?)/i,
]

/** Rate limits: the request itself is fine, and waiting helps. */
const RATE =
  /[\d,_]+k? ?(?:requests?|calls?|queries|credits|compute units|cus?|times)?(?: \w+)? ?(?:per |\/ ?|every )(?:[\d,_]+ )?(?:s|sec|second|m|min|minute|h|hour|d|day|month)s?\b|(?:requests?|calls?|queries|credits) (?:in|over|within) (?:a |the )?(?:[\d,_]+[ -]?)?(?:second|minute|hour|day)|\brps\b|\bconcurrent\b|rate.?limit|too many requests|request limit|per second/i

const TOO_MUCH =
  /more than [\d,_]+ (results|logs)|max(imum)? (number of )?(results|logs)|limited to [\d,_]+k? ?(results|logs|entries|events|[kmg]i?b\b|bytes|seconds)|too many (logs|results)|response (size|is too)|result set|returned more than|narrow (your|the) (filter|query|range)|query (timeout|exceeds)|time.?out|timed out|took too long|deadline exceeded/i

const TOO_WIDE =
  /block range|(range|blocks?)( is| are)? (too (wide|large|big|many)|exceed\w*|limit)|too many blocks|range limit|exceeds? the (range|limit)|eth_getlogs (is|requests are) limited/i

const SUGGESTED = /\[\s*0x[\da-f]+\s*,\s*(0x[\da-f]+)\s*\]|range (?:\d+)\s*-\s*(\d+)/i

const maxBlocksIn = (text: string): number | undefined => {
  for (const pattern of MAX_BLOCKS_TEXTS) {
    const [, digits, thousands] = pattern.exec(text) ?? []
    const number = Number(digits?.replace(/[,_]/g, ''))
    if (digits !== undefined && Number.isSafeInteger(number) && number > 0) return thousands ? number * 1_000 : number
  }
  return undefined
}

/** What a refusal is about; `undefined` if it is not about the request (rate limit, broken node). */
export const refusalOf = ({ rpcCode, message }: { rpcCode: number; message: string }): Refusal | undefined => {
  const maxBlocks = maxBlocksIn(message)
  if (maxBlocks !== undefined) return { kind: 'range', maxBlocks }
  if (rpcCode === PRUNED_HISTORY) return { kind: 'pruned' }
  if (RATE.test(message)) return undefined
  if (PRUNED.test(message)) return { kind: 'pruned' }
  const [, hex, decimal] = SUGGESTED.exec(message) ?? []
  const upTo = Number(hex ?? decimal)
  if (hex !== undefined || decimal !== undefined) {
    return { kind: 'results', upTo: Number.isSafeInteger(upTo) ? upTo : undefined }
  }
  if (TOO_MUCH.test(message)) return { kind: 'results', upTo: undefined }
  return TOO_WIDE.test(message) ? { kind: 'range', maxBlocks: undefined } : undefined
}
