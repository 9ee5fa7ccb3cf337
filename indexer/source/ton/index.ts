/**
 * TON behind the HTTP API of its nodes. A block is a masterchain block with all shard blocks that it made final: see
 * docs/adr/0014-ton-blocks-are-the-masterchains.md.
 */
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../platform/context/context.ts'
import { publicUrl } from '../../../platform/context/log.ts'
import { OperatorError } from '../../../platform/errors.ts'
import type { Budget } from '../../../platform/rpc/budget.ts'
import { RpcAbsent, RpcInconsistent } from '../../../platform/rpc/errors.ts'
import { createHttpApi } from '../../../platform/rpc/http-api.ts'
import { createRpcPool, type Node } from '../../../platform/rpc/pool.ts'
import { familyOf, type Network, networkInfo } from '../../../schema/networks.ts'
import { orAbsent, retryOnOther } from '../answers.ts'
import { keyHeader } from '../provider-key.ts'
import type { Source } from '../source.ts'
import type { TonApi } from './api.ts'
import { createContractChecks } from './contracts/checks.ts'
import { decodeTonBlock } from './decode/index.ts'
import { createTonHeads, refOf } from './heads.ts'
import type { BlockId, Contracts, RawTon } from './raw.ts'
import { walkShards } from './shards.ts'
import { createV2 } from './v2/api.ts'
import { createV3 } from './v3/api.ts'

/** Which endpoints to read. Their URLs determine the API version. */
export type TonSourceOptions = {
  context: Pick<Context, 'clock' | 'log' | 'metrics'>
  network: Network
  /** http(s) URLs of API version 2, with or without `/jsonRPC`, or of version 3, which end in `/api/v3`. */
  urls: readonly string[]
  /** toncenter's key. */
  apiKey?: string | undefined
  /** Request limits of each endpoint. */
  budget?: Budget | undefined
  /** Ask jettons for name, symbol and decimals. @default true */
  tokenMetadata?: boolean
  /** Time between two polls of the head, ms. @default the block time */
  pollMs?: number
  /** Pause after a refusal of too many calls without `Retry-After`, ms. @default 1_000 */
  limitPauseMs?: number
  /** With several hosts: how long one has to be the only one that answers before its final block is accepted, ms. */
  aloneAfterMs?: number | undefined
}

/** A source that can also return undecoded blocks with their confirmed contracts, for tests. */
export type TonSource = Source & {
  /** The block as nodes returned it, checked but not decoded. */
  raw: (
    at: { number: number; hash?: string },
    signal?: AbortSignal,
  ) => Promise<{ block: RawTon; contracts: Contracts } | undefined>
  rotate: () => void
}

const MIN_ATTEMPTS = 8
const ATTEMPTS_EACH = 3
/** Newest shard blocks are cached for the next masterchain block. */
const KEPT_TIPS = 256

/** Base URL. A URL of version 2 may include the path of its calls, which is removed. */
const baseOf = (url: string): string => {
  const target = new URL(url)
  target.pathname = target.pathname.replace(/\/jsonRPC\/?$/, '').replace(/\/+$/, '')
  return target.href
}
const isV3 = (url: string): boolean => /\/api\/v3$/.test(new URL(url).pathname)

/** API version of each host. Two URLs of one host count once; if one of them is of version 2, only that is used. */
const versionsOf = (urls: readonly string[], zeroState: string) => {
  const [v2, v3] = [createV2({ zeroState }), createV3({ zeroState })]
  const inBytes = new Set(urls.filter((url) => !isV3(url)).map(publicUrl))
  const asked = urls.filter((url) => !isV3(url) || !inBytes.has(publicUrl(url)))
  return { urls: asked, apis: new Map(asked.map((url) => [publicUrl(url), isV3(url) ? v3 : v2])), otherwise: v2 }
}

/**
 * A source for a chain of the TON family behind toncenter's API, version 2 or 3.
 * @throws OperatorError ASSAY_SOURCE_NO_HTTP when no URL is http(s).
 */
