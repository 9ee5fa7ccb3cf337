/**
 * A Solana cluster in this process over loopback, and nodes that answer JSON-RPC as agave does: skipped slots, replaced branches,
 * commitments, error codes and texts. Nodes lag, refuse or answer wrongly on request.
 */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { base58 } from '@scure/base'
import { networkInfo } from '../../../../schema/networks.ts'
import { type WireTransaction, wireText } from './solana-transactions.ts'

export type SolanaBlock = {
  slot: number
  number: number
  hash: string
  parentHash: string
  parentSlot: number
  time: number
  transactions: readonly WireTransaction[]
}

export type SolanaChain = {
  /** Blocks of the current branch, ascending. */
  blocks: () => readonly SolanaBlock[]
  tip: () => SolanaBlock
  finalized: () => SolanaBlock
  /** Adds a block after `skipped` slots without one. */
  add: (transactions?: readonly WireTransaction[], skipped?: number) => SolanaBlock
  grow: (count: number) => void
  /** Replaces the newest blocks by others, whose slots are skipped on the new branch. Never finalized ones. */
  fork: (depth: number) => void
  /** Makes all but the newest blocks final. */
  finalize: (but?: number) => void
}

export type ChainOptions = {
  /** Slot and height of the first block. */
  slot?: number
  number?: number
  time?: number
  /** Transactions of a block that is added without any. */
  fill?: () => readonly WireTransaction[]
}

const FIRST = { slot: 434_979_000, number: 413_000_000, time: 1_784_920_000 }
const SLOT_MS = 400

/** A chain that begins with one block. */
export const createSolanaChain = ({
  slot = FIRST.slot,
  number = FIRST.number,
  time = FIRST.time,
  fill = () => [],
}: ChainOptions = {}): SolanaChain => {
  let blocks: SolanaBlock[] = []
  let finalHeight = number
  let branch = 0
  const tip = (): SolanaBlock => {
    const last = blocks.at(-1)
    if (!last) throw new Error('the chain has a block')
    return last
  }
  const append = (at: number, transactions: readonly WireTransaction[]): SolanaBlock => {
    const parent = blocks.at(-1)
    const parentHash = parent?.hash ?? base58.encode(Buffer.alloc(32, 1))
    const signatures = transactions.map((one) => one.transaction.signatures?.[0]).join()
    const hash = base58.encode(createHash('sha256').update(`${parentHash} ${at} ${branch} ${signatures}`).digest())
    const block = {
      slot: at,
      number: parent ? parent.number + 1 : number,
      hash,
      parentHash,
      parentSlot: parent?.slot ?? at - 1,
      time: time + Math.floor(((at - slot) * SLOT_MS) / 1_000),
      transactions,
    }
    blocks.push(block)
    return block
  }
  append(slot, fill())
  const add: SolanaChain['add'] = (transactions = fill(), skipped = 0) => append(tip().slot + 1 + skipped, transactions)
  return {
    blocks: () => blocks,
    tip,
    finalized: () => blocks.find((one) => one.number === finalHeight) ?? tip(),
    add,
    grow: (count) => {
      for (let each = 0; each < count; each += 1) add(undefined, each % 5 === 4 ? 2 : 0)
    },
    fork: (depth) => {
      const kept = blocks.filter((one) => one.number <= Math.max(finalHeight, tip().number - depth))
      const dropped = blocks.length - kept.length
      const from = tip().slot
      blocks = kept
      branch += 1
      for (let each = 0; each < dropped + 1; each += 1) append(Math.max(from, tip().slot) + 1, fill())
    },
    finalize: (but = 0) => {
      finalHeight = Math.max(finalHeight, tip().number - but)
    },
  }
}

/** Fault of a node's next call of a method, once. */
export type SolanaFault =
  | { code: number; message: string }
  | { status: number; retryAfter?: number }
  /** Changes the answer. */
  | { lie: (result: unknown) => unknown }

/** Changes the result of a call, or throws a `Refusal`. */
export type Tamper = (method: string, params: readonly unknown[], result: unknown) => unknown

export type SolanaNode = {
  url: string
  /** Calls by method. */
  calls: Map<string, number>
  /** Maximum number of concurrent requests for whole blocks. */
  busiest: () => number
  fail: (method: string, ...faults: readonly SolanaFault[]) => void
  /** Hides the newest blocks of the chain. */
  lag: (blocks: number) => void
  /** Refuses the next calls of any method as too many. */
  refuse: (calls: number) => void
  /** Passes every answer from now on through a function, which may change it or throw a `Refusal` for an error. */
  tamper: (change: Tamper | undefined) => void
  /** Highest slot whose whole block was requested. */
  highestRequested: () => number
  /** Slots below are pruned. */
  prune: (before: number) => void
  /** Delay before each answer, ms. */
  slow: (ms: number) => void
  stop: () => Promise<void>
}

type Request = { id: unknown; method: string; params?: unknown[] }
type Options = { commitment?: string; transactionDetails?: string; maxSupportedTransactionVersion?: number }

/** An error in the format of nodes. */
export class Refusal extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const versionOf = ({ version }: WireTransaction): number =>
  version === 'legacy' || version === undefined ? -1 : version

/** Placeholder for transactions that are already rendered. */
const RENDERED = '@transactions'

