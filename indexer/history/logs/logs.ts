/**
 * Reads logs of a range of blocks from one node, and checks them: each is in the range, matches the filter, and has the same
 * block hash as the others of its block. The same node returns the last block's header, so that a lagging node, or one with
 * several backends, is detected.
 */
import { z } from 'zod'
import { RpcAbsent, RpcError, RpcInconsistent, RpcTransportError } from '../../../platform/rpc/errors.ts'
import type { Node } from '../../../platform/rpc/pool.ts'
import type { Call, Outcome } from '../../../platform/rpc/post.ts'
import { read } from '../../source/answers.ts'
import { createBloom } from '../../source/evm/bloom.ts'
import { quantity } from '../../source/evm/fetch.ts'
import { type RawHead, rawHead, rawLog } from '../../source/evm/raw.ts'
import { type Refusal, refusalOf } from './limits.ts'

const foundLog = rawLog.extend({ blockNumber: z.string().startsWith('0x') })
/** A log from `eth_getLogs`. */
export type FoundLog = z.output<typeof foundLog>
const logList = z.array(foundLog)

/** `topics` by position: alternatives, or `null` for any. Without `addresses`, logs of every contract. Lower case. */
export type LogFilter = { addresses?: readonly string[]; topics: readonly (readonly string[] | null)[] }

const EVERY_LOG: LogFilter = { topics: [] }

type Answer = { kind: 'logs'; logs: FoundLog[]; last: RawHead } | { kind: 'refused'; refusal: Refusal }

const inconsistent = (message: string) => new RpcInconsistent('logs', message)

/** Sends calls in one POST; one by one if the server refuses the POST with an HTTP error, which hides the error text. */
const inOnePost = async (node: Node, calls: readonly Call[]): Promise<Outcome[]> => {
  try {
    return await node.batch(calls)
  } catch (error) {
    if (!(error instanceof RpcTransportError) || error.failure !== 'http') throw error
    const outcomes: Outcome[] = []
    for (const call of calls) outcomes.push(...(await node.batch([call])))
    return outcomes
  }
}

const headerOf = (outcome: Outcome | undefined, number: number): RawHead => {
  const head = read(outcome, rawHead.nullable(), `header of block ${number}`)
  if (head === null) throw new RpcAbsent(`block ${number}`)
  if (Number(head.number) !== number) throw inconsistent(`asked for block ${number}, got ${Number(head.number)}`)
  return head
}

/** A refusal about the range; other errors are thrown. */
const refused = (error: RpcError): Answer => {
  const refusal = error.kind === 'limited' ? undefined : refusalOf(error)
  if (refusal) return { kind: 'refused', refusal }
  throw error.kind === 'answer' ? new RpcError('transient', error.rpcCode, error.message) : error
}

const check = (logs: readonly FoundLog[], from: number, last: RawHead, filter: LogFilter) => {
  const to = Number(last.number)
  const hashes = new Map<number, string>([[to, last.hash.toLowerCase()]])
  const addresses = filter.addresses && new Set(filter.addresses)
  const topics = filter.topics.map((some) => some && new Set(some))
  for (const log of logs) {
    const number = Number(log.blockNumber)
    if (!(number >= from && number <= to)) throw inconsistent(`a log of block ${number} came for ${from} to ${to}`)
    if (log.removed === true) throw inconsistent(`a log of block ${number} was removed by a reorg`)
    if (addresses && !addresses.has(log.address.toLowerCase()))
      throw inconsistent(`logs of ${log.address} were not requested`)
    if (!topics.every((some, at) => some === null || some.has((log.topics[at] ?? '').toLowerCase()))) {
      throw inconsistent('an event was not requested')
    }
    const hash = log.blockHash.toLowerCase()
    const known = hashes.get(number) ?? hash
    if (known !== hash) throw inconsistent(`block ${number} is ${known} and ${hash}`)
    hashes.set(number, hash)
  }
}

/**
 * Logs that match any of the filters, in one POST; every log without filters. A log that matches two filters comes twice.
 * @throws RpcInconsistent, RpcAbsent, RpcError, RpcTransportError: another node may succeed.
 */
export const askLogs = async (
  node: Node,
  from: number,
  to: number,
  filters: readonly LogFilter[] = [EVERY_LOG],
): Promise<Answer> => {
  const range = { fromBlock: quantity(from), toBlock: quantity(to) }
  const calls = filters.map(({ addresses, topics }) => ({
    method: 'eth_getLogs',
    params: [{ ...range, ...(addresses && { address: addresses }), ...(topics.length > 0 && { topics }) }],
  }))
  const outcomes = await inOnePost(node, [...calls, { method: 'eth_getBlockByNumber', params: [quantity(to), false] }])
  const found = outcomes.slice(0, filters.length)
  for (const outcome of found) if ('error' in outcome) return refused(outcome.error)
  const lists = found.map((outcome) => read(outcome, logList, `logs of blocks ${from} to ${to}`))
  const last = headerOf(outcomes[filters.length], to)
  for (const [nth, filter] of filters.entries()) check(lists[nth] ?? [], from, last, filter)
  return { kind: 'logs', logs: lists.flat(), last }
}

/** Headers of consecutive blocks, `undefined` for blocks that the node does not have. */
export const askHeaders = async (node: Node, from: number, count: number): Promise<(RawHead | undefined)[]> => {
  const numbers = Array.from({ length: count }, (_, index) => from + index)
  const calls = numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [quantity(number), false] }))
  const outcomes = await inOnePost(node, calls)
  return outcomes.map((outcome, index) => {
    if ('error' in outcome && refusalOf(outcome.error)?.kind === 'pruned') return undefined
    const head = read(outcome, rawHead.nullable(), 'header')
    if (head !== null && Number(head.number) !== numbers[index]) throw inconsistent('another block was answered')
    return head ?? undefined
  })
}

const bloomOf = createBloom()

const bitsOf = (bloom: string): bigint => BigInt(/^0x[\da-f]+$/i.test(bloom) ? bloom : '0x0')

/** Whether a header announces any logs. Without a bloom it does not. */
export const announcesLogs = ({ logsBloom }: RawHead): boolean => bitsOf(logsBloom ?? '0x0') !== 0n

/** Whether the logs make up the header's bloom: a missing log leaves bits unset. */
export const coversBloom = ({ logsBloom }: RawHead, logs: readonly FoundLog[]): boolean =>
  (bitsOf(logsBloom ?? '0x0') & ~bitsOf(bloomOf(logs))) === 0n

/** Whether the header's bloom contains the log. It never contains an invented one. */
export const announces = ({ logsBloom }: RawHead, log: Pick<FoundLog, 'address' | 'topics'>): boolean =>
  typeof logsBloom !== 'string' || (bitsOf(bloomOf([log])) & ~bitsOf(logsBloom)) === 0n