export const createTonSource = ({
  context,
  network,
  urls,
  apiKey,
  budget,
  tokenMetadata = true,
  aloneAfterMs,
  limitPauseMs = 1_000,
  ...rest
}: TonSourceOptions): TonSource => {
  const info = networkInfo(network)
  const { keyedProvider } = familyOf(network)
  const http = urls.filter((url) => /^https?:/.test(url)).map(baseOf)
  const versions = versionsOf(http, info.genesisHash ?? '')
  const apiOf = ({ host }: Pick<Node, 'host'>): TonApi => versions.apis.get(host) ?? versions.otherwise
  if (http.length === 0) {
    throw new OperatorError(
      'ASSAY_SOURCE_NO_HTTP',
      `${network}_RPC_URL names no http(s) URL, and blocks are fetched over HTTP. Nothing was started. Add one.`,
    )
  }
  const postTo = (url: string) => {
    const { http: spelling } = apiOf({ host: publicUrl(url) })
    const headers = { ...spelling.headers, ...keyHeader(url, keyedProvider, apiKey) }
    return createHttpApi(url, context.clock.now, { ...spelling, limitPauseMs, headers })
  }
  const pool = createRpcPool({ context, network, urls: versions.urls, budget, postTo })
  const heads = createTonHeads({ context, network, pool, apiOf, aloneAfterMs })
  const contractChecks = createContractChecks({ named: tokenMetadata, apiOf })
  const attempts = Math.max(MIN_ATTEMPTS, ATTEMPTS_EACH * pool.hosts.length)
  /** By host and height, so that one host's invention is never taken for another's knowledge. */
  const tips = new LRUCache<string, Promise<BlockId[]>>({ max: KEPT_TIPS })

  /** Asks once, also while neighbouring blocks are fetched concurrently. A failure only affects its caller; others ask again. */
  const tipsAt = async (node: Node, number: number): Promise<BlockId[]> => {
    // The zero state has shards without blocks.
    if (number <= 0) return []
    const name = `${node.host} ${number}`
    const kept = await tips.get(name)?.catch(() => undefined)
    if (kept) return kept
    const asked = apiOf(node).tips(node, number)
    tips.set(name, asked)
    try {
      return await asked
    } catch (error) {
      if (tips.get(name) === asked) tips.delete(name)
      throw error
    }
  }

  const fetchBlock = async (node: Node, { number, hash }: { number: number; hash?: string }): Promise<RawTon> => {
    const [header, known, newest] = await Promise.all([
      heads.headerAt(node, number),
      tipsAt(node, number - 1),
      tipsAt(node, number),
    ])
    const ref = refOf(header)
    // There is no request by hash, and blocks are never replaced: another hash means another chain.
    if (hash !== undefined && hash !== ref.hash) throw new RpcAbsent(`block ${hash}`)
    if (number === 0) return { ...ref, blocks: [], transactions: [] }
    const api = apiOf(node)
    const shardBlocks = await walkShards(newest, known, (ids) => api.headers(node, ids, { seqno: number, known }))
    const blocks = [header, ...shardBlocks]
    return { ...ref, blocks, transactions: await api.transactions(node, blocks) }
  }

  const consistent = async (node: Node, at: { number: number; hash?: string }) => {
    try {
      const block = await fetchBlock(node, at)
      return { block, contracts: await contractChecks.forBlock(node, at.number, block.transactions) }
    } catch (error) {
      if (error instanceof RpcInconsistent) {
        heads.forget(node, at.number)
        for (const number of [at.number - 1, at.number]) tips.delete(`${node.host} ${number}`)
      }
      throw error
    }
  }

  const raw: TonSource['raw'] = (at, signal) =>
    orAbsent(heads.pool.attempt((node) => retryOnOther(consistent(node, at)), { signal, attempts }))

  const byNumber = versions.urls.filter(isV3).length
  const hosts = versions.urls.length
  const whose = hosts === 1 ? 'its host answers' : `${byNumber} of ${hosts} hosts answer${byNumber === 1 ? 's' : ''}`
  const unproved = [
    `${whose} as version 3 of toncenter's API, which names parents of blocks by number and the chain by global_id, so that no hash binds blocks to their parents; add an endpoint of version 2`,
  ]

  return {
    network,
    ...(byNumber > 0 && { unproved: () => unproved }),
    head: heads.head,
    finalizedHead: heads.finalizedHead,
    ref: heads.ref,
    raw,
    rotate: pool.rotate,
    verify: heads.verify,
    block: async (at, signal) => {
      const found = await raw(at, signal)
      return found && decodeTonBlock(network, found.block, found.contracts)
    },
    onHead: (notify) => {
      const timer = setInterval(notify, rest.pollMs ?? info.blockTimeMs)
      return () => clearInterval(timer)
    },
    close: async () => undefined,
  }
}
