/**
 * TON behind the HTTP API of its nodes. A block is one of the masterchain with all blocks of shards that it made final: see
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
import { createBelieved } from './contracts/believed.ts'
import { decodeTonBlock } from './decode/index.ts'
import { createTonHeads, refOf } from './heads.ts'
import type { BlockId, Contracts, RawTon } from './raw.ts'
import { walkShards } from './shards.ts'
import { createV2 } from './v2/api.ts'
import { createV3 } from './v3/api.ts'

/** Which endpoints TON is read from. Their URLs decide the version of the API. */
export type TonSourceOptions = {
  context: Pick<Context, 'clock' | 'log' | 'metrics'>
  network: Network
  /** http(s) URLs of the API's version 2, with or without `/jsonRPC`, or of its version 3, which end in `/api/v3`. */
  urls: readonly string[]
  /** toncenter's key. */
  apiKey?: string | undefined
  /** What each endpoint may be asked at most. */
  budget?: Budget | undefined
  /** Ask jettons for name, symbol and decimals. @default true */
  tokenMetadata?: boolean
  /** Time between two looks at the head, ms. @default the block time */
  pollMs?: number
  /** Pause after an answer that refuses calls as too many and names no time, ms. @default 1_000 */
  limitPauseMs?: number
  /** With several hosts, how long one has to be the only one that answers until its final block is taken, ms. */
  aloneAfterMs?: number | undefined
}

/**
 * A source whose blocks can also be had before they are decoded, with what their contracts are: tests look at those.
 */
export type TonSource = Source & {
  /** The block as nodes returned it, checked, not decoded. */
  raw: (
    at: { number: number; hash?: string },
    signal?: AbortSignal,
  ) => Promise<{ block: RawTon; contracts: Contracts } | undefined>
  rotate: () => void
}

const MIN_ATTEMPTS = 8
const ATTEMPTS_EACH = 3
/** Newest blocks of shards are kept for the block that comes next. */
const KEPT_TIPS = 256

/** Which version a URL names: version 3 where its path ends so. Version 2 is taken with and without the path that its calls go to. */
const baseOf = (url: string): string => {
  const target = new URL(url)
  target.pathname = target.pathname.replace(/\/jsonRPC\/?$/, '').replace(/\/+$/, '')
  return target.href
}
const isV3 = (url: string): boolean => /\/api\/v3$/.test(new URL(url).pathname)

/** The version that each host speaks. Two URLs of one host are one opinion: where one is of version 2, it is asked alone. */
const versionsOf = (urls: readonly string[], zeroState: string) => {
  const [v2, v3] = [createV2({ zeroState }), createV3({ zeroState })]
  const inBytes = new Set(urls.filter((url) => !isV3(url)).map(publicUrl))
  const asked = urls.filter((url) => !isV3(url) || !inBytes.has(publicUrl(url)))
  return { urls: asked, apis: new Map(asked.map((url) => [publicUrl(url), isV3(url) ? v3 : v2])), otherwise: v2 }
}

/**
 * A chain of the TON family behind toncenter's API, version 2 or 3.
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
  const spoken = versionsOf(http, info.genesisHash ?? '')
  const apiOf = ({ host }: Pick<Node, 'host'>): TonApi => spoken.apis.get(host) ?? spoken.otherwise
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
  const pool = createRpcPool({ context, network, urls: spoken.urls, budget, postTo })
  const heads = createTonHeads({ context, network, pool, apiOf, aloneAfterMs })
  const believed = createBelieved({ named: tokenMetadata, apiOf })
  const attempts = Math.max(MIN_ATTEMPTS, ATTEMPTS_EACH * pool.hosts.length)
  /** By host and height: each host's own word, so that nothing one made up is taken for what another knows. */
  const tips = new LRUCache<string, Promise<BlockId[]>>({ max: KEPT_TIPS })

  /** Asked once, also where neighbours are fetched side by side. A failure is nobody's but the asker's: others ask again. */
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
    // There is no question by hash, and no block that is replaced: another hash is another chain's.
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
      return { block, contracts: await believed.forBlock(node, at.number, block.transactions) }
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

  const byNumber = spoken.urls.filter(isV3).length
  const hosts = spoken.urls.length
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
