/**
 * Many questions, few round trips: those of one turn of the event loop travel in one JSON-RPC batch with their like, so
 * that a quick question never waits for a slow one: small reads, logs, short simulations. Long simulations go alone,
 * because a node may answer a batch one by one.
 */
import type { Requester } from './call.ts'

/** One JSON-RPC question, without an id. */
export type Question = { method: string; params: unknown[] }
/** What came of one question of a batch: the others are answered whatever became of it. */
export type Answer = { result: unknown } | { error: Error }
/** A requester that can also ask several things at once; answers come in the order of the questions. */
export type BatchRequester = Requester & { batch: (questions: Question[]) => Promise<Answer[]> }

type Lane = 'reads' | 'logs' | 'simulations'
/** Questions in one batch at most. Simulations are some 30 KB each. */
const MOST: Record<Lane, number> = { reads: 100, logs: 10, simulations: 8 }
/** Characters of call data above which a simulation goes alone: the work is in the script. */
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

/** The same requester, questions of one turn put together. */
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
      for (let at = 0; at < list.length; at += MOST[lane]) void flush(list.slice(at, at + MOST[lane]))
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
