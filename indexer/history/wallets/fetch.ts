/**
 * Fetches the past of one wallet as completely as possible: tries the histories one after another until the account's state is
 * explained.
 *
 *     account at the last block --> too busy, or a contract: only a sample is fetched
 *            |
 *            +--> histories of transactions and native transfers, until nonce and balance are explained
 *            +--> token logs, concurrently
 */
import type { Context } from '../../../platform/context/context.ts'
import { messageOf, RetryableError } from '../../../platform/errors.ts'
import type { RpcPool } from '../../../platform/rpc/pool.ts'
import type { Block, BlockRef } from '../../../schema/block.ts'
import type { Network } from '../../../schema/networks.ts'
import type { PastRequest, WalletPastState } from '../../../schema/topics.ts'
import type { Source } from '../../source/source.ts'
import { type Account, loadAccount, type NoAccount } from './account.ts'
import type { SourceName, WalletHistory } from './history.ts'
import { nativeMissing, sentMissing, tokensMissing } from './proofs.ts'
import { countRows, joined, rowsAbout } from './rows.ts'
import { refusalIn } from './rpc.ts'

/** The past up to block `to`; `state` says how complete it is. An incomplete past is published too. */
export type FetchedPast = { to: BlockRef; rows: Block['rows']; state: WalletPastState }

/**
 * Fetches the past of one wallet. The result states what could not be found; that is not an error.
 * @throws RetryableError when endpoints did not answer; the signal's reason
 */
export type FetchPast = (
  /** With `pools`: a token, of which only announcements by exchanges are searched. */
  asked: PastRequest,
  /** Last block of the past. */
  to: BlockRef,
  signal: AbortSignal,
  /** Called with a part that is known before the rest. */
  onPart: (part: FetchedPast) => Promise<void>,
) => Promise<FetchedPast>

type FetchPastOptions = {
  context: Pick<Context, 'clock' | 'log' | 'metrics'>
  network: Network
  /** Source of blocks, without token names. */
  source: Pick<Source, 'block'>
  pool: RpcPool
  /** Sources of candidate blocks, best first. */
  histories: readonly WalletHistory[]
  /** Maximum number of blocks read for one wallet; a wallet with more is busy. */
  maxBlocks: number
}

/** Number of blocks read at the same time. */
const BLOCKS_AT_ONCE = 4
/** Maximum number of rows of one wallet. */
const MAX_ROWS = 50_000
/** Number of blocks read of a busy wallet. */
const SAMPLE_BLOCKS = 50

/** Why the past of a token is incomplete if only its pools were searched. */
export const ONLY_POOLS = 'only its pools were searched'

/** State of the tokens while their search runs. */
const PENDING = 'the search is still running'

class Stopped extends Error {}

/** The growing result for one wallet. */
const createFinding = (
  { source, context, network, maxBlocks }: FetchPastOptions,
  wallet: string,
  signal: AbortSignal,
) => {
  const blocks = new Map<number, Block['rows']>()
  const read = context.metrics.counter('assay_past_blocks_total', 'Blocks read for the pasts of wallets', [
    'network',
  ] as const)
  let rows = 0

  const readOne = async (number: number) => {
    const block = await source.block({ number }, signal)
    if (!block)
      throw new RetryableError(
        'ASSAY_SOURCE_BLOCK_MISSING',
        `No node of ${network} has block ${number}, which a source reported for a wallet. The block is fetched again.`,
      )
    const about = rowsAbout(block, wallet)
    blocks.set(number, about)
    rows += countRows(about)
    read.inc({ network })
    if (rows > MAX_ROWS) throw new Stopped(`it has more than ${MAX_ROWS} rows`)
  }

  return {
    blocks,
    /** @throws Stopped when it is too much; blocks read so far are kept. */
    readAll: async (numbers: Iterable<number>, bound = maxBlocks) => {
      const left = [...numbers].filter((number) => !blocks.has(number)).toSorted((a, b) => b - a)
      const room = Math.max(0, bound - blocks.size)
      const some = left.slice(0, room)
      for (let at = 0; at < some.length; at += BLOCKS_AT_ONCE) {
        await Promise.all(some.slice(at, at + BLOCKS_AT_ONCE).map(readOne))
      }
      if (left.length > room) throw new Stopped(`it appears in more than ${bound} blocks; the newest were read`)
    },
  }
}

