/**
 * From which block on an endpoint really has logs. Pruned nodes say so (error 4444), or answer nothing for what they do not
 * have, which looks like "no events". So each endpoint has to prove that it has the logs of the first block it is asked for:
 * a block whose header announces logs is asked for all of them, and they have to make up the header's bloom.
 */
import type { Node } from '../../../platform/rpc/pool.ts'
import { announcesLogs, askHeaders, askLogs, coversBloom } from './logs.ts'

/** Headers looked at for one that announces logs. */
const LOOKED_AT = 16

/** `quiet`: no block there has logs, so nothing is proved, and nothing can be missed in it. */
export type Proof = 'has' | 'lacks' | 'quiet'

/**
 * Whether the node has the logs of block `number` and of those after it.
 * @throws RpcInconsistent, RpcError, RpcTransportError when it cannot be told now.
 */
export const proveLogsAt = async (node: Node, number: number, head: number): Promise<Proof> => {
  // Most blocks of a busy chain announce logs, so the others are asked for where the first does not.
  let headers = await askHeaders(node, number, 1)
  const more = Math.min(LOOKED_AT - 1, head - number)
  if (headers[0] && !announcesLogs(headers[0]) && more > 0) headers = await askHeaders(node, number + 1, more)
  if (headers.includes(undefined)) return 'lacks'
  const loud = headers.find((header) => header !== undefined && announcesLogs(header))
  const at = loud === undefined ? number : Number(loud.number)
  const answer = await askLogs(node, at, at)
  if (answer.kind === 'refused' && answer.refusal.kind === 'pruned') return 'lacks'
  if (loud === undefined) return 'quiet'
  // Too many logs for one answer are logs.
  return answer.kind === 'refused' || coversBloom(answer.last, answer.logs) ? 'has' : 'lacks'
}

/**
 * Lowest block from `from` on whose logs the node has; `head + 1` when it has none at all. What a node keeps is its newest
 * blocks, so halving finds it. Quiet blocks count as lacking where another block was found to be, and as there otherwise:
 * a chain is quiet before it is busy.
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
