/**
 * A provider in front of a real node: limits, messages and wrong answers. Passes everything but `eth_getLogs` and methods affected
 * by pruning through unchanged.
 */
import { createServer } from 'node:http'

type Call = { id: number; method: string; params: unknown[] }
export type Reply = { result: unknown } | { error: { code: number; message: string } }
type Log = { blockNumber: string }

export type ProviderRules = {
  /** Maximum number of blocks per `eth_getLogs`, and the message for more. */
  range?: { max: number; error: (from: number, to: number) => { code: number; message: string } }
  /** Maximum number of logs per answer. */
  results?: { max: number; error: (from: number, to: number) => { code: number; message: string } }
  /** History begins here: below, requests fail with error 4444 or get an empty answer. */
  pruned?: { below: number; silently: boolean }
  /** Maximum number of `eth_getLogs` per second; more get status 429. */
  rate?: number
  /** Called with every answered range of `eth_getLogs`; throwing closes the connection. */
  onLogs?: (from: number, to: number) => void
  /** Answers a method instead of the node; `real` calls the node. */
  answers?: Record<string, (params: unknown[], real: () => Promise<Reply>) => Reply | Promise<Reply>>
  /** Replaces the logs of an answer. */
  forge?: (logs: Log[], from: number, to: number) => Log[]
}

export type Provider = {
  url: string
  /** Rules may change at run time. */
  rules: ProviderRules
  /** Counts of `eth_getLogs` answered with logs, refused, and rejected by the rate limit. */
  counts: { answered: number; refused: number; limited: number }
  stop: () => Promise<void>
}

export const startProvider = async (upstream: string, rules: ProviderRules = {}): Promise<Provider> => {
  const counts = { answered: 0, refused: 0, limited: 0 }
  let window = { since: 0, calls: 0 }

  const forward = async (calls: readonly Call[]): Promise<Reply[]> => {
    const body = calls.map((call) => ({ jsonrpc: '2.0', ...call }))
    const response = await fetch(upstream, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answers = (await response.json()) as (Reply & { id: number })[]
    return calls.map(({ id }) => answers.find((answer) => answer.id === id)!)
  }

  const refused = (error: { code: number; message: string }): Reply => {
    counts.refused += 1
    return { error }
  }

  const logs = async (call: Call): Promise<Reply> => {
    const { fromBlock, toBlock } = call.params[0] as { fromBlock: string; toBlock: string }
    const [from, to] = [Number(fromBlock), Number(toBlock)]
    const { range, results, pruned, forge } = provider.rules
    if (range && to - from + 1 > range.max) return refused(range.error(from, to))
    if (pruned && !pruned.silently && from < pruned.below) {
      return refused({ code: 4444, message: 'pruned history unavailable' })
    }
    const [reply] = await forward([call])
    if (!reply || 'error' in reply) return reply!
    let found = (reply.result as Log[]).filter((log) => !pruned || Number(log.blockNumber) >= pruned.below)
    if (results && found.length > results.max) return refused(results.error(from, to))
    if (forge) found = forge(found, from, to)
    provider.rules.onLogs?.(from, to)
    counts.answered += 1
    return { result: found }
  }

  const overRate = (calls: readonly Call[]): boolean => {
    const asked = calls.filter(({ method }) => method === 'eth_getLogs').length
    const { rate } = provider.rules
    if (rate === undefined || asked === 0) return false
    if (Date.now() - window.since >= 1_000) window = { since: Date.now(), calls: 0 }
    window.calls += asked
    if (window.calls <= rate) return false
    counts.limited += 1
    return true
  }

  const answer = async (call: Call): Promise<Reply> => {
    const real = async () => (call.method === 'eth_getLogs' ? logs(call) : (await forward([call]))[0]!)
    return provider.rules.answers?.[call.method]?.(call.params, real) ?? real()
  }

  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[]
      const calls = Array.isArray(body) ? body : [body]
      if (overRate(calls)) {
        response.writeHead(429, { 'retry-after': '0' }).end('slow down')
        return
      }
      const replies: Record<string, unknown>[] = []
      for (const call of calls) {
        const reply = await answer(call)
        replies.push({ ...reply, jsonrpc: '2.0', id: call.id })
      }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(Array.isArray(body) ? replies : replies[0]))
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0

  const provider: Provider = {
    url: `http://127.0.0.1:${port}`,
    rules,
    counts,
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return provider
}
