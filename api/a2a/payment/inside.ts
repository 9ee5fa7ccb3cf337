/**
 * Payments in messages: the x402 extension in front of the agent. What is offered, verified, settled and replayed is what headers get
 * (`api/http/payment.ts`); here it is read from messages and put into tasks.
 *
 * 1. A message without key and payment, from a client that asks for the extension: the task is `input-required`, its payment
 *    `payment-required`. What is not a valid request is refused here, before anybody signs for it.
 * 2. A message with the id of that task and a payment: the task runs. It is `completed`, its payment `payment-completed`, once the money
 *    has moved. A task that failed is not charged: `payment-verified`, without a receipt.
 * 3. A payment that is refused leaves the task `input-required` with `payment-failed`, so that another one can be sent. One whose
 *    outcome is not known leaves it with `payment-submitted`: the same message has to be sent again, and no other payment signed.
 * 4. `payment-rejected` cancels the task.
 */
import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { OPERATIONS } from '../../../schema/records/operations.ts'
import type { Answer } from '../../answers/answer.ts'
import type { PaymentInside, PerformOne, RawAnswer } from '../../http/raw.ts'
import type { Caller } from '../../keys/caller.ts'
import { invalid } from '../../operations.ts'
import type { Agent, AgentAnswer } from '../agent.ts'
import { checkContent } from '../content.ts'
import { ERRORS, type Message, type RpcId, sendParams, type Task } from '../protocol.ts'
import { HELP, requestOf } from '../request.ts'
import { paramsOf, RpcError, readRequest } from '../rpc.ts'
import { asksForExtension, EXTENSIONS_HEADER, METADATA } from './extension.ts'
import { newUnpaid, type Unpaid, unpaidOf } from './unpaid.ts'
import { createWords, refusal } from './words.ts'

const PAYLOAD_FIELD = `message.metadata.${METADATA.payload}`
const unfit = (field: string, message: string) => new RpcError(ERRORS.params, [{ field, message }])

/** The agent, as the payment in front of it sees it. */
export type InsideOptions = {
  /** Has the agent answer a body for a caller that is known. */
  handle: (body: unknown, caller: Caller, perform: PerformOne) => Promise<AgentAnswer | undefined>
  toAnswer: (answered: AgentAnswer | undefined) => RawAnswer
  remember: Agent['remember']
  /** Milliseconds since the epoch. */
  now: () => number
}

/** Runs nothing before a payment holds, and hands nothing over before it is settled. */
export const createPaymentInside = ({ handle, toAnswer, remember, now }: InsideOptions) => {
  const words = createWords(now)

  /** The task for a request that is valid, or the answer that it is not. */
  const taskFor = (id: RpcId, message: Message): Unpaid | Answer => {
    const request = requestOf(message)
    if (!request) throw unfit('message.parts', HELP)
    const parsed = OPERATIONS[request.skill].request.agent.safeParse(request.input)
    if (!parsed.success) {
      const { status, body } = invalid(parsed.error.issues)
      const task = { id: randomUUID(), contextId: message.contextId ?? randomUUID() }
      return words.invalid(id, task, { status, ...(JSON.parse(body) as object) })
    }
    const { network, spelling, calculate } = parsed.data
    const input = { network, walletAddress: spelling, ...(calculate && { calculate: true as const }) }
    return newUnpaid({ skill: request.skill, input }, message.contextId)
  }

  const offer = (id: RpcId, task: Unpaid): PaymentInside => ({
    worded: (answer) => (answer.status === 402 ? words.required(id, task, answer) : answer),
  })

  const pay = (id: RpcId, task: Unpaid, payload: object, body: unknown): PaymentInside => {
    let keep: ((sent: Task) => void) | undefined
    return {
      payment: Buffer.from(JSON.stringify(payload)).toString('base64'),
      // All that is asked is in the id, so that a retry may be worded in other ways.
      purchase: { task: task.id },
      answer: async (caller, perform) => {
        const answered = await handle(body, caller, perform)
        return {
          ...toAnswer(answered),
          keep: () => {
            keep = ({ status }) => answered?.keep?.(status)
          },
        }
      },
      replayed: (caller) => {
        keep = (sent) => remember(caller, sent)
      },
      worded: (answer) => {
        if (answer.status === 200) return words.answered(id, answer, (sent) => keep?.(sent))
        if (answer.status === 402) return words.unsettled(id, task, answer)
        return answer.outcome === 'MALFORMED_PAYMENT'
          ? refusal(id, unfit(PAYLOAD_FIELD, 'is no payment of x402'))
          : answer
      },
    }
  }

  const read = (id: RpcId, message: Message, body: unknown): PaymentInside | Answer => {
    const { [METADATA.payload]: payload, [METADATA.status]: status } = message.metadata ?? {}
    if (message.taskId === undefined) {
      if (payload !== undefined) throw unfit('message.taskId', 'must be the task that the payment is for')
      const task = taskFor(id, message)
      return 'status' in task ? task : offer(id, task)
    }
    const task = unpaidOf(message.taskId)
    if (!task) throw new RpcError(ERRORS.taskNotFound)
    if (message.contextId !== undefined && message.contextId !== task.contextId) {
      throw unfit('message.contextId', 'the task belongs to another context')
    }
    if (status === 'payment-rejected') return words.canceled(id, task)
    if (payload === undefined && status === undefined) return offer(id, task)
    if (typeof payload !== 'object' || payload === null) throw unfit(PAYLOAD_FIELD, 'must be a payment of x402')
    return pay(id, task, payload, body)
  }

  /**
   * What of a request without key and payment header is about a payment; `undefined` where the extension has nothing to say: it was not
   * asked for, or the request is no message. A message to a task that waits for its payment need not ask for it again.
   */
  return (body: unknown, request: FastifyRequest): PaymentInside | Answer | undefined => {
    const rpc = readRequest(body)
    if ('refused' in rpc || rpc.notification || rpc.method !== 'message/send') return undefined
    let isOurs = asksForExtension(request.headers[EXTENSIONS_HEADER])
    try {
      const params = paramsOf(sendParams, rpc.params)
      isOurs ||= unpaidOf(params.message.taskId) !== undefined
      if (!isOurs) return undefined
      checkContent(params)
      return read(rpc.id, params.message, body)
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      return isOurs ? refusal(rpc.id, error) : undefined
    }
  }
}
