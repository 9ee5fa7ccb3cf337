/**
 * The past of one wallet, as whole as it can be made: ways of finding it are tried one after the other until what was found makes
 * up the account.
 *
 *     account at the last block --> too busy, or a contract: not fetched beyond a sample
 *            |
 *            +--> ways that show transactions and coins, until nonce and balance are explained
 *            +--> logs of tokens, beside them
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

/**
 * What was found of a past up to block `to`, and in `state` how much of it that is. An incomplete one is published too.
 */
export type FetchedPast = { to: BlockRef; rows: Block['rows']; state: WalletPastState }

/**
 * Fetches the past of one wallet. What cannot be found is stated in the result and not thrown.
 * @throws RetryableError when endpoints did not answer; the signal's reason
 */
export type FetchPast = (
  /** `pools`: a token, of which only what exchanges announced is looked for. */
  asked: PastRequest,
  /** Last block of the past. */
  to: BlockRef,
  signal: AbortSignal,
  /** Told of a part that is known before the rest. */
  onPart: (part: FetchedPast) => Promise<void>,
) => Promise<FetchedPast>

type FetchPastOptions = {
  context: Pick<Context, 'clock' | 'log' | 'metrics'>
  network: Network
  /** Blocks, without names of tokens. */
  source: Pick<Source, 'block'>
  pool: RpcPool
  /** Ways of finding blocks, best first. */
  histories: readonly WalletHistory[]
  /** Blocks read of one wallet at most: a wallet with more is busy. */
  most: number
}

/** Blocks read at the same time. */
const BLOCKS_AT_ONCE = 4
/** Rows of one wallet at most. */
const MOST_ROWS = 50_000
/** Blocks that are read of a wallet that has more than are read. */
const SAMPLE = 50

/** What is missing of the past of a token whose pools alone were looked for. */
export const ONLY_POOLS = 'only the pools of it were looked for'

class Stopped extends Error {}

/** What is found of one wallet, growing. */
const createFinding = ({ source, context, network, most }: FetchPastOptions, wallet: string, signal: AbortSignal) => {
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
        `No node of ${network} has block ${number}, in which a wallet is said to have acted. It is fetched again.`,
      )
    const about = rowsAbout(block, wallet)
    blocks.set(number, about)
    rows += countRows(about)
    read.inc({ network })
    if (rows > MOST_ROWS) throw new Stopped(`more than ${MOST_ROWS} rows are about it`)
  }

  return {
    blocks,
    /** @throws Stopped when it is too much; what was read stays. */
    readAll: async (numbers: Iterable<number>, bound = most) => {
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

/** A fetcher that keeps nothing between wallets. Each costs up to `most` blocks, and what its searches ask. */
export const createFetchPast = (options: FetchPastOptions): FetchPast => {
  const { context, network, pool, histories, most } = options
  const { clock, log, metrics } = context
  const searches = metrics.counter(
    'assay_past_searches_total',
    'Searches for the pasts of wallets, by way and outcome',
    ['network', 'source', 'outcome'] as const,
  )

  return async ({ address: wallet, pools }, to, signal, onPart) => {
    const finding = createFinding(options, wallet, signal)
    const used = new Set<SourceName>()
    const logged = new Set<number>()

    /** Blocks of one way, read. @returns why there may be more. */
    const search = async (history: WalletHistory): Promise<string | undefined> => {
      try {
        const { blocks, why } = await history.find({ wallet, to: to.number, most, signal })
        if (history.shows.includes('tokens')) for (const block of blocks) logged.add(block)
        if (blocks.size > 0 || why === undefined) used.add(history.name)
        searches.inc({ network, source: history.name, outcome: why === undefined ? 'found' : 'partial' })
        // A coin of so many pools stays unknown: a thousand blocks of them would cost thousands of calls.
        if (history.name !== 'factories' || blocks.size <= most) await finding.readAll(blocks)
        return why
      } catch (error) {
        signal.throwIfAborted()
        searches.inc({ network, source: history.name, outcome: 'failed' })
        if (error instanceof Stopped) return error.message
        log.warn({ network, source: history.name, reason: messageOf(error) }, 'failed to look for the past of a wallet')
        // A bug of ours must not pass for a node that is silent.
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

    /** Most announcements of Curve name no pool: it is what the factory created, which traces alone show. */
    const unread = (): string | undefined => {
      const [first] = [...finding.blocks].flatMap(([number, rows]) => (rows.pools.length === 0 ? [number] : []))
      return first === undefined
        ? undefined
        : `the pool that block ${first} announces could not be read, for want of traces or because it has too many tokens`
    }
    const findPools = async (): Promise<FetchedPast> => {
      const factories = histories.find(({ shows }) => shows.includes('pools'))
      const why = factories ? ((await search(factories)) ?? unread()) : 'no way of finding them is offered'
      // Named among the ways only where it found all there are: that is how it is known (`arePoolsKnown`).
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
      if (account.nonce > most) {
        const first = await firstOffered(histories, signal)
        const sampled = await first?.find({ wallet, to: to.number, most: SAMPLE, signal })
        if (first && sampled) {
          used.add(first.name)
          await finding.readAll(sampled.blocks, SAMPLE).catch((error: unknown) => {
            if (!(error instanceof Stopped)) throw error
          })
        }
        const busy = `it signed ${account.nonce} transactions, more than are fetched (${most})`
        return stateOf(account, undefined, true, busy)
      }
    }
    const ofTokens = histories.filter(({ shows }) => shows.includes('tokens'))
    const ofCoins = histories.filter(({ shows }) => shows.includes('sent') || shows.includes('native'))
    let tokens: string | undefined = 'they are being looked for'
    const lookForTokens = async () => {
      let why: string | undefined = 'no way of finding them is offered'
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
    if (tokens === 'they are being looked for') await onPart(stateOf(account, tokens, false))
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