/** Starts a node of a chain. */
export const startSolanaNode = async (
  chain: SolanaChain,
  {
    genesisHash = networkInfo('SOLANA').genesisHash,
    rendered,
  }: {
    genesisHash?: string | null
    /** Text of the transactions of every block if all are the same: answers are then not rendered again. */
    rendered?: string
  } = {},
): Promise<SolanaNode> => {
  const faults = new Map<string, SolanaFault[]>()
  const calls = new Map<string, number>()
  let lagging = 0
  let pruned = 0
  let delay = 0
  let running = 0
  let busiest = 0
  let refusals = 0
  let asked = 0
  let tamper: Tamper | undefined

  const seen = (commitment = 'finalized') => {
    const all = chain.blocks()
    const shown = all.slice(0, Math.max(1, all.length - lagging))
    const final = chain.finalized().number
    return commitment === 'finalized' ? shown.filter((one) => one.number <= final) : shown
  }
  const wire = (block: SolanaBlock, { transactionDetails, maxSupportedTransactionVersion = -1 }: Options) => {
    const checked = rendered === undefined ? block.transactions : []
    const newer = checked.map(versionOf).find((version) => version > maxSupportedTransactionVersion)
    if (transactionDetails !== 'none' && newer !== undefined) {
      throw new Refusal(
        -32015,
        `Transaction version (${newer}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${newer}`,
      )
    }
    return {
      blockHeight: block.number,
      blockTime: block.time,
      blockhash: block.hash,
      parentSlot: block.parentSlot,
      previousBlockhash: block.parentHash,
      ...(transactionDetails === 'none'
        ? {}
        : { transactions: rendered === undefined ? block.transactions : RENDERED }),
    }
  }
  const getBlock = (slot: number, options: Options) => {
    const { commitment = 'finalized' } = options
    if (commitment === 'processed') throw new Refusal(-32602, 'Method does not support commitment below `confirmed`')
    if (slot < pruned) {
      throw new Refusal(-32001, `Block ${slot} cleaned up, does not exist on node. First available block: ${pruned}`)
    }
    const shown = seen(commitment)
    const block = shown.find((one) => one.slot === slot)
    if (block) return wire(block, options)
    if (slot > (shown.at(-1)?.slot ?? 0)) throw new Refusal(-32004, `Block not available for slot ${slot}`)
    throw new Refusal(-32007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`)
  }
  const answer = ({ method, params = [] }: Request): unknown => {
    const [first, second, third] = params
    if (method === 'getGenesisHash') return genesisHash
    if (method === 'getSlot') return seen((first as Options | undefined)?.commitment).at(-1)?.slot
    if (method === 'getBlock') return getBlock(first as number, (second ?? {}) as Options)
    if (method === 'getBlocks') {
      const [from, to] = [first as number, second as number]
      if (to - from > 500_000) throw new Refusal(-32602, 'Slot range too large; max 500000')
      return seen((third as Options | undefined)?.commitment)
        .map(({ slot }) => slot)
        .filter((slot) => slot >= from && slot <= to && slot >= pruned)
    }
    if (method === 'getBlocksWithLimit') {
      const slots = seen((third as Options | undefined)?.commitment).map(({ slot }) => slot)
      return slots.filter((slot) => slot >= (first as number) && slot >= pruned).slice(0, second as number)
    }
    throw new Refusal(-32601, 'Method not found')
  }
  const reply = (request: Request, fault: SolanaFault | undefined): unknown => {
    const { id } = request
    try {
      if (fault && 'code' in fault) throw new Refusal(fault.code, fault.message)
      const answered = answer(request)
      const result = tamper ? tamper(request.method, request.params ?? [], answered) : answered
      return { jsonrpc: '2.0', result: fault && 'lie' in fault ? fault.lie(result) : result, id }
    } catch (error) {
      if (error instanceof Refusal) return { jsonrpc: '2.0', error: { code: error.code, message: error.message }, id }
      throw error
    }
  }

  const server = createServer(async (incoming, response) => {
    const request = (await json(incoming)) as Request
    const { method } = request
    calls.set(method, (calls.get(method) ?? 0) + 1)
    const [slot, options] = (request.params ?? []) as [number, Options | undefined]
    const heavy = method === 'getBlock' && options?.transactionDetails === 'full'
    if (heavy) asked = Math.max(asked, slot)
    if (heavy) running += 1
    busiest = Math.max(busiest, running)
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
    if (refusals > 0) faults.set(method, [{ status: 429 }, ...(faults.get(method) ?? [])])
    refusals -= 1
    const fault = faults.get(method)?.shift()
    if (heavy) running -= 1
    if (fault && 'status' in fault) {
      const headers = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) }
      response.writeHead(fault.status, headers).end()
      return
    }
    const answered = wireText(reply(request, fault))
    const text = rendered === undefined ? answered : answered.replace(`"${RENDERED}"`, () => rendered)
    const zipped = rendered === undefined && /gzip/.test(incoming.headers['accept-encoding'] ?? '')
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      ...(zipped ? { 'content-encoding': 'gzip' } : {}),
    })
    response.end(zipped ? gzipSync(text, { level: 1 }) : text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    busiest: () => busiest,
    fail: (method, ...next) => faults.set(method, [...(faults.get(method) ?? []), ...next]),
    lag: (blocks) => {
      lagging = blocks
    },
    refuse: (count) => {
      refusals = count
    },
    tamper: (change) => {
      tamper = change
    },
    highestRequested: () => asked,
    prune: (before) => {
      pruned = before
    },
    slow: (ms) => {
      delay = ms
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
