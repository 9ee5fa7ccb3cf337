/**
 * Finds blocks with logs that match some filters, over a whole chain. It uses the log reader of the authority walk: ranges adapt
 * to the endpoints' limits, and an endpoint has to prove that it has the logs it is asked for.
 */
import type { Context } from '../../../../platform/context/context.ts'
import type { RpcPool } from '../../../../platform/rpc/pool.ts'
import type { Network } from '../../../../schema/networks.ts'
import { createLogReader } from '../../logs/endpoints.ts'
import type { FoundLog, LogFilter } from '../../logs/logs.ts'
import { type Candidates, type Search, stoppedAt } from '../history.ts'
import { createEffort } from './effort.ts'

/** Number of stretches of a chain that are walked at the same time, and their minimum length. */
const STRETCHES = 4
const STRETCH_BLOCKS = 1_000_000

type Stretch = { from: number; to: number }
/** `lowest`: no endpoint has the blocks below it. `why`: the walk was given up. */
type Ended = { lowest?: number | undefined; why?: string }

const stretchesOf = (to: number): Stretch[] => {
  const count = Math.min(STRETCHES, Math.max(1, Math.floor((to + 1) / STRETCH_BLOCKS)))
  const width = Math.ceil((to + 1) / count)
  return Array.from({ length: count }, (_, n) => ({ from: n * width, to: Math.min(to, (n + 1) * width - 1) }))
}

/** Where to read, and the time limit of a call. */
export type LogWalkOptions = {
  context: Pick<Context, 'clock' | 'metrics'>
  network: Network
  pool: RpcPool
  /** Time limit of one call, ms. @default that of the log reader */
  timeoutMs?: number
}

/** What to search for. `concerns` selects from the matching logs; all by default. */
export type Wanted = { filters: readonly LogFilter[]; concerns?: (log: FoundLog) => boolean }

/** Walks a chain for the logs that `wantedOf` wants of an address. */
export const createLogWalk = (
  { context, network, pool, timeoutMs }: LogWalkOptions,
  wantedOf: (address: string) => Wanted,
): ((search: Search) => Promise<Candidates>) => {
  /** A reader for one stretch, which is one walk upwards. */
  const openReader = (concerns: NonNullable<Wanted['concerns']>) =>
    createLogReader({ context, network, pool, ...(timeoutMs !== undefined && { timeoutMs }) }, async (_, logs) =>
      logs.filter(concerns).map(({ blockNumber }) => Number(blockNumber)),
    )

  /** @throws RetryableError, RpcError like `LogReader.read`. */
  const walk = async (
    { from: first, to }: Stretch,
    { wallet, maxBlocks, signal }: Search,
    effort: (covered: number, left: number) => string | undefined,
    found: Set<number>,
  ): Promise<Ended> => {
    const { filters, concerns = () => true } = wantedOf(wallet)
    const reader = openReader(concerns)
    let lowest: number | undefined
    for (let from = first; from <= to; ) {
      const range = await reader.read({ from, to, filters }, to, signal)
      if ('made' in range) {
        for (const block of range.made) found.add(block)
        if (found.size > maxBlocks) return { why: stoppedAt(maxBlocks) }
        const endless = effort(range.to - from + 1, to - range.to)
        if (endless !== undefined) return { why: endless }
        from = range.to + 1
      } else if ('back' in range) from = range.back
      else {
        from = range.lowest
        lowest = Math.min(range.lowest, to + 1)
      }
    }
    return { lowest }
  }

  /** Walks several stretches at the same time; the first that is given up ends the others. */
  const walkAll = async (search: Search, found: Set<number>): Promise<string | undefined> => {
    const ended = new AbortController()
    const signal = AbortSignal.any([search.signal, ended.signal])
    const stretches = stretchesOf(search.to)
    const narrow = createEffort()
    const effort = (covered: number, left: number) => narrow(covered, left * stretches.length)
    let why: string | undefined
    const ends = await Promise.all(
      stretches.map(async (stretch) => {
        try {
          const end = await walk(stretch, { ...search, signal }, effort, found)
          if (end.why !== undefined) {
            why ??= end.why
            ended.abort()
          }
          return end
        } catch (error) {
          search.signal.throwIfAborted()
          if (why !== undefined) return {}
          ended.abort(error)
          throw error
        }
      }),
    )
    const lacking = ends.flatMap(({ lowest }) => lowest ?? [])
    return why ?? (lacking.length > 0 ? `no endpoint has logs of blocks below ${Math.max(...lacking)}` : undefined)
  }

  return async (search) => {
    const blocks = new Set<number>()
    return { blocks, why: await walkAll(search, blocks) }
  }
}