/** A stateless fetcher. Each wallet costs up to `maxBlocks` blocks, and the requests of its searches. */
export const createFetchPast = (options: FetchPastOptions): FetchPast => {
  const { context, network, pool, histories, maxBlocks } = options
  const { clock, log, metrics } = context
  const searches = metrics.counter(
    'assay_past_searches_total',
    'Searches for the pasts of wallets, by source and outcome',
    ['network', 'source', 'outcome'] as const,
  )

  return async ({ address: wallet, pools }, to, signal, onPart) => {
    const finding = createFinding(options, wallet, signal)
    const used = new Set<SourceName>()
    const logged = new Set<number>()

    /** Searches one source, and reads its blocks. @returns why there may be more. */
    const search = async (history: WalletHistory): Promise<string | undefined> => {
      try {
        const { blocks, why } = await history.find({ wallet, to: to.number, maxBlocks, signal })
        if (history.shows.includes('tokens')) for (const block of blocks) logged.add(block)
        if (blocks.size > 0 || why === undefined) used.add(history.name)
        searches.inc({ network, source: history.name, outcome: why === undefined ? 'found' : 'partial' })
        // A coin with more pools stays unknown: a thousand blocks with pools would cost thousands of calls.
        if (history.name !== 'factories' || blocks.size <= maxBlocks) await finding.readAll(blocks)
        return why
      } catch (error) {
        signal.throwIfAborted()
        searches.inc({ network, source: history.name, outcome: 'failed' })
        if (error instanceof Stopped) return error.message
        log.warn({ network, source: history.name, reason: messageOf(error) }, 'failed to look for the past of a wallet')
        // One of our bugs must not look like a silent node.
        if (error instanceof RetryableError || refusalIn(error)) return `${history.name}: no answer`
        throw error
      }
    }

    const stateOf = (
      account: Account | NoAccount,
      tokens: string | undefined,
      done: boolean,
      whole?: string,
      poolsWhy = '',
    ): FetchedPast => {
      const rows = joined(finding.blocks)
      const missing = {
        sent: whole ?? sentMissing(wallet, rows, account),
        native: whole ?? nativeMissing(wallet, rows, account),
        tokens: whole ?? tokens ?? tokensMissing(wallet, rows, logged),
      }
      const known = (why: string | undefined) => (why === undefined ? 1 : 0)
      const whys = Object.entries(missing).flatMap(([kind, why]) => (why === undefined ? [] : [`${kind}: ${why}`]))
      const why = whole ?? whys.join('; ')
      return {
        to,
        rows,
        state: {
          network,
          address: wallet,
          to_block: to.number,
          sent: known(missing.sent),
          native: known(missing.native),
          tokens: known(missing.tokens),
          complete: whys.length === 0 ? 1 : 0,
          done: done ? 1 : 0,
          transactions: 'why' in account ? 0 : account.nonce,
          blocks: finding.blocks.size,
          sources: [...used].toSorted().join(','),
          why,
          pools_why: poolsWhy,
          version: clock.now(),
        },
      }
    }

    /** Most announcements of Curve do not name the pool. It is what the factory created, which only traces show. */
    const unreadAnnouncement = (): string | undefined => {
      const [first] = [...finding.blocks].flatMap(([number, rows]) => (rows.pools.length === 0 ? [number] : []))
      return first === undefined
        ? undefined
        : `the pool that block ${first} announces could not be read, because there are no traces or it has too many tokens`
    }
    const findPools = async (): Promise<FetchedPast> => {
      const factories = histories.find(({ shows }) => shows.includes('pools'))
      const why = factories
        ? ((await search(factories)) ?? unreadAnnouncement())
        : 'no endpoint offers a way to find them'
      // Listed as a source only if it found all pools, which is how `arePoolsKnown` knows.
      if (why !== undefined) used.delete('factories')
      return stateOf({ why: ONLY_POOLS }, undefined, true, ONLY_POOLS, why)
    }
    if (pools) return findPools()
    const account = await loadAccount(pool, wallet, to.number, signal)
    const explained = () => {
      const rows = joined(finding.blocks)
      return sentMissing(wallet, rows, account) === undefined && nativeMissing(wallet, rows, account) === undefined
    }
    if (!('why' in account)) {
      if (account.contract) return stateOf(account, undefined, true, 'it is a contract')
      if (account.nonce > maxBlocks) {
        const first = await firstOffered(histories, signal)
        const sampled = await first?.find({ wallet, to: to.number, maxBlocks: SAMPLE_BLOCKS, signal })
        if (first && sampled) {
          used.add(first.name)
          await finding.readAll(sampled.blocks, SAMPLE_BLOCKS).catch((error: unknown) => {
            if (!(error instanceof Stopped)) throw error
          })
        }
        const busy = `it signed ${account.nonce} transactions, more than are fetched (${maxBlocks})`
        return stateOf(account, undefined, true, busy)
      }
    }
    const ofTokens = histories.filter(({ shows }) => shows.includes('tokens'))
    const ofCoins = histories.filter(({ shows }) => shows.includes('sent') || shows.includes('native'))
    let tokens: string | undefined = PENDING
    const lookForTokens = async () => {
      let why: string | undefined = 'no endpoint offers a way to find them'
      for (const history of ofTokens) {
        if (!(await history.offered(signal))) continue
        why = await search(history)
        if (why === undefined) break
      }
      tokens = why
    }
    const lookForCoins = async () => {
      for (const history of ofCoins) {
        if (explained()) return
        if (await history.offered(signal).catch(notAnswered(signal))) await search(history)
      }
    }
    const looking = lookForTokens()
    looking.catch(() => undefined)
    await lookForCoins()
    if (tokens === PENDING) await onPart(stateOf(account, tokens, false))
    await looking
    return stateOf(account, tokens, true)
  }
}

const notAnswered = (signal: AbortSignal) => (error: unknown) => {
  signal.throwIfAborted()
  if (error instanceof RetryableError || refusalIn(error)) return false
  throw error
}

const firstOffered = async (
  histories: readonly WalletHistory[],
  signal: AbortSignal,
): Promise<WalletHistory | undefined> => {
  for (const history of histories) {
    if (history.shows.includes('native') && (await history.offered(signal).catch(notAnswered(signal)))) return history
  }
  return undefined
}
