/**
 * Logs of a range of blocks from one node, checked: each is in the range, of an address and an event that were asked for, and
 * of the block that its neighbours are of. The last block's header comes from the same node, so that a node that lags or
 * answers from several backends is noticed.
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
/** A log as `eth_getLogs` gives it. */
export type FoundLog = z.output<typeof foundLog>
const logList = z.array(foundLog)

/** `topics` by position: alternatives, or `null` for any. Without `addresses`, logs of every contract. Lower case. */
export type LogFilter = { addresses?: readonly string[]; topics: readonly (readonly string[] | null)[] }

const EVERY_LOG: LogFilter = { topics: [] }

type Answer = { kind: 'logs'; logs: FoundLog[]; last: RawHead } | { kind: 'refused'; refusal: Refusal }

const inconsistent = (message: string) => new RpcInconsistent('logs', message)

/** Calls in one POST; one by one where the server answers the POST as a whole with an HTTP error, whose text is lost. */
const together = async (node: Node, calls: readonly Call[]): Promise<Outcome[]> => {
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

/** A refusal that is about the range; everything else is thrown. */
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
    if (addresses && !addresses.has(log.address.toLowerCase())) throw inconsistent(`nobody asked for ${log.address}`)
    if (!topics.every((some, at) => some === null || some.has((log.topics[at] ?? '').toLowerCase()))) {
      throw inconsistent('nobody asked for such an event')
    }
    const hash = log.blockHash.toLowerCase()
    const known = hashes.get(number) ?? hash
    if (known !== hash) throw inconsistent(`block ${number} is ${known} and ${hash}`)
    hashes.set(number, hash)
  }
}

/**
 * Logs that pass any of the filters, all in one POST; every log without filters. A log that passes two comes twice.
 * @throws RpcInconsistent, RpcAbsent, RpcError, RpcTransportError: another node may do better.
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
  const outcomes = await together(node, [...calls, { method: 'eth_getBlockByNumber', params: [quantity(to), false] }])
  const found = outcomes.slice(0, filters.length)
  for (const outcome of found) if ('error' in outcome) return refused(outcome.error)
  const lists = found.map((outcome) => read(outcome, logList, `logs of blocks ${from} to ${to}`))
  const last = headerOf(outcomes[filters.length], to)
  for (const [nth, filter] of filters.entries()) check(lists[nth] ?? [], from, last, filter)
  return { kind: 'logs', logs: lists.flat(), last }
}

/** Headers of consecutive blocks, `undefined` for those the node does not have. */
export const askHeaders = async (node: Node, from: number, count: number): Promise<(RawHead | undefined)[]> => {
  const numbers = Array.from({ length: count }, (_, index) => from + index)
  const calls = numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [quantity(number), false] }))
  const outcomes = await together(node, calls)
  return outcomes.map((outcome, index) => {
    if ('error' in outcome && refusalOf(outcome.error)?.kind === 'pruned') return undefined
    const head = read(outcome, rawHead.nullable(), 'header')
    if (head !== null && Number(head.number) !== numbers[index]) throw inconsistent('another block was answered')
    return head ?? undefined
  })
}

const bloomOf = createBloom()

const bitsOf = (bloom: string): bigint => BigInt(/^0x[\da-f]+$/i.test(bloom) ? bloom : '0x0')

/** Whether a header announces logs at all. Without a bloom nothing is announced. */
export const announcesLogs = ({ logsBloom }: RawHead): boolean => bitsOf(logsBloom ?? '0x0') !== 0n

/** Whether the logs are all that the header announces, as far as its bloom shows: a missing one leaves bits unset. */
export const coversBloom = ({ logsBloom }: RawHead, logs: readonly FoundLog[]): boolean =>
  (bitsOf(logsBloom ?? '0x0') & ~bitsOf(bloomOf(logs))) === 0n

/** Whether the header announces the log: a log that nobody wrote is in no bloom. */
export const announces = ({ logsBloom }: RawHead, log: Pick<FoundLog, 'address' | 'topics'>): boolean =>
  typeof logsBloom !== 'string' || (bitsOf(bloomOf([log])) & ~bitsOf(logsBloom)) === 0n
