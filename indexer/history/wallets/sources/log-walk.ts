/**
 * Blocks with logs that pass some filters, over the whole of a chain. The walk is the one that reads the logs of authorities: ranges adapt
 * to what endpoints allow, and an endpoint proves that it has the logs it is asked for.
 */
import type { Context } from '../../../../platform/context/context.ts'
import type { RpcPool } from '../../../../platform/rpc/pool.ts'
import type { Network } from '../../../../schema/networks.ts'
import { createLogReader } from '../../logs/endpoints.ts'
import type { FoundLog, LogFilter } from '../../logs/logs.ts'
import { type Candidates, type Search, stoppedAt } from '../history.ts'
import { createEffort } from './effort.ts'

/** A chain is walked in so many stretches at the same time, as long as each has so many blocks. */
const STRETCHES = 4
const STRETCH_BLOCKS = 1_000_000

type Stretch = { from: number; to: number }
/** `lowest`: no endpoint has the blocks below it; `why`: it was given up. */
type Ended = { lowest?: number | undefined; why?: string }

const stretchesOf = (to: number): Stretch[] => {
  const count = Math.min(STRETCHES, Math.max(1, Math.floor((to + 1) / STRETCH_BLOCKS)))
  const width = Math.ceil((to + 1) / count)
  return Array.from({ length: count }, (_, n) => ({ from: n * width, to: Math.min(to, (n + 1) * width - 1) }))
}

/** Where a walk reads, and how long a call may take. */
export type LogWalkOptions = {
  context: Pick<Context, 'clock' | 'metrics'>
  network: Network
  pool: RpcPool
  /** Bound of one call, ms. @default that of the log reader */
  timeoutMs?: number
}

/** What is looked for. `concerns`: which of the logs that pass; all unless told. */
export type Wanted = { filters: readonly LogFilter[]; concerns?: (log: FoundLog) => boolean }

/** Walks a chain for what is wanted of an address. */
export const createLogWalk = (
  { context, network, pool, timeoutMs }: LogWalkOptions,
  wantedOf: (address: string) => Wanted,
): ((search: Search) => Promise<Candidates>) => {
  /** One for each stretch, which is one walk upwards. */
  const openReader = (concerns: NonNullable<Wanted['concerns']>) =>
    createLogReader({ context, network, pool, ...(timeoutMs !== undefined && { timeoutMs }) }, async (_, logs) =>
      logs.filter(concerns).map(({ blockNumber }) => Number(blockNumber)),
    )

  /** @throws RetryableError, RpcError as `LogReader.read` does. */
  const walk = async (
    { from: first, to }: Stretch,
    { wallet, most, signal }: Search,
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
        if (found.size > most) return { why: stoppedAt(most) }
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

  /** Walks of several stretches at the same time; the first that is not worth going on with ends the others. */
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
