/**
 * The port for sources of a wallet's past. A source only names candidate blocks. What happened in them is read from nodes,
 * verified and decoded as in the stream, so that a source is only trusted about where to look. The account's state shows
 * what it left out (`proofs.ts`).
 */

/** Kinds of activity that are found and proved separately; `pools` are those that exchanges announced with a token. */
export type Kind = 'sent' | 'native' | 'tokens' | 'pools'

/** Names of the sources, as in `sources` of a past and in the label of metrics. */
export type SourceName = 'logs' | 'factories' | 'otterscan' | 'trace_filter' | 'explorer' | 'alchemy' | 'nonces'

/** What to search for: blocks up to `to`, about `maxBlocks` of them at most. */
export type Search = { wallet: string; to: number; maxBlocks: number; signal: AbortSignal }

/** Result of a search. A needless block costs one read; a missing one is noticed by the account's state. */
export type Candidates = {
  /** Blocks that concern the wallet. */
  blocks: ReadonlySet<number>
  /** Why there may be more; `undefined` if the source knows of no more. */
  why: string | undefined
}

/** One source of candidate blocks. May be searched for several wallets at the same time. */
export type WalletHistory = {
  name: SourceName
  /** The kinds of activity that its blocks contain completely. */
  shows: readonly Kind[]
  /** Asks the endpoints whether one offers it. @throws RetryableError when none answered */
  offered: (signal: AbortSignal) => Promise<boolean>
  /** @throws RetryableError when no endpoint answered; the signal's reason */
  find: (search: Search) => Promise<Candidates>
}

/** Why a search stopped that found as much as was asked for. */
export const stoppedAt = (maxBlocks: number): string => `it appears in more than ${maxBlocks} blocks`
