/**
 * The port behind which the ways of finding a wallet's past lie. A way only names blocks: what happened in them is read from
 * nodes, verified and decoded as the stream does it, so that no source is believed about anything but where to look. What it
 * left out is noticed by what the account had become (`proofs.ts`).
 */

/** What a wallet does, as far as it is found and proved apart; and `pools`, which exchanges announced with a token. */
export type Kind = 'sent' | 'native' | 'tokens' | 'pools'

/** Names of the ways, as `sources` of a past and the label of metrics have them. */
export type SourceName = 'logs' | 'factories' | 'otterscan' | 'trace_filter' | 'explorer' | 'alchemy' | 'nonces'

/** What is asked for: blocks up to `to`, at most about `most` of them. */
export type Search = { wallet: string; to: number; most: number; signal: AbortSignal }

/** What a search names. Blocks too many cost a look each; blocks too few are noticed by the account. */
export type Candidates = {
  /** Blocks with something about the wallet. */
  blocks: ReadonlySet<number>
  /** Why there may be more; `undefined` where the source knows of no more. */
  why: string | undefined
}

/** One way of finding blocks. It may be asked about several wallets at the same time. */
export type WalletHistory = {
  name: SourceName
  /** What its blocks hold all of, if it is right. */
  shows: readonly Kind[]
  /** Whether an endpoint offers it, asked of the endpoints themselves. @throws RetryableError when none answered */
  offered: (signal: AbortSignal) => Promise<boolean>
  /** @throws RetryableError when no endpoint answered; the signal's reason */
  find: (search: Search) => Promise<Candidates>
}

/** A search that stopped because it had found as much as was asked for. */
export const stoppedAt = (most: number): string => `more than ${most} blocks concern it`
