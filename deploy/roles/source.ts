/** Opens the chain source of a network with its configured endpoints. */
import { decodeBlock } from '../../indexer/source/evm/decode/index.ts'
import { createEvmSource } from '../../indexer/source/evm/index.ts'
import { type BlockReader, createBlockReader } from '../../indexer/source/evm/threads/reader.ts'
import { decodeBlock as decodeSolanaBlock } from '../../indexer/source/solana/decode/index.ts'
import { createSolanaSource } from '../../indexer/source/solana/index.ts'
import type { Source } from '../../indexer/source/source.ts'
import { createTonSource } from '../../indexer/source/ton/index.ts'
import { createTronSource } from '../../indexer/source/tron/index.ts'
import type { Config, ConfiguredNetwork } from '../../platform/config/config.ts'
import type { Context } from '../../platform/context/context.ts'
import { OperatorError } from '../../platform/errors.ts'
import { createRpcPool, type RpcPool } from '../../platform/rpc/pool.ts'
import type { AddressFamily } from '../../schema/networks/families.ts'
import { type Network, networkInfo } from '../../schema/networks.ts'

/** An open source. `pool` holds HTTP endpoints for Ethereum's JSON-RPC; undefined if there are none. */
export type OpenedSource = {
  source: Source
  pool: RpcPool | undefined
  startBlock: number | undefined
  /** Source for single past blocks, with the same endpoints; undefined without a pool. */
  pastSource: Source | undefined
}

/** Configuration of a source, for all families. */
type Given = ConfiguredNetwork & {
  context: Context
  tokenMetadata: boolean
  aloneAfterMs: number | undefined
  pool?: RpcPool
  reader?: BlockReader | undefined
}

/** Constructors of sources by family. */
const FAMILIES: Record<AddressFamily, (given: Given) => Source> = {
  evm: (given) => createEvmSource({ ...given, decode: decodeBlock }),
  tron: ({ apiKey, ...given }) => createTronSource({ ...given, apiKey: apiKey?.reveal() }),
  ton: ({ apiKey, ...given }) => createTonSource({ ...given, apiKey: apiKey?.reveal() }),
  solana: (given) => createSolanaSource({ ...given, decode: decodeSolanaBlock }),
}

/** Opens the threads that read blocks of all networks of the process. The lifecycle closes them. */
export const openBlockReader = (context: Context, config: Config): BlockReader => {
  const threads = config.ASSAY_INDEX_THREADS
  const reader = createBlockReader(context, threads === undefined ? {} : { threads })
  context.lifecycle.onClose('threads that read blocks', reader.close)
  return reader
}

/**
 * Opens the source of a network, and closes it with the lifecycle.
 * @param reader reads blocks in threads
 * @throws OperatorError ASSAY_CONFIG_NO_SOURCE for a network without endpoints
 */
export const openSource = (
  context: Context,
  config: Config,
  network: Network,
  { tokenMetadata = config.ASSAY_TOKEN_METADATA, reader }: { tokenMetadata?: boolean; reader?: BlockReader } = {},
): OpenedSource => {
  const given = config.networks.find((one) => one.network === network)
  const open = FAMILIES[networkInfo(network).family]
  if (!given) {
    throw new OperatorError(
      'ASSAY_CONFIG_NO_SOURCE',
      `${network} has no endpoint, so it was not started. Set ${network}_RPC_URL.`,
    )
  }
  const http = given.urls.filter((url) => url.startsWith('http'))
  const shared = http.length > 0 && networkInfo(network).dialect !== null
  const pool = shared ? createRpcPool({ context, network, urls: http, budget: given.budget }) : undefined
  const aloneAfter = config.ASSAY_LONE_FINALITY_SECONDS
  const aloneAfterMs = aloneAfter === undefined ? undefined : aloneAfter * 1_000
  const source = open({ ...given, context, tokenMetadata, aloneAfterMs, reader, ...(pool && { pool }) })
  context.lifecycle.onClose(`source ${network}`, () => source.close())
  // Token names are fetched only once per token. Past blocks must not fetch them, else the stream would never publish them.
  const past = { ...given, context, tokenMetadata: false, aloneAfterMs }
  const pastSource = pool && open({ ...past, pool })
  if (pastSource) context.lifecycle.onClose(`past of ${network}`, () => pastSource.close())
  return { source, pool, startBlock: given.startBlock, pastSource }
}
