/**
 * A JSON-RPC node over HTTP that serves recorded blocks, or forwards calls to a real node, and fails on request.
 * It serves a `Chain`; a seeded generator decides faults per call, so that runs repeat.
 */
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Chain } from './recorded-chain.ts'

export type Faults = {
  /** Share of calls that get an internal error. */
  errors?: number
  /** Share of receipt answers without logs. */
  emptyLogs?: number
  /** Share of receipt answers in which the first data word of every log is changed. */
  forgedAmounts?: number
  /** Share of receipt answers in which every status is inverted. */
  flippedStatus?: number
  /** Share of receipt answers that belong to another branch. */
  otherBranch?: number
  /** Share of receipt answers without the last receipt. */
  cutReceipts?: number
  /** Share of blocks by number that are null although they exist, and of heads that lag by `lag`. */
  lagging?: number
  lag?: number
  /** Number of newest blocks the node does not know. */
  behind?: number
  /** Hash of the newest block instead of its own. */
  newestHash?: string
  /** Number of POSTs answered 429 from now on; afterwards it works. */
  refusals?: number
  /** Share of POSTs answered 429, with this Retry-After in seconds. */
  tooMany?: number
  retryAfter?: number
  /** Share of POSTs answered 502. */
  badGateway?: number
  /** Delay before every answer, ms. */
  delayMs?: number
  /** Methods that get error -32601. */
  missing?: readonly string[]
  /** Errors of the next calls of a method, in order; afterwards it works. */
  failing?: Record<string, { code: number; message: string }[]>
  /** Block that the node reports as final, by number; with `hash` if given, else its own. */
  finalized?: { number: number; hash?: string }
  /** Block numbers served as null. */
  gaps?: readonly number[]
}

export type ReplayNode = {
  url: string
  /** Counts of calls by method, of POSTs, and of wrong answers. */
  counts: { posts: number; faults: number; methods: Map<string, number> }
  /** Replaces the faults from the next POST on. */
  misbehave: (faults: Faults) => void
  /** Highest block requested in full by number. */
  highestRequested: () => number
  stop: () => Promise<void>
}

type Request = { id: unknown; method: string; params: unknown[] }
type Receipts = { blockHash: string; status?: string; logs: { data: string }[] }[]

/** mulberry32: a small seeded generator, uniform in [0, 1). */
export const seeded = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const OTHER_HASH = `0x${'ab'.repeat(32)}`

/** Answers from a chain of recorded or synthetic blocks. */
const recorded =
  (chain: Chain) =>
  async ({ method, params }: Request): Promise<unknown> => {
    const [at, full] = params as [string, boolean | undefined]
    const block = () => chain.block(at)
    if (method === 'eth_chainId') return chain.chainId
    if (method === 'eth_blockNumber') return chain.block('latest')?.number
    if (method === 'eth_getBlockByNumber' || method === 'eth_getBlockByHash') {
      const found = block()
      if (!found || full) return found ?? null
      return { ...found, transactions: found.transactions.map(({ hash }) => hash) }
    }
    if (method === 'eth_getBlockReceipts') return chain.receipts(at) ?? null
    if (method === 'eth_getTransactionReceipt') return chain.receipt(at) ?? null
    if (method === 'eth_getCode' || method === 'eth_call') return '0x'
    const traces = chain.traces(method, at)
    if (traces === undefined) throw { code: -32_601, message: `the method ${method} does not exist` }
    return traces
  }

/** Answers from a real node. */
const proxied =
  (url: string) =>
  async ({ method, params }: Request): Promise<unknown> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const answer = (await response.json()) as { result?: unknown; error?: unknown }
    if (answer.error) throw answer.error
    return answer.result
  }

