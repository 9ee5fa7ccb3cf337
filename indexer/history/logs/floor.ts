/**
 * From which block on an endpoint really has logs. Pruned nodes either say so (error 4444) or return nothing, which looks like
 * "no events". So each endpoint has to prove that it has the logs of the first block it is asked for: all logs of a block
 * whose header announces some have to make up the header's bloom.
 */
import type { Node } from '../../../platform/rpc/pool.ts'
import { announcesLogs, askHeaders, askLogs, coversBloom } from './logs.ts'

/** Number of headers searched for one that announces logs. */
const MAX_HEADERS = 16

/** `quiet`: no block there has logs, so nothing can be proved, and nothing can be missed. */
export type Proof = 'has' | 'lacks' | 'quiet'

/**
 * Whether the node has the logs of block `number` and of those after it.
 * @throws RpcInconsistent, RpcError, RpcTransportError if it cannot be determined now.
 */
export const proveLogsAt = async (node: Node, number: number, head: number): Promise<Proof> => {
  // Most blocks of a busy chain announce logs, so more headers are only fetched if the first does not.
  let headers = await askHeaders(node, number, 1)
  const more = Math.min(MAX_HEADERS - 1, head - number)
  if (headers[0] && !announcesLogs(headers[0]) && more > 0) headers = await askHeaders(node, number + 1, more)
  if (headers.includes(undefined)) return 'lacks'
  const announcing = headers.find((header) => header !== undefined && announcesLogs(header))
  const at = announcing === undefined ? number : Number(announcing.number)
  const answer = await askLogs(node, at, at)
  if (answer.kind === 'refused' && answer.refusal.kind === 'pruned') return 'lacks'
  if (announcing === undefined) return 'quiet'
  // Too many logs for one answer are logs, too.
  return answer.kind === 'refused' || coversBloom(answer.last, answer.logs) ? 'has' : 'lacks'
}

/**
 * Lowest block from `from` on whose logs the node has; `head + 1` if it has none. Nodes keep the newest blocks, so this is a
 * binary search. Quiet blocks count as lacking if another block is lacking, and as present otherwise: a chain is quiet before
 * it is busy.
 */
export const lowestWithLogs = async (node: Node, from: number, head: number): Promise<number> => {
  const first = await proveLogsAt(node, from, head)
  if (first === 'has') return from
  let lacks = first === 'lacks'
  let without = from
  let low = head + 1
  while (low - without > 1) {
    const middle = Math.floor((without + low) / 2)
    const proof = await proveLogsAt(node, middle, head)
    if (proof === 'lacks') lacks = true
    if (proof === 'has') low = middle
    else without = middle
  }
  return lacks ? low : from
}
