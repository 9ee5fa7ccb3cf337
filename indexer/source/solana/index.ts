/**
 * Solana behind JSON-RPC. Blocks are followed once the cluster confirms them, and are final when the node says so, not at a
 * depth. See docs/adr/0013-solana-numbers-are-heights.md.
 */
import type { Context } from '../../../platform/context/context.ts'
import { isAssayError, OperatorError } from '../../../platform/errors.ts'
import type { Budget } from '../../../platform/rpc/budget.ts'
import { RpcInconsistent } from '../../../platform/rpc/errors.ts'
import { createRpcPool, type Node } from '../../../platform/rpc/pool.ts'
import { createPost } from '../../../platform/rpc/post.ts'
import type { Block, BlockRef } from '../../../schema/block.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { orAbsent } from '../answers.ts'
import { createFinality, hostsAsked } from '../finality.ts'
import { createOneChain } from '../one-chain.ts'
import type { Source } from '../source.ts'
import { createHeights } from './heights.ts'
import { askBlock, askBlocks, askGenesisHash, askSlot, type Commitment, SlotAbsent, type Versions } from './node.ts'
import { type RawBlock, type RawHeader, readTransaction } from './raw.ts'
import type { Place } from './slots.ts'
import { thinnedBody } from './thin.ts'

type DecodeSolana = (network: Network, raw: RawBlock) => Block

type SolanaSourceOptions = {
  context: Pick<Context, 'clock' | 'log' | 'metrics'>
  network: Network
  /** http(s) URLs. */
  urls: readonly string[]
  decode: DecodeSolana
  /** Request limits of each endpoint. */
  budget?: Budget | undefined
  /** Time between two polls of the head, ms. @default the block time */
  pollMs?: number
  /** With several hosts: how long one has to be the only one that answers before its final block is accepted, ms. */
  aloneAfterMs?: number | undefined
}

/** Time limit of a request for the head, ms: a late answer is worthless. */
const HEAD_TIMEOUT_MS = 5_000
/** A block can be many megabytes, from a distant node. */
const BLOCK_TIMEOUT_MS = 30_000
/** Minimum number of attempts at a block: each node can be asked twice. */
const MIN_ATTEMPTS = 6
const ATTEMPTS_EACH = 3
/** How many slots below a slot are searched if its own block is not there yet. */
const LOOK_BACK = 64
/** Transactions of version 1 are on mainnet since September 2026 (Chainstack's notes on `getBlock`). */
const VERSIONS: Versions = { highest: 1 }

const timeOf = ({ blockTime }: RawHeader, slot: number): number => {
  if (blockTime === null || blockTime === undefined) {
    throw new RpcInconsistent('block_time', `slot ${slot} came without its time; begin with a later block`)
  }
  return Number(blockTime)
}

/** @param expected height by the list of slots, for blocks of the first year, which have none. */
const refOf = (header: RawHeader, slot: number, expected?: number): BlockRef => {
  const number = header.blockHeight ?? expected
  if (number === undefined) throw new RpcInconsistent('height', `slot ${slot} came without its height`)
  if (expected !== undefined && number !== expected) {
    throw new RpcInconsistent('height', `slot ${slot} was listed as block ${expected} and is block ${number}`)
  }
  if (header.parentSlot >= slot && slot > 0) {
    throw new RpcInconsistent('parent_slot', `slot ${slot} follows slot ${header.parentSlot}`)
  }
  return { number, hash: header.blockhash, parentHash: header.previousBlockhash, time: timeOf(header, slot) }
}

/**
 * A source for Solana. It polls for blocks, because most providers offer no subscriptions to whole blocks.
 * @throws OperatorError ASSAY_SOURCE_NO_HTTP when a URL is not http(s)
 */
