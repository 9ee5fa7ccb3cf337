/**
 * Name, symbol and decimals of tokens, asked once per token and cached.
 *
 * The first block that shows a token carries its row, and so do those up to `window` blocks above it. A block may be undone,
 * and history is fetched out of order; repeating the row for that long ensures that it is not lost with the first block.
 */
import { createMemory } from '../../platform/memory.ts'
import type { Outcome } from '../../platform/rpc/post.ts'
import { beginningOf } from '../../schema/text.ts'
import type { RawLog, TokenMetadata } from './evm/raw.ts'

/** Maximum number of tokens asked for in one block; the others are asked for when they appear again. */
const MAX_TOKENS_PER_BLOCK = 60
const MAX_CACHED = 100_000
/**
 * Failures of nodes to answer for a token before partial answers are accepted: more than blocks are fetched at a time, so that
 * one bad moment does not use them up.
 */
const MAX_FAILURES = 40
const MAX_TEXT = 128

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const APPROVAL = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
const TRANSFER_SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
const TRANSFER_BATCH = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'
/** PairCreated(token0, token1, …) and PoolCreated(token0, token1, fee, …) of Uniswap V2 and V3 and their forks. */
const POOL_CREATED = new Set([
  '0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9',
  '0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118',
])

/** name(), symbol(), decimals() */
const GETTERS = ['0x06fdde03', '0x95d89b41', '0x313ce567']

type Standard = TokenMetadata['standard']

/** The events of a transaction that show tokens. */
type Shown = { logs: readonly Pick<RawLog, 'address' | 'topics'>[] }

/** A read-only call; `data` is calldata. */
export type View = { to: string; data: string }

/** Tokens of a block, with their standards by the events. ERC-721 has the same topics as ERC-20, with one more indexed argument. */
export const tokensIn = (receipts: readonly Shown[]): Map<string, Standard> => {
  const tokens = new Map<string, Standard>()
  const meet = (token: string, standard: Standard) => tokens.has(token) || tokens.set(token, standard)
  for (const { address, topics } of receipts.flatMap((receipt) => receipt.logs)) {
    const [signature = '', first = '', second = ''] = topics
    const token = address.toLowerCase()
    if (signature === TRANSFER || signature === APPROVAL) {
      if (topics.length === 3 || topics.length === 4) meet(token, topics.length === 3 ? 'erc20' : 'erc721')
    } else if (signature === TRANSFER_SINGLE || signature === TRANSFER_BATCH) meet(token, 'erc1155')
    else if (POOL_CREATED.has(signature) && topics.length >= 3) {
      for (const topic of [first, second]) meet(`0x${topic.slice(-40).toLowerCase()}`, 'erc20')
    }
  }
  return tokens
}

/** Decodes a token's string: ABI `string`, or `bytes32` as in some early tokens. Printable, at most 128 characters. */
export const textOf = (result: unknown): string => {
  if (typeof result !== 'string') return ''
  const bytes = Buffer.from(result.slice(2), 'hex')
  const length = bytes.length >= 64 ? bytes.readUInt32BE(60) : 0
  const body = bytes.length === 32 ? bytes : bytes.subarray(64, 64 + length)
  return beginningOf(
    body
      .toString('utf8')
      .replaceAll(/[\p{C}\uFFFD]/gu, '')
      .trim(),
    MAX_TEXT,
  )
}

/** 0 to 255, or -1 when unknown. */
export const decimalsOf = (result: unknown): number => {
  if (typeof result !== 'string' || !/^0x[0-9a-f]{64}/i.test(result)) return -1
  const value = BigInt(result.slice(0, 66))
  return value <= 255n ? Number(value) : -1
}

/** Whether the node failed to answer. A refusal by the contract is an answer: it has no such getter. */
const isFailure = (outcome: Outcome): boolean => 'error' in outcome && outcome.error.kind !== 'answer'

/** The tokens that a source has seen, up to 100,000. */
export type TokenLookup = {
  /** Rows for the block. Never fails: a token that could not be asked for comes with a later block. */
  forBlock: (number: number, shown: ReadonlyMap<string, Standard>, signal?: AbortSignal) => Promise<TokenMetadata[]>
}

/** An empty lookup. `window` is the number of blocks that may be undone. */
export const createTokenLookup = ({
  views,
  window,
}: {
  /** Answers of the node, in the order of the calls. A result that is not `0x`-hex is a failure of the contract. */
  views: (calls: readonly View[], signal?: AbortSignal) => Promise<readonly Outcome[]>
  window: number
}): TokenLookup => {
  const known = createMemory<string, { metadata: TokenMetadata; firstSeen: number }>(MAX_CACHED)
  const failures = createMemory<string, number>(MAX_CACHED)

  const shouldRetry = (token: string): boolean => {
    const times = (failures.get(token) ?? 0) + 1
    failures.set(token, times)
    return times < MAX_FAILURES
  }

  const ask = async (tokens: readonly [string, Standard][], signal?: AbortSignal): Promise<TokenMetadata[]> => {
    const outcomes = await views(
      tokens.flatMap(([to]) => GETTERS.map((data) => ({ to, data }))),
      signal,
    )
    return tokens.flatMap(([token, standard], index) => {
      const own = outcomes.slice(index * GETTERS.length, (index + 1) * GETTERS.length)
      if (own.some(isFailure) && shouldRetry(token)) return []
      const [name, symbol, decimals] = own.map((outcome) => ('result' in outcome ? outcome.result : undefined))
      return [{ token, standard, name: textOf(name), symbol: textOf(symbol), decimals: decimalsOf(decimals) }]
    })
  }

  return {
    forBlock: async (number, shown, signal) => {
      const unknown = [...shown].filter(([token]) => !known.has(token)).slice(0, MAX_TOKENS_PER_BLOCK)
      if (unknown.length > 0) {
        const answers = await ask(unknown, signal).catch(() => [])
        for (const metadata of answers) known.set(metadata.token, { metadata, firstSeen: number })
      }
      const rows: TokenMetadata[] = []
      for (const token of shown.keys()) {
        const entry = known.get(token)
        if (!entry || number > entry.firstSeen + window) continue
        entry.firstSeen = Math.min(entry.firstSeen, number)
        rows.push(entry.metadata)
      }
      return rows
    },
  }
}
