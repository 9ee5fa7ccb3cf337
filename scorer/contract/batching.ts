/** Many small questions, few round trips: calls made in the same turn of the event loop travel in one JSON-RPC batch. */
import type { Requester } from './chain.ts'

export type Question = { method: string; params: unknown[] }
export type Answer = { result: unknown } | { error: Error }
/** A requester that can also ask several things at once; answers come in the order of the questions. */
export type BatchRequester = Requester & { batch: (questions: Question[]) => Promise<Answer[]> }

const MOST = 100
/** Work for the node, not for the wire: each goes alone, because a node may answer a batch one by one. */
const HEAVY = new Set(['eth_simulateV1', 'eth_getLogs', 'eth_createAccessList'])
const isHeavy = ({ method, params }: Question): boolean =>
  HEAVY.has(method) || (method === 'eth_call' && params.length > 2)

type Waiting = { question: Question; resolve: (result: unknown) => void; reject: (error: unknown) => void }

/** The same requester, small questions of one turn put together. */
export const batched = (rpc: BatchRequester): Requester => {
  let waiting: Waiting[] = []
  const flush = async (some: Waiting[]) => {
    try {
      const answers = await rpc.batch(some.map(({ question }) => question))
      for (const [i, { resolve, reject }] of some.entries()) {
        const answer = answers[i]
        if (!answer) reject(new Error('the batch was answered in part'))
        else if ('error' in answer) reject(answer.error)
        else resolve(answer.result)
      }
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
  }
  const flushAll = () => {
    const all = waiting
    waiting = []
    for (let at = 0; at < all.length; at += MOST) void flush(all.slice(at, at + MOST))
  }
  return {
    request: (question) => {
      if (isHeavy(question)) return rpc.request(question)
      return new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flushAll)
        waiting.push({ question, resolve, reject })
      })
    },
  }
}
