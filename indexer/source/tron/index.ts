import { z } from 'zod'
import type { Context } from '../../../platform/context/context.ts'
import { OperatorError } from '../../../platform/errors.ts'
import type { Budget } from '../../../platform/rpc/budget.ts'
import { createHttpApi } from '../../../platform/rpc/http-api.ts'
import { createRpcPool, type Node } from '../../../platform/rpc/pool.ts'
import { familyOf, type Network, networkInfo } from '../../../schema/networks.ts'
import { orAbsent, read, retryOnOther, verifyChain } from '../answers.ts'
import { keyHeader } from '../provider-key.ts'
import type { Source } from '../source.ts'
import { createTokenLookup, tokensIn, type View } from '../tokens.ts'
import { decodeTronBlock, logOf } from './decode/index.ts'
import { askBlockAt, askInfos } from './fetch.ts'
import { createTronHeads } from './heads.ts'
import type { RawTron } from './raw.ts'
import { TRON_LIMITS, viewCall, viewOutcome } from './wire.ts'

/** Which endpoints to read, and how often. */
export type TronSourceOptions = {
  context: Pick<Context, 'clock' | 'log' | 'metrics'>
  network: Network
  /** http(s) URLs, without `/wallet` and `/walletsolidity`. */
  urls: readonly string[]
  /** TronGrid's key. */
  apiKey?: string | undefined
  /** Request limits of each endpoint. */
  budget?: Budget | undefined
  /** Ask tokens for name, symbol and decimals. @default true */
  tokenMetadata?: boolean
  /** Time between two polls of the head, ms. @default the block time, at most 3_000 */
  pollMs?: number
  /** How long the final block is cached, ms. @default three block times */
  finalEveryMs?: number
  /** Pause after a refusal of too many calls without `Retry-After`, ms. @default 30_000 */
  limitPauseMs?: number
  /** With several hosts: how long one has to be the only one that answers before its final block is accepted, ms. */
  aloneAfterMs?: number | undefined
}

/** A source that can also return undecoded blocks, for tests. */
export type TronSource = Source & {
  /** The block as nodes returned it, checked but not decoded. */
  raw: (at: { number: number; hash?: string }, signal?: AbortSignal) => Promise<RawTron | undefined>
  rotate: () => void
}

const MAX_POLL_MS = 3_000
const MIN_ATTEMPTS = 8
const ATTEMPTS_EACH = 3

/** The chain id is the last four bytes of the first block's id. */
const CHAIN_ID_DIGITS = 8
const firstBlock = z.looseObject({ blockID: z.string().regex(/^[0-9a-f]{64}$/i) })

/**
 * A source for a chain of the TRON family behind the HTTP API of its nodes.
 * @throws OperatorError ASSAY_SOURCE_NO_HTTP when no URL is http(s).
 */
export const createTronSource = ({
  context,
  network,
  urls,
  apiKey,
  budget,
  tokenMetadata = true,
  aloneAfterMs,
  ...rest
}: TronSourceOptions): TronSource => {
  const info = networkInfo(network)
  const { keyedProvider } = familyOf(network)
  const http = urls.filter((url) => /^https?:/.test(url))
  if (http.length === 0) {
    throw new OperatorError(
      'ASSAY_SOURCE_NO_HTTP',
      `${network}_RPC_URL names no http(s) URL, and blocks are fetched over HTTP. Nothing was started. Add one.`,
    )
  }
  const limits = { ...TRON_LIMITS, ...(rest.limitPauseMs !== undefined && { limitPauseMs: rest.limitPauseMs }) }
  const postTo = (url: string) =>
    createHttpApi(url, context.clock.now, { ...limits, headers: keyHeader(url, keyedProvider, apiKey) })
  const pool = createRpcPool({ context, network, urls: http, budget, postTo })
  const pollMs = rest.pollMs ?? Math.min(MAX_POLL_MS, info.blockTimeMs)
  const finalEveryMs = rest.finalEveryMs ?? 3 * info.blockTimeMs
  const heads = createTronHeads({ context, network, pool, info, pollMs, finalEveryMs, aloneAfterMs })
  const attempts = Math.max(MIN_ATTEMPTS, ATTEMPTS_EACH * pool.hosts.length)

  const views = async (calls: readonly View[], signal?: AbortSignal) => {
    const options = { signal, attempts: 3, deadlineMs: 10_000 }
    const outcomes = await pool.attempt((node) => node.batch(calls.map(viewCall)), options)
    return outcomes.map(viewOutcome)
  }
  const tokens = tokenMetadata ? createTokenLookup({ views, window: info.reorgWindow }) : undefined
  /** Hosts that have returned an internal transaction. Whether a node keeps them is a setting that it does not disclose. */
  const keepsInternal = new Set<string>()

  const fetchBlock = async (node: Node, at: { number: number; hash?: string }): Promise<RawTron> => {
    const block = heads.take(at.number, at.hash) ?? (await askBlockAt(node, at))
    const infos = await askInfos(node, block)
    if (infos.some((one) => one.internal_transactions.length > 0)) keepsInternal.add(node.host)
    return { block, infos, showsInternal: keepsInternal.has(node.host) }
  }

  const raw: TronSource['raw'] = (at, signal) =>
    orAbsent(heads.pool.attempt((node) => retryOnOther(fetchBlock(node, at)), { signal, attempts }))

  const chainIdOf = async (node: Node): Promise<number> => {
    const [outcome] = await node.batch([{ method: 'wallet/getblockbynum', params: [{ num: 0 }] }])
    const { blockID } = read(outcome, firstBlock, 'first block')
    return Number.parseInt(blockID.slice(-CHAIN_ID_DIGITS), 16)
  }

  return {
    network,
    head: heads.head,
    finalizedHead: heads.finalizedHead,
    ref: heads.ref,
    onHead: heads.onHead,
    raw,
    rotate: pool.rotate,
    verify: (signal) => verifyChain(network, pool, chainIdOf, signal),
    block: async (at, signal) => {
      const found = await raw(at, signal)
      if (!found) return undefined
      const shown = tokensIn(found.infos.map(({ log }) => ({ logs: log.map(logOf) })))
      const metadata = await tokens?.forBlock(at.number, shown, signal)
      return decodeTronBlock(network, found, metadata)
    },
    close: async () => undefined,
  }
}
