/** The simulated chain over HTTP, with limits. */
import { setTimeout as sleep } from 'node:timers/promises'
import { listenOnLoopback, readBody } from '../../http-node.ts'
import { createAnswers } from './answers.ts'
import type { Mainnet } from './chain.ts'
import type { Call, Limits } from './limits.ts'

export type MainnetNode = {
  url: string
  /** May change at run time. */
  limits: Limits
  /** Counts of POSTs, of those answered 429, of calls by method, and of refused calls by code. */
  counts: { posts: number; limited: number; calls: Map<string, number>; refused: Map<number, number> }
  stop: () => Promise<void>
}

const add = <Key>(counts: Map<Key, number>, key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1)

const isRefused = (error: unknown): error is { code: number; message: string } =>
  typeof error === 'object' && error !== null && 'code' in error && 'message' in error && !(error instanceof Error)

export const startMainnetNode = async (chain: Mainnet, limits: Limits = {}): Promise<MainnetNode> => {
  const answers = createAnswers(chain)
  const counts: MainnetNode['counts'] = { posts: 0, limited: 0, calls: new Map(), refused: new Map() }
  let second = { since: 0, calls: 0 }

  const isOver = (calls: number): boolean => {
    const { perSecond } = node.limits
    if (perSecond === undefined) return false
    if (Date.now() - second.since >= 1_000) second = { since: Date.now(), calls: 0 }
    second.calls += calls
    return second.calls > perSecond
  }

  const answer = ({ id, method, params = [] }: Call) => {
    add(counts.calls, method)
    try {
      return { jsonrpc: '2.0', id, result: answers(method, params, node.limits) }
    } catch (error) {
      if (!isRefused(error)) throw error
      add(counts.refused, error.code)
      return { jsonrpc: '2.0', id, error }
    }
  }

  const { origin, stop } = await listenOnLoopback(async (request, response) => {
    try {
      const body = JSON.parse(await readBody(request)) as Call | Call[]
      const calls = [body].flat()
      counts.posts += 1
      const { batch, delayMs, onPost } = node.limits
      onPost?.(calls)
      if (delayMs) await sleep(delayMs)
      if (isOver(calls.length)) {
        counts.limited += 1
        return response.writeHead(429, { 'retry-after': '1' }).end('Too Many Requests')
      }
      const tooMany = { code: -32_600, message: `batch size too large, at most ${batch} calls` }
      const answered =
        Array.isArray(body) && batch !== undefined && body.length > batch
          ? { jsonrpc: '2.0', id: null, error: tooMany }
          : Array.isArray(body)
            ? body.map(answer)
            : answer(body)
      response.setHeader('content-type', 'application/json')
      return response.end(JSON.stringify(answered))
    } catch (error) {
      // A bug in the simulation must not look like an unreachable node.
      if (error instanceof TypeError || error instanceof RangeError) process.stderr.write(`${error.stack}\n`)
      return response.destroy()
    }
  })
  const node: MainnetNode = { url: origin, limits, counts, stop }
  return node
}
