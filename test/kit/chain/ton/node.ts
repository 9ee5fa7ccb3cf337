/**
 * A TON node behind toncenter's HTTP API, version 2, and beside it an index of version 3, over a synthetic or recorded chain, with
 * the faults of real ones. A seeded generator decides faults per call, so that runs repeat.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Address, beginCell, Cell } from '@ton/core'
import { type Counts, createFaults, listenOnLoopback, readBody } from '../../http-node.ts'
import {
  type Made,
  type Master,
  type PrintedId,
  type PrintedTransaction,
  printShard,
  WHOLE,
  ZERO_STATE,
} from './chain.ts'
import { createIndexAnswers } from './index-answers.ts'
import type { ServedChain, TonFaults } from './served.ts'

export type { ServedChain, TonFaults } from './served.ts'

/** Contracts that answer get methods, by raw address and method. */
export type TonContracts = ReadonlyMap<
  string,
  (method: string, argument: string | bigint | undefined) => StackEntry[] | undefined
>
export type StackEntry = bigint | { address: string } | { cell: Cell }

export type TonNode = {
  url: string
  /** The same chain through version 3. */
  indexUrl: string
  counts: Counts & { methods: Map<string, number> }
  /** Masterchain heights requested in full, in order. */
  asked: number[]
  misbehave: (faults: TonFaults) => void
  stop: () => Promise<void>
}

const MAX_PAGE = 256

class Refusal extends Error {
  readonly status: number
  constructor(message: string, status = 500) {
    super(message)
    this.status = status
  }
}

type Params = Record<string, unknown>
const idIn = ({ workchain, shard, seqno }: Params) => ({
  workchain: Number(workchain),
  shard: String(shard),
  seqno: Number(seqno),
})

const printStack = (entry: StackEntry): unknown => {
  if (typeof entry === 'bigint') return ['num', entry < 0n ? `-0x${(-entry).toString(16)}` : `0x${entry.toString(16)}`]
  const cell =
    'cell' in entry
      ? entry.cell
      : beginCell()
          .storeAddress(entry.address === '' ? null : Address.parseRaw(entry.address))
          .endCell()
  return ['cell', { bytes: cell.toBoc().toString('base64') }]
}
const readArgument = ([entry]: unknown[]): string | bigint | undefined => {
  if (!Array.isArray(entry)) return undefined
  const [kind, value] = entry as [string, string]
  if (kind === 'num') return BigInt(value)
  return Cell.fromBase64(value).beginParse().loadAddress().toRawString()
}

