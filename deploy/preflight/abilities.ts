/** Checks which data a node provides. What it lacks appears as unknown in verdicts. */
import { z } from 'zod'
import type { Source } from '../../indexer/source/source.ts'
import { isAssayError, messageOf } from '../../platform/errors.ts'
import type { Network } from '../../schema/networks.ts'
import { networkInfo } from '../../schema/networks.ts'
import type { Call } from './endpoint.ts'

const block = z.looseObject({ number: z.string(), hash: z.string(), timestamp: z.string() })
type Block = z.output<typeof block>

/** Result of the check of one node. */
export type Abilities = {
  /** Properties of the node, as text. */
  lines: string[]
  /** What the node lacks, and the consequences. */
  warnings: string[]
}

const hex = (number: number): string => `0x${number.toString(16)}`

const tryCall = async <T>(
  call: Call,
  method: string,
  params: readonly unknown[],
  schema: z.ZodType<T>,
): Promise<T | undefined> => {
  try {
    return schema.safeParse(await call(method, params)).data
  } catch {
    return undefined
  }
}

/** First block with a log of a registered authority. */
const firstLogOf = (network: Network): number | undefined => {
  const { facts } = networkInfo(network)
  const known = [...facts.sanctionsOracles, ...facts.issuers].flatMap((one) => ('since' in one && one.since) || [])
  return known.length > 0 ? Math.min(...known) : undefined
}

const traced = async (call: Call, { number, hash }: Block): Promise<boolean> => {
  const any = z.array(z.unknown())
  if (await tryCall(call, 'trace_block', [number], any)) return true
  return (await tryCall(call, 'debug_traceBlockByHash', [hash, { tracer: 'callTracer' }], any)) !== undefined
}

/** Required data: blocks from a start block, else a number of blocks behind the head, and logs of authorities. */
export type Wanted = {
  startBlock: number | undefined
  historyBlocks: number
  authorityLogs: 'required' | 'optional' | 'off'
}

const NOTHING: Abilities = { lines: [], warnings: ['it does not return its newest block; it may be starting'] }

/** Warnings about the height of a node, and about a missing first block. */
const warningsOfPlace = (
  network: Network,
  { height, age, first, hasFirst }: { height: number; age: number; first: number; hasFirst: boolean },
): string[] => {
  const stale = age > Math.max(600, (networkInfo(network).blockTimeMs * 20) / 1_000)
  return [
    ...(stale ? [`its newest block is ${Math.round(age / 60)} min old; it may be catching up`] : []),
    ...(first > height
      ? [`it is at block ${height}, below ${network}_START_BLOCK=${first}; indexing waits for it`]
      : []),
    ...(hasFirst
      ? []
      : [
          `it does not return block ${first}, where indexing begins; use a node that keeps old blocks, or a later ${network}_START_BLOCK`,
        ]),
  ]
}

/**
 * Checks a node of an EVM network.
 * @param now Unix seconds
 */
export const abilitiesOf = async (network: Network, call: Call, wanted: Wanted, now: number): Promise<Abilities> => {
  const head = await tryCall(call, 'eth_getBlockByNumber', ['latest', false], block)
  if (!head) return NOTHING
  const height = Number(head.number)
  const age = Math.max(0, now - Number(head.timestamp))
  const first = wanted.startBlock ?? Math.max(0, height - wanted.historyBlocks)
  const since = firstLogOf(network)
  const wantsLogs = wanted.authorityLogs !== 'off' && since !== undefined && since < height
  const [start, traces, logs] = await Promise.all([
    tryCall(call, 'eth_getBlockByNumber', [hex(Math.min(first, height)), false], block),
    networkInfo(network).traces ? traced(call, head) : true,
    wantsLogs ? tryCall(call, 'eth_getBlockByNumber', [hex(since), false], block) : true,
  ])
  const warnings = [
    ...warningsOfPlace(network, { height, age, first, hasFirst: start !== undefined }),
    ...(traces
      ? []
      : [
          'it returns no traces (trace_block, debug_traceBlockByHash): internal transfers are missing, and what depends on them is unknown',
        ]),
    ...(logs
      ? []
      : [
          `it has pruned blocks as old as ${since}, so logs of sanctions lists and issuers may be incomplete${wanted.authorityLogs === 'required' ? ' and the network may never be ready; use a node that keeps them, or set ASSAY_AUTHORITY_LOGS=optional' : ''}`,
        ]),
  ]
  return {
    lines: [`chain ${networkInfo(network).chainId}, at block ${height}${traces ? ', with traces' : ''}`],
    warnings,
  }
}

/** Final blocks to check for internal transfers, because not every block has any. */
const CHECKED_BLOCKS = 5

/** Warns unless the newest final blocks are readable and one of them includes internal transfers. */
const warningsOfBlocks = async (source: Source, final: number, signal: AbortSignal): Promise<string[]> => {
  for (let number = final; number > final - CHECKED_BLOCKS && number >= 0; number -= 1) {
    try {
      const read = await source.block({ number }, signal)
      if (!read) return [`it does not return its final block ${number}`]
      if (read.rows.blocks[0]?.sees_traces === 1) return []
    } catch (error) {
      const what = isAssayError(error) ? `${error.code}: ${messageOf(error.cause ?? error)}` : messageOf(error)
      return [`its final block ${number} cannot be read, and indexing would wait there (${what})`]
    }
  }
  return [
    `its newest ${CHECKED_BLOCKS} final blocks contain no internal transfers of programs and contracts: such transfers are missing, and what depends on them is unknown`,
  ]
}

/**
 * Checks a node through the source of its network, for networks without Ethereum's JSON-RPC.
 * @param now Unix seconds
 */
export const abilitiesThrough = async (
  network: Network,
  source: Source,
  wanted: Pick<Wanted, 'startBlock' | 'historyBlocks'>,
  now: number,
  signal: AbortSignal,
): Promise<Abilities> => {
  const given = <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined)
  const [head, final] = await Promise.all([given(source.head(signal)), given(source.finalizedHead(signal))])
  if (!head) return NOTHING
  const first = wanted.startBlock ?? Math.max(0, head.number - wanted.historyBlocks)
  const start = first > head.number || (await given(source.ref(first, signal))) !== undefined
  const place = { height: head.number, age: Math.max(0, now - head.time), first, hasFirst: start }
  return {
    lines: [`at block ${head.number}${final ? `, final up to ${final.number}` : ''}`],
    warnings: [
      ...warningsOfPlace(network, place),
      ...(source.unproved?.() ?? []),
      ...(final ? await warningsOfBlocks(source, final.number, signal) : ['it does not return its final block']),
    ],
  }
}
