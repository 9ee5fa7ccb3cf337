/**
 * Batches the JSON-RPC questions of one turn of the event loop. Each kind (small reads, logs, short simulations) has
 * its own lane, so that quick questions never wait for slow ones. Long simulations are sent alone, because a node may
 * answer a batch sequentially.
 */
import type { Requester } from './call.ts'

/** One JSON-RPC question, without an id. */
export type Question = { method: string; params: unknown[] }
/** Result of one question of a batch, independent of the others. */
export type Answer = { result: unknown } | { error: Error }
/** A requester that can also send a batch. Answers come in the order of the questions. */
export type BatchRequester = Requester & { batch: (questions: Question[]) => Promise<Answer[]> }

type Lane = 'reads' | 'logs' | 'simulations'
/** Maximum number of questions in one batch. Simulations are some 30 KB each. */
const MAX_BATCH: Record<Lane, number> = { reads: 100, logs: 10, simulations: 8 }
/** Length of call data (characters) above which a simulation is sent alone: the script is the work. */
const LONG = 6_000
const ALONE = new Set(['eth_simulateV1', 'eth_createAccessList'])

const dataOf = (call: unknown): string =>
  typeof call === 'object' && call !== null && 'data' in call && typeof call.data === 'string' ? call.data : ''

const laneOf = ({ method, params }: Question): Lane | undefined => {
  if (ALONE.has(method)) return undefined
  if (method === 'eth_getLogs') return 'logs'
  if (method !== 'eth_call' || params.length < 3) return 'reads'
  return dataOf(params[0]).length > LONG ? undefined : 'simulations'
}

type Waiting = { question: Question; resolve: (result: unknown) => void; reject: (error: unknown) => void }

/** Wraps a requester so that questions of one turn are batched. */
export const batched = (rpc: BatchRequester): Requester => {
  let waiting = new Map<Lane, Waiting[]>()
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
    waiting = new Map()
    for (const [lane, list] of all) {
      for (let at = 0; at < list.length; at += MAX_BATCH[lane]) void flush(list.slice(at, at + MAX_BATCH[lane]))
    }
  }
  return {
    request: (question) => {
      const lane = laneOf(question)
      if (!lane) return rpc.request(question)
      return new Promise((resolve, reject) => {
        if (waiting.size === 0) setImmediate(flushAll)
        waiting.set(lane, [...(waiting.get(lane) ?? []), { question, resolve, reject }])
      })
    },
  }
}
