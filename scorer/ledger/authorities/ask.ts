/**
 * Asks the authorities of a network directly at the head whether they list an address (`isSanctioned`, `isBlacklisted` and the like), in
 * one batch. Their answers count in addition to their logs. A missing answer clears nothing.
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

/** A listing of the address that the authority confirmed at the head. */
export type HeadListing = AuthorityQuestion & { block: number; blockHash: string; time: number }

/** Answers of the authorities of a network. An authority without such a function, known by its log only, is in none of the sets. */
type HeadAnswer = {
  listings: HeadListing[]
  /** Authorities that do not list the address, and authority contracts that do not exist yet. */
  clear: ReadonlySet<string>
  /** Authorities that answered that they do not list the address. */
  denied: ReadonlySet<string>
  /** Height of the answer. */
  height: number
}

/** `undefined` if the authorities of the network cannot be asked. */
export type Asked = { answer: HeadAnswer } | { failure: string } | undefined

/** Asks about one address. Never throws: a failure leaves the verdict as uncertain as the logs do. */
export type AskAuthorities = (network: Network, address: string) => Promise<Asked>

const DEADLINE_MS = 1_500
const TIMEOUT_MS = 1_000
/** Pause after a failure, during which the endpoints are not asked again, ms. */
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

/** `undefined`: the contract has no such function, so only its log knows. @throws RpcError, RpcInconsistent */
const answerOf = (outcome: Outcome | undefined): 'yes' | 'no' | 'nobody' | undefined => {
  if (!outcome) throw new RpcInconsistent('shape', 'no answer')
  if ('error' in outcome) {
    if (outcome.error.kind === 'answer') return undefined
    throw outcome.error
  }
  const text = word.safeParse(outcome.result)
  if (!text.success) throw new RpcInconsistent('shape', 'a call was answered by no data')
  // There is no contract at the address, so nobody can be on its list.
  if (text.data === '0x') return 'nobody'
  const value = BigInt(text.data)
  if (text.data.length !== 66 || value > 1n) return undefined
  return value === 1n ? 'yes' : 'no'
}

/**
 * Creates a function that asks all authorities in one batch within 1.5 s. After a failure the endpoints of the network are not asked for
 * five seconds; callers get the same failure at once.
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
        const answered = questions.map((question, index) => ({ question, word: answerOf(answers[index]) }))
        const authoritiesWith = (...words: ReturnType<typeof answerOf>[]) =>
          new Set(answered.flatMap(({ question, word }) => (words.includes(word) ? [question.authority] : [])))
        const at = { block: Number(block.data.number), blockHash: block.data.hash, time: Number(block.data.timestamp) }
        return {
          height: at.block,
          listings: answered.flatMap(({ question, word }) => (word === 'yes' ? [{ ...question, ...at }] : [])),
          clear: authoritiesWith('no', 'nobody'),
          denied: authoritiesWith('no'),
        }
      },
      { deadlineMs, timeoutMs, attempts: 2 * pool.hosts.length },
    )

  const bounded = async <T>(work: Promise<T>): Promise<T> => {
    const timer = new AbortController()
    work.catch(() => undefined)
    const deadline = clock.sleep(deadlineMs, timer.signal).then(() => {
      throw new RpcInconsistent('late', `no answer within ${deadlineMs} ms`)
    })
    deadline.catch(() => undefined)
    try {
      return await Promise.race([work, deadline])
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
