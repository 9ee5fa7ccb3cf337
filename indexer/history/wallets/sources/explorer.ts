/**
 * The account module of Etherscan, Blockscout, Routescan and similar explorers, by a configured URL. They silently cut lists at
 * limits of their own, so each list is asked for again from its last block on until nothing new comes. Entries cut off
 * within a block do not matter, because the block is known. This needs lists with the oldest first; in another order,
 * nothing shows what was cut.
 */
import { z } from 'zod'
import { type Clock, steadyTime } from '../../../../platform/context/clock.ts'
import { messageOf, RetryableError } from '../../../../platform/errors.ts'
import type { Network } from '../../../../schema/networks.ts'
import { type Candidates, type Search, stoppedAt, type WalletHistory } from '../history.ts'

/** Names of the lists of one wallet. */
const ACTIONS = ['txlist', 'txlistinternal', 'tokentx', 'tokennfttx', 'token1155tx'] as const
/** Every explorer has these two lists. */
const NEEDED: ReadonlySet<string> = new Set(['txlist', 'txlistinternal'])
/** Rows per answer: the maximum of free plans. */
const PAGE = 1_000
/** Answers with fewer rows were not cut. */
const MIN_CUT_ROWS = 50
const UNSORTED = 'the explorer does not list the oldest first'
const TIMEOUT_MS = 15_000
const ATTEMPTS = 5
const RETRY_MS = 500
/** Free plans allow three calls per second. */
const MIN_PAUSE_MS = 350

const answer = z.looseObject({ status: z.coerce.string(), message: z.string().nullish(), result: z.unknown() })
const entries = z.array(
  z.looseObject({
    blockNumber: z.coerce.number().int().min(0),
    hash: z.string().optional(),
    transactionHash: z.string().optional(),
  }),
)

/** Explorers answer an empty list with status 0 and a sentence. */
const NOTHING = /^no (transactions|internal transactions|token transfers|records|.*transfers?) found|^no .*found$/i
const LATER = /rate limit|too many|timeout|timed out|temporarily|try again|busy/i
const NO_SUCH_LIST = /unknown (action|module)|missing or unsupported|invalid action|not supported/i

/** Fetches a URL; replaced in tests. */
export type FetchText = (url: URL, signal: AbortSignal) => Promise<{ status: number; text: string }>

const fetchText: FetchText = async (url, signal) => {
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } })
  return { status: response.status, text: await response.text() }
}

class Refused extends Error {}

/** Asks for one list after another, with `pauseMs` between two calls of this process. The URL is never logged, because it has the key. */
export const createExplorerHistory = ({
  clock,
  network,
  url,
  get = fetchText,
  pauseMs = MIN_PAUSE_MS,
}: {
  clock: Clock
  network: Network
  /** URL of the API with its key, for example `https://api.etherscan.io/v2/api?chainid=1&apikey=KEY`. */
  url: string
  get?: FetchText
  pauseMs?: number
}): WalletHistory => {
  const time = steadyTime(clock.now)
  let freeAt = 0

  const unavailable = (reason: string, cause?: unknown) =>
    new RetryableError(
      'ASSAY_SOURCE_EXPLORER',
      `The explorer of ${network} did not answer: ${reason}. The history of the wallet is fetched from other sources. Check ${network}_EXPLORER_URL.`,
      { cause },
    )

  const target = (action: string, { wallet, to }: Search, from: number): URL => {
    const asked = new URL(url)
    const parameters = {
      module: 'account',
      action,
      address: wallet,
      startblock: String(from),
      endblock: String(to),
      page: '1',
      offset: String(PAGE),
      sort: 'asc',
    }
    for (const [name, value] of Object.entries(parameters)) asked.searchParams.set(name, value)
    return asked
  }

  const once = async (asked: URL, signal: AbortSignal) => {
    const wait = freeAt - time()
    freeAt = Math.max(freeAt, time()) + pauseMs
    if (wait > 0) await clock.sleep(wait, signal)
    const { status, text } = await get(asked, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]))
    if (status !== 200) throw unavailable(`HTTP ${status}`)
    const { status: listStatus, message, result } = answer.parse(JSON.parse(text))
    const list = entries.safeParse(result ?? [])
    if (list.success && (listStatus === '1' || list.data.length > 0 || NOTHING.test(message ?? ''))) return list.data
    const reason = typeof result === 'string' ? result : (message ?? 'the answer is not a list')
    if (NO_SUCH_LIST.test(reason)) throw new Refused(reason.slice(0, 200))
    throw unavailable(reason.slice(0, 200), LATER.test(reason) ? undefined : new Refused(reason))
  }

  /** @throws RetryableError, Refused if the explorer has no such list. */
  const ask = async (action: string, search: Search, from: number) => {
    let last: unknown
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (attempt > 0) await clock.sleep(RETRY_MS * 2 ** attempt, search.signal)
      try {
        return await once(target(action, search, from), search.signal)
      } catch (error) {
        search.signal.throwIfAborted()
        if (error instanceof Refused) throw error
        // Only the innermost reason, because outer messages may contain the URL with the key.
        last =
          error instanceof RetryableError
            ? error
            : unavailable(error instanceof z.ZodError ? 'no JSON list' : 'no connection')
        if (error instanceof RetryableError && error.cause instanceof Refused) break
      }
    }
    throw last
  }

  const listed = async (action: string, search: Search, found: Set<number>): Promise<string | undefined> => {
    for (let from = 0; from <= search.to; ) {
      const rows = await ask(action, search, from)
      const outside = rows.find(({ blockNumber }) => blockNumber < from || blockNumber > search.to)
      if (outside) return `the explorer lists block ${outside.blockNumber} outside the requested range`
      if (rows.length === 0) return undefined
      const numbers = rows.map(({ blockNumber }) => blockNumber)
      if (numbers.some((block, i) => block < (numbers[i - 1] ?? 0))) return UNSORTED
      const [first = from] = numbers
      // With all rows in one block, only an earlier row would show that the oldest comes first. Later pages have one if this does.
      const isShown = from > 0 || first === 0 || first !== numbers.at(-1) || rows.length < MIN_CUT_ROWS
      const before = isShown ? [] : await ask(action, { ...search, to: first - 1 }, from)
      if (before.some(({ blockNumber }) => blockNumber < first)) return UNSORTED
      for (const { blockNumber } of rows) found.add(blockNumber)
      if (found.size > search.maxBlocks) return stoppedAt(search.maxBlocks)
      from = 1 + Math.max(...rows.map(({ blockNumber }) => blockNumber))
    }
    return undefined
  }

  return {
    name: 'explorer',
    shows: ['sent', 'native'],
    offered: async () => true,
    find: async (search): Promise<Candidates> => {
      const blocks = new Set<number>()
      for (const action of ACTIONS) {
        try {
          const why = await listed(action, search, blocks)
          if (why !== undefined) return { blocks, why }
        } catch (error) {
          if (!(error instanceof Refused)) throw error
          if (NEEDED.has(action)) return { blocks, why: `the explorer has no ${action}: ${messageOf(error)}` }
        }
      }
      return { blocks, why: undefined }
    },
  }
}
