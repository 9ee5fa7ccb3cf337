/**
 * Asks the authorities of a network themselves, at the head, whether they list an address: `isSanctioned`, `isBlacklisted`
 * and the like, all in one batch. What they say counts beside their logs; no answer is not an acquittal.
 */
import { z } from 'zod'
import { steadyTime } from '../../../platform/context/clock.ts'
import type { Context } from '../../../platform/context/context.ts'
import { messageOf } from '../../../platform/errors.ts'
import { RpcError, RpcInconsistent } from '../../../platform/rpc/errors.ts'
import type { RpcPool } from '../../../platform/rpc/pool.ts'
import type { Call, Outcome } from '../../../platform/rpc/post.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { type AuthorityQuestion, authorityQuestionsOf } from '../../../schema/registry/authorities.ts'

/** The address is listed, at the head, by the word of the authority itself. */
export type HeadListing = AuthorityQuestion & { block: number; blockHash: string; time: number }

/**
 * What the authorities of a network answered together. One that has no such question, so that only its log knows, is in
 * none of the sets.
 */
type HeadAnswer = {
  listings: HeadListing[]
  /** Authorities that said that they do not list it, and contracts that are not there. */
  clear: ReadonlySet<string>
  /** Those among them that said so themselves: who once listed an address cannot be gone. */
  denied: ReadonlySet<string>
  /** Height of the answer. */
  height: number
}

/** `undefined` stands for a network whose authorities nobody can be asked about. */
export type Asked = { answer: HeadAnswer } | { failure: string } | undefined

/** Asks about one address and never throws: a failure is an answer, which leaves the verdict as open as the logs do. */
export type AskAuthorities = (network: Network, address: string) => Promise<Asked>

const DEADLINE_MS = 1_500
const TIMEOUT_MS = 1_000
/** After a failure nobody waits for the endpoints again for this long. */
const PAUSE_MS = 5_000

const head = z.looseObject({
  number: z.string().startsWith('0x'),
  hash: z.string().startsWith('0x'),
  timestamp: z.string().startsWith('0x'),
})
const word = z.string().regex(/^0x[\da-f]*$/i)

const callOf = ({ authority, selector }: AuthorityQuestion, address: string): Call => ({
  method: 'eth_call',
  params: [{ to: authority, data: `${selector}${address.slice(2).padStart(64, '0')}` }, 'latest'],
})

/** `undefined`: the contract has no such question, and only its log knows. @throws RpcError, RpcInconsistent */
const saidBy = (outcome: Outcome | undefined): 'yes' | 'no' | 'nobody' | undefined => {
  if (!outcome) throw new RpcInconsistent('shape', 'no answer')
  if ('error' in outcome) {
    if (outcome.error.kind === 'answer') return undefined
    throw outcome.error
  }
  const text = word.safeParse(outcome.result)
  if (!text.success) throw new RpcInconsistent('shape', 'a call was answered by no data')
  // No contract is there, so that nobody can be on its list.
  if (text.data === '0x') return 'nobody'
  const value = BigInt(text.data)
  if (text.data.length !== 66 || value > 1n) return undefined
  return value === 1n ? 'yes' : 'no'
}

/**
 * Asks all authorities in one batch of 1.5 s at most. After a failure the endpoints of a network rest for five seconds,
 * in which callers get the same failure at once.
 */
export const createAskAuthorities = (
  { clock, metrics }: Pick<Context, 'clock' | 'metrics'>,
  pools: Partial<Record<Network, RpcPool>>,
  { deadlineMs = DEADLINE_MS, timeoutMs = TIMEOUT_MS } = {},
): AskAuthorities => {
  const asked = metrics.counter(
    'assay_authority_questions_total',
    'Times authorities were asked at the head, by outcome',
    ['network', 'outcome'] as const,
  )
  const time = steadyTime(clock.now)
  const failures = new Map<Network, { at: number; why: string }>()

  const ask = (pool: RpcPool, questions: readonly AuthorityQuestion[], address: string): Promise<HeadAnswer> =>
    pool.attempt(
      async (node) => {
        const [newest, ...answers] = await node.batch([
          { method: 'eth_getBlockByNumber', params: ['latest', false] },
          ...questions.map((question) => callOf(question, address)),
        ])
        if (newest && 'error' in newest) throw new RpcError('transient', newest.error.rpcCode, newest.error.message)
        const block = head.safeParse(newest?.result)
        if (!block.success) throw new RpcInconsistent('shape', 'there is no newest block')
        const said = questions.map((question, index) => ({ question, word: saidBy(answers[index]) }))
        const who = (...words: ReturnType<typeof saidBy>[]) =>
          new Set(said.flatMap(({ question, word }) => (words.includes(word) ? [question.authority] : [])))
        const at = { block: Number(block.data.number), blockHash: block.data.hash, time: Number(block.data.timestamp) }
        return {
          height: at.block,
          listings: said.flatMap(({ question, word }) => (word === 'yes' ? [{ ...question, ...at }] : [])),
          clear: who('no', 'nobody'),
          denied: who('no'),
        }
      },
      { deadlineMs, timeoutMs, attempts: 2 * pool.hosts.length },
    )

  const bounded = async <T>(work: Promise<T>): Promise<T> => {
    const timer = new AbortController()
    work.catch(() => undefined)
    const late = clock.sleep(deadlineMs, timer.signal).then(() => {
      throw new RpcInconsistent('late', `no answer within ${deadlineMs} ms`)
    })
    late.catch(() => undefined)
    try {
      return await Promise.race([work, late])
    } finally {
      timer.abort()
    }
  }

  return async (network, address) => {
    const questions = authorityQuestionsOf(network)
    const pool = pools[network]
    if (!pool || questions.length === 0 || networkInfo(network).dialect === null) return undefined
    const before = failures.get(network)
    if (before && time() - before.at < PAUSE_MS) return { failure: before.why }
    try {
      const answer = await bounded(ask(pool, questions, address))
      asked.inc({ network, outcome: 'answered' })
      failures.delete(network)
      return { answer }
    } catch (error) {
      asked.inc({ network, outcome: 'failed' })
      const why = messageOf(error)
      failures.set(network, { at: time(), why })
      return { failure: why }
    }
  }
}