export const startReplayNode = async (
  origin: { chain: Chain } | { proxy: string },
  { faults: first = {}, seed = 1 }: { faults?: Faults; seed?: number } = {},
): Promise<ReplayNode> => {
  const serve = 'chain' in origin ? recorded(origin.chain) : proxied(origin.proxy)
  const random = seeded(seed)
  let faults = first
  const counts: ReplayNode['counts'] = { posts: 0, faults: 0, methods: new Map() }
  const lies = (share: number | undefined) => {
    const lie = share !== undefined && random() < share
    if (lie) counts.faults += 1
    return lie
  }

  let asked = 0

  /** Whether a requested block is newer than what a lagging node knows. */
  const isUnknown = async (at: unknown, behind: number): Promise<boolean> => {
    const newest = Number(await serve({ id: 0, method: 'eth_blockNumber', params: [] }))
    const method = String(at).length === 66 ? 'eth_getBlockByHash' : 'eth_getBlockByNumber'
    const block = await serve({ id: 0, method, params: [at, false] })
    return Number((block as { number: string } | null)?.number) > newest - behind
  }

  const bendReceipts = (receipts: Receipts): Receipts => {
    const bloomed = receipts.some(({ logs }) => logs.length > 0)
    if (bloomed && lies(faults.emptyLogs)) return receipts.map((receipt) => ({ ...receipt, logs: [] }))
    if (bloomed && lies(faults.forgedAmounts)) {
      const forge = (log: { data: string }) => ({ ...log, data: `0x${'00'.repeat(31)}01${log.data.slice(66)}` })
      return receipts.map((receipt) => ({ ...receipt, logs: receipt.logs.map(forge) }))
    }
    if (receipts.some(({ status }) => status) && lies(faults.flippedStatus)) {
      return receipts.map((receipt) => ({ ...receipt, status: receipt.status === '0x1' ? '0x0' : '0x1' }))
    }
    if (receipts.length > 0 && lies(faults.otherBranch)) {
      return receipts.map((receipt) => ({ ...receipt, blockHash: OTHER_HASH }))
    }
    return receipts.length > 0 && lies(faults.cutReceipts) ? receipts.slice(0, -1) : receipts
  }

  const bend = async (request: Request): Promise<unknown> => {
    const { method, params } = request
    if (faults.missing?.includes(method)) throw { code: -32_601, message: `the method ${method} does not exist` }
    const failure = faults.failing?.[method]?.shift()
    if (failure) throw failure
    if (method === 'eth_getBlockByNumber' && params[0] === 'finalized' && faults.finalized) {
      const final = await serve({ ...request, params: [`0x${faults.finalized.number.toString(16)}`, false] })
      return faults.finalized.hash ? { ...(final as object), hash: faults.finalized.hash } : final
    }
    if (lies(faults.errors)) throw { code: -32_603, message: 'internal error' }
    if (method === 'eth_getBlockByNumber' && lies(faults.lagging)) {
      const head = params[0] === 'latest' ? Number(await serve({ ...request, method: 'eth_blockNumber' })) : 0
      if (head === 0) return null
      return serve({ ...request, params: [`0x${Math.max(0, head - (faults.lag ?? 3)).toString(16)}`, params[1]] })
    }
    if (method === 'eth_getBlockByNumber' && params[0] === 'latest' && faults.newestHash) {
      return { ...((await serve(request)) as object), hash: faults.newestHash }
    }
    if (method === 'eth_getBlockByNumber' && faults.gaps?.includes(Number(params[0]))) return null
    if (faults.behind && method === 'eth_getBlockByNumber' && params[0] === 'latest') {
      const newest = Number(await serve({ ...request, method: 'eth_blockNumber' }))
      return serve({ ...request, params: [`0x${Math.max(0, newest - faults.behind).toString(16)}`, params[1]] })
    }
    const result = await serve(request)
    if (faults.behind && /Block(By|Receipts)/.test(method) && (await isUnknown(params[0], faults.behind))) return null
    return method === 'eth_getBlockReceipts' && Array.isArray(result) ? bendReceipts(result as Receipts) : result
  }

  const honest = Object.values(first).length === 0 && 'chain' in origin ? origin.chain.text : undefined

  /** JSON text of the answer to one call. */
  const answer = async (request: Request): Promise<string> => {
    counts.methods.set(request.method, (counts.methods.get(request.method) ?? 0) + 1)
    const [at, full] = request.params
    if (request.method === 'eth_getBlockByNumber' && full === true) asked = Math.max(asked, Number(at))
    const ready = faults === first ? honest?.(request.method, request.params) : undefined
    if (ready !== undefined) return `{"jsonrpc":"2.0","id":${JSON.stringify(request.id)},"result":${ready}}`
    try {
      return JSON.stringify({ jsonrpc: '2.0', id: request.id, result: await bend(request) })
    } catch (error) {
      return JSON.stringify({ jsonrpc: '2.0', id: request.id, error })
    }
  }

  const refuses = () => {
    if (!faults.refusals) return false
    faults = { ...faults, refusals: faults.refusals - 1 }
    return true
  }

  const server = createServer(async (request, response) => {
    const body = (await json(request).catch(() => undefined)) as Request | Request[] | undefined
    // The client disconnected before the request was complete.
    if (body === undefined) return response.destroy()
    counts.posts += 1
    if (faults.delayMs) await new Promise((resolve) => setTimeout(resolve, faults.delayMs))
    if (refuses() || lies(faults.tooMany)) {
      response.writeHead(429, faults.retryAfter === undefined ? {} : { 'retry-after': String(faults.retryAfter) })
      return response.end('too many requests')
    }
    if (lies(faults.badGateway)) return response.writeHead(502).end('bad gateway')
    const text = Array.isArray(body) ? `[${(await Promise.all(body.map(answer))).join(',')}]` : await answer(body)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    counts,
    misbehave: (next) => {
      faults = next
    },
    highestRequested: () => asked,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