export const createSolanaSource = ({ context, network, urls, decode, ...rest }: SolanaSourceOptions): Source => {
  const http = urls.filter((url) => /^https?:/.test(url))
  if (http.length === 0) {
    throw new OperatorError(
      'ASSAY_SOURCE_NO_HTTP',
      `${network}_RPC_URL names no http(s) URL, and blocks are fetched over HTTP. Nothing was started. Add one next to the WebSocket URL.`,
    )
  }
  const info = networkInfo(network)
  const pool = createRpcPool({
    context,
    network,
    urls: http,
    budget: rest.budget,
    postTo: (url) => createPost(url, context.clock.now, thinnedBody),
  })
  const hosts = new Set(pool.hosts).size
  const versions = { ...VERSIONS }
  const votes = context.metrics.counter('assay_source_votes_total', 'Vote transactions left out of blocks', [
    'network',
  ] as const)
  const unreadable = context.metrics.counter(
    'assay_source_unreadable_transactions_total',
    'Transactions of an unknown shape, whose blocks are stored as incomplete',
    ['network'] as const,
  )

  const headerOf = async (node: Node, slot: number, number?: number): Promise<BlockRef> =>
    refOf(await askBlock(node, slot, { full: false, versions }), slot, number)

  /** The newest block of a commitment that the node can return; that of its newest slot may not be ready yet. */
  const newest = async (node: Node, commitment: Commitment): Promise<{ ref: BlockRef; slot: number }> => {
    const slot = await askSlot(node, commitment)
    try {
      return { ref: await headerOf(node, slot), slot }
    } catch (error) {
      if (!(error instanceof SlotAbsent)) throw error
      const listed = await askBlocks(node, Math.max(0, slot - LOOK_BACK), slot)
      const last = listed.filter((one) => one < slot).at(-1)
      if (last === undefined) throw error
      return { ref: await headerOf(node, last), slot: last }
    }
  }

  const heights = createHeights({
    versions,
    window: info.reorgWindow,
    single: hosts === 1,
    headerOf,
    newest: async (node): Promise<Place> => {
      const { ref, slot } = await newest(node, 'confirmed')
      return { number: ref.number, slot }
    },
  })

  const headerAt = (node: Node, number: number): Promise<BlockRef> =>
    heights.at(node, number, (slot) => headerOf(node, slot, number))

  const newestOf = async (node: Node): Promise<BlockRef> => {
    const { ref, slot } = await newest(node, 'confirmed')
    await heights.check(node, { number: ref.number, slot })
    return ref
  }
  /** Slots of blocks that nodes called final. */
  const slotOf = new WeakMap<BlockRef, number>()
  const at = (node: Node, ref: BlockRef): Promise<BlockRef> => headerOf(node, slotOf.get(ref) ?? 0)
  const chain = createOneChain({ context, network, pool, at })

  const readHead: Source['head'] = async (signal) => {
    const heads = await chain.pool.everywhere(newestOf, { signal, timeoutMs: HEAD_TIMEOUT_MS })
    return heads.reduce((best, one) => (one.number > best.number ? one : best))
  }

  const newestFinal = async (node: Node): Promise<BlockRef> => {
    const { ref, slot } = await newest(node, 'finalized')
    slotOf.set(ref, slot)
    return ref
  }
  const agreed = createFinality({
    context,
    network,
    hosts,
    window: info.reorgWindow,
    aloneAfterMs: rest.aloneAfterMs,
    confirmed: chain.confirmed,
    head: readHead,
    // Compares heights as nodes state them, which shows which of them are right.
    ...hostsAsked(
      pool,
      {
        final: newestFinal,
        at,
      },
      HEAD_TIMEOUT_MS,
    ),
  })
  const finality = async (signal?: AbortSignal): Promise<BlockRef> => {
    const ref = await agreed(signal)
    const slot = slotOf.get(ref)
    if (slot !== undefined) heights.bind({ number: ref.number, hash: ref.hash, slot })
    return ref
  }
  /** Before a height is asked for, two hosts have to agree on one, if there are two. */
  const bound = async (signal?: AbortSignal): Promise<void> => {
    if (hosts > 1 && !heights.bound()) await finality(signal)
  }

  const fetchBlock = (node: Node, at: { number: number; hash?: string }): Promise<RawBlock> =>
    heights.at(node, at.number, async (slot) => {
      const header = await askBlock(node, slot, { full: true, versions })
      const ref = refOf(header, slot, at.number)
      // There is no request by hash. Another block at the height means that the requested one is absent.
      if (at.hash !== undefined && at.hash !== ref.hash) throw new SlotAbsent(`block ${at.hash}`, true)
      if (!header.transactions) throw new RpcInconsistent('shape', `slot ${slot} came without its transactions`)
      const transactions = header.transactions.map((one) => (one === null ? null : readTransaction(one)))
      return { slot, ...ref, transactions }
    })

  return {
    network,
    head: async (signal) => {
      // Until two hosts agree, the newest block may be any host's; no block is read by it.
      await bound(signal).catch((error: unknown) => {
        signal?.throwIfAborted()
        if (!isAssayError(error)) throw error
      })
      return readHead(signal)
    },
    finalizedHead: (signal) =>
      hosts > 1 ? finality(signal) : pool.attempt(newestFinal, { signal, timeoutMs: HEAD_TIMEOUT_MS }),
    ref: async (number, signal) => {
      await bound(signal)
      return orAbsent(chain.sure.attempt((node) => headerAt(node, number), { signal, timeoutMs: HEAD_TIMEOUT_MS }))
    },
    block: async (at, signal) => {
      await bound(signal)
      const raw = await orAbsent(
        chain.pool.attempt((node) => fetchBlock(node, at), {
          signal,
          timeoutMs: BLOCK_TIMEOUT_MS,
          attempts: Math.max(MIN_ATTEMPTS, ATTEMPTS_EACH * pool.hosts.length),
        }),
      )
      if (!raw) return undefined
      votes.inc({ network }, raw.transactions.filter((one) => one === null).length)
      unreadable.inc({ network }, raw.transactions.filter((one) => one === undefined).length)
      return decode(network, raw)
    },
    verify: async (signal) => {
      const asked = async (node: Node) => ({ host: node.host, hash: await askGenesisHash(node) })
      const found = await pool.everywhere(asked, { signal })
      const wrong = found.find(({ hash }) => hash !== info.genesisHash)
      if (wrong) {
        throw new OperatorError(
          'ASSAY_SOURCE_WRONG_CHAIN',
          `The node ${wrong.host} is on the chain with genesis ${wrong.hash}, but ${network} has genesis ${info.genesisHash}. Nothing was indexed. Correct ${network}_RPC_URL.`,
        )
      }
    },
    onHead: (notify) => {
      const timer = setInterval(notify, rest.pollMs ?? info.blockTimeMs)
      return () => clearInterval(timer)
    },
    rotate: pool.rotate,
    close: async () => undefined,
  }
}