export const startTonNode = async (
  chain: ServedChain,
  {
    faults: first = {},
    seed = 1,
    contracts = new Map(),
    zero = ZERO_STATE.root_hash,
    globalId = -239,
  }: {
    faults?: TonFaults
    seed?: number
    contracts?: TonContracts
    zero?: string
    globalId?: number
  } = {},
): Promise<TonNode> => {
  const { now, setFaults, counts: calls, lies, refuses, called } = createFaults(first, seed)
  const asked: number[] = []
  const counts: TonNode['counts'] = Object.assign(calls, { methods: new Map<string, number>() })
  const newest = () => Math.max(0, chain.height() - (now().lag ?? 0))
  const masterIn = (seqno = newest()): Master | undefined =>
    seqno <= newest() && !now().gaps?.includes(seqno) ? chain.at(seqno) : undefined
  const fromIndex = createIndexAnswers({ chain, masterAt: masterIn, now, lies, asked, globalId })
  const masterAt = (seqno: number): Master => {
    const found = masterIn(seqno)
    if (!found)
      throw new Refusal(`LITE_SERVER_NOTREADY: cannot find block (-1,8000000000000000,${seqno}) : seqno not in db`)
    return found
  }
  const madeAt = (params: Params): Made => {
    const id = idIn(params)
    if (id.workchain === -1) return masterAt(lies(now().older) ? id.seqno - 1 : id.seqno)
    const found = chain.find(id)
    const named = params.root_hash === undefined || params.root_hash === found?.id.root_hash
    if (!found || !named)
      throw new Refusal(`LITE_SERVER_UNKNOWN: block not found (${id.workchain},${id.shard},${id.seqno})`)
    return found
  }

  const header = (params: Params) => {
    const { id, parents, afterMerge, afterSplit, startLt, endLt, time } = madeAt(params)
    let named = parents
    const [one] = parents
    if (one && id.workchain === 0 && lies(now().skipsBlock)) named = chain.find(one)?.parents ?? parents
    if (parents.length === 2 && lies(now().oneParent)) named = parents.slice(0, 1)
    if (one && id.workchain === 0 && lies(now().manyParents)) named = new Array<PrintedId>(150_000).fill(one)
    return {
      '@type': 'blocks.header',
      id,
      global_id: -239,
      version: 0,
      after_merge: afterMerge,
      after_split: afterSplit,
      before_split: false,
      is_key_block: false,
      start_lt: startLt.toString(),
      end_lt: endLt.toString(),
      gen_utime: time,
      prev_blocks: named,
    }
  }
  /** Omits one that is followed by another of its account, else any. */
  const cut = (all: readonly PrintedTransaction[]): PrintedTransaction[] => {
    const place = all.findIndex((one, index) => all[index + 1]?.account === one.account)
    return all.filter((_, index) => index !== Math.max(0, place))
  }
  const forge = (one: PrintedTransaction): PrintedTransaction => {
    const bytes = Buffer.from(one.data, 'base64')
    // A byte of the amount or the account, far from the structure of the bag of cells.
    const at = Math.floor(bytes.length / 2)
    bytes[at] = bytes[at]! ^ 0x10
    return { ...one, data: bytes.toString('base64') }
  }
  const page = (params: Params) => {
    const made = madeAt(params)
    if (made.id.workchain === -1) asked.push(made.id.seqno)
    const count = Math.min(Number(params.count ?? 40), MAX_PAGE)
    let all = made.transactions
    if (lies(now().otherBlock)) all = made.parents.flatMap((parent) => chain.find(parent)?.transactions ?? [])
    const doubled = all.some((one, index) => all[index + 1]?.account === one.account)
    if (doubled && lies(now().cutTransactions)) all = cut(all)
    const account =
      params.after_hash === undefined ? '' : Buffer.from(String(params.after_hash), 'base64').toString('hex')
    const lt = BigInt(String(params.after_lt ?? 0))
    const left = all.filter(
      (one) => one.account > account || (one.account === account && BigInt(one.transaction_id.lt) > lt),
    )
    const own = left.slice(0, count)
    const incomplete = lies(now().endless) || (left.length > count && !now().saysComplete)
    return {
      '@type': 'blocks.transactionsExt',
      id: made.id,
      req_count: count,
      incomplete,
      transactions: own.map((one) => (lies(now().forgedTransaction) ? forge(one) : one)),
    }
  }
  const tips = ({ seqno }: Params) => {
    const all = masterAt(Number(seqno)).tips
    const [one] = all
    if (one && lies(now().manyTips)) {
      const workchains = Array.from({ length: 5_000 }, (_, workchain) => workchain + 1)
      const others = workchains.map((workchain) => ({ ...one, workchain, shard: printShard(WHOLE) }))
      return { '@type': 'blocks.shards', shards: [...all, ...others] }
    }
    return { '@type': 'blocks.shards', shards: lies(now().lacksShard) ? all.slice(1) : all }
  }
  const info = () => {
    const { id } = masterAt(newest())
    if (now().catchesUp) setFaults({ ...now(), catchesUp: false })
    return {
      '@type': 'blocks.masterchainInfo',
      last: { ...id, ...(now().newestHash !== undefined && { root_hash: now().newestHash }) },
      state_root_hash: ZERO_STATE.file_hash,
      init: { '@type': 'ton.blockIdExt', workchain: -1, shard: '0', seqno: 0, ...ZERO_STATE, root_hash: zero },
    }
  }
  const runMethod = ({ address, method, stack }: Params) => {
    const contract = now().knowsNoContract || now().catchesUp ? undefined : contracts.get(String(address))
    const answer = contract?.(String(method), readArgument(stack as unknown[]))
    return {
      '@type': 'smc.runResult',
      gas_used: 549,
      exit_code: answer ? 0 : -13,
      stack: (answer ?? []).map(printStack),
    }
  }

  const METHODS: Record<string, (params: Params) => unknown> = {
    getMasterchainInfo: info,
    getBlockHeader: header,
    shards: tips,
    getBlockTransactionsExt: page,
    runGetMethod: runMethod,
  }
  const answerTo = (method: string, params: Params): { status: number; body: unknown } => {
    try {
      const known = METHODS[method]
      if (!known) return { status: 422, body: { ok: false, error: 'Unknown method' } }
      return { status: 200, body: { ok: true, result: known(params) } }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { status: error.status, body: { ok: false, error: error.message, code: error.status } }
    }
  }

  /** Fault that precedes the look-up; `undefined` if there is none. */
  const refusal = async (request: IncomingMessage): Promise<{ status: number; body: object } | undefined> => {
    called(request)
    if (now().delayMs) await new Promise((resolve) => setTimeout(resolve, now().delayMs))
    if (!refuses()) return undefined
    const { status = 429 } = now()
    return status === 429
      ? { status, body: { ok: false, result: 'Ratelimit exceed', code: 429 } }
      : { status, body: { ok: false, error: 'LITE_SERVER_NETWORK: timeout', code: status } }
  }
  const print = (response: ServerResponse, { status, body }: { status: number; body: unknown }) => {
    const retry = now().retryAfter === undefined || status < 400 ? {} : { 'retry-after': String(now().retryAfter) }
    const type = typeof body === 'string' ? 'text/plain' : 'application/json'
    response.writeHead(status, { 'content-type': type, ...retry })
    return response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  /** A get method in the format of version 3. */
  const runFromIndex = (text: string) => {
    const { stack, ...asked } = JSON.parse(text) as Params & { stack: { type: string; value: string }[] }
    const answer = runMethod({ ...asked, stack: stack.map(({ type, value }) => [type, value]) })
    const printed = (answer.stack as [string, string | { bytes: string }][]).map(([type, value]) => ({
      type,
      value: typeof value === 'string' ? value : value.bytes,
    }))
    return { gas_used: answer.gas_used, exit_code: answer.exit_code, stack: printed }
  }

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const text = await readBody(request)
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x')
    if (pathname.startsWith('/api/v3/')) {
      const path = pathname.slice('/api/v3/'.length)
      counts.methods.set(path, (counts.methods.get(path) ?? 0) + 1)
      const refused = await refusal(request)
      if (refused) return print(response, refused)
      if (path === 'runGetMethod') return print(response, { status: 200, body: runFromIndex(text) })
      return print(response, fromIndex(path, searchParams))
    }
    if (pathname !== '/api/v2/jsonRPC') return response.writeHead(404).end('not found')
    const { method, params, id } = JSON.parse(text) as {
      method: string
      params: Params
      id: string
    }
    counts.methods.set(method, (counts.methods.get(method) ?? 0) + 1)
    const refused = await refusal(request)
    if (refused) return print(response, refused)
    const { status, body } = answerTo(method, params)
    return print(response, { status, body: { ...(body as object), jsonrpc: '2.0', id } })
  }
  const { origin, stop } = await listenOnLoopback(serve)
  return { url: `${origin}/api/v2`, indexUrl: `${origin}/api/v3`, counts, asked, misbehave: setFaults, stop }
}
