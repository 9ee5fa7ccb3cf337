/**
 * Payments in messages: the x402 extension of A2A. Offers, verification, settlement and replays are those of payments in headers
 * (`api/http/payment.ts`); this module reads payments from messages and writes their state into tasks.
 *
 * 1. A message without key and payment, from a client that activates the extension: the task is `input-required`, its payment
 *    `payment-required`. An invalid request is refused here, before the client signs a payment for it.
 * 2. A message with the id of that task and a payment: the task runs. Once the payment is settled, the task is `completed` and its
 *    payment `payment-completed`. A failed task is not charged: `payment-verified`, without a receipt.
 * 3. A refused payment: the task stays `input-required` with `payment-failed`, and the client may send another payment. A payment
 *    with unknown outcome: `payment-submitted`, and the client must resend the same message instead of signing another payment.
 * 4. `payment-rejected` from the client cancels the task.
 */
import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { OPERATIONS } from '../../../schema/records/operations.ts'
import type { Answer } from '../../answers/answer.ts'
import type { MessagePayment, PerformOne, RawAnswer } from '../../http/raw.ts'
import type { Caller } from '../../keys/caller.ts'
import { invalid } from '../../operations.ts'
import type { Agent, AgentAnswer } from '../agent.ts'
import { checkContent } from '../content.ts'
import { ERRORS, type Message, type RpcId, sendParams, type Task } from '../protocol.ts'
import { HELP, requestOf } from '../request.ts'
import { paramsOf, RpcError, readRequest } from '../rpc.ts'
import { asksForExtension, EXTENSIONS_HEADER, METADATA } from './extension.ts'
import { createPaymentTasks, refusal } from './payment-tasks.ts'
import { newUnpaid, type Unpaid, unpaidOf } from './unpaid.ts'

const PAYLOAD_FIELD = `message.metadata.${METADATA.payload}`
const invalidParam = (field: string, message: string) => new RpcError(ERRORS.params, [{ field, message }])

/** The agent, as payments in messages use it. */
export type MessagePaymentOptions = {
  /** Runs the agent for an identified caller. */
  handle: (body: unknown, caller: Caller, perform: PerformOne) => Promise<AgentAnswer | undefined>
  toAnswer: (answered: AgentAnswer | undefined) => RawAnswer
  remember: Agent['remember']
  /** Milliseconds since the epoch. */
  now: () => number
}

/** Runs nothing before the payment is verified, and returns no result before it is settled. */
export const createMessagePayments = ({ handle, toAnswer, remember, now }: MessagePaymentOptions) => {
  const tasks = createPaymentTasks(now)

  /** The task for a valid request, or the answer that rejects an invalid one. */
  const taskFor = (id: RpcId, message: Message): Unpaid | Answer => {
    const request = requestOf(message)
    if (!request) throw invalidParam('message.parts', HELP)
    const parsed = OPERATIONS[request.skill].request.agent.safeParse(request.input)
    if (!parsed.success) {
      const { status, body } = invalid(parsed.error.issues)
      const task = { id: randomUUID(), contextId: message.contextId ?? randomUUID() }
      return tasks.invalid(id, task, { status, ...(JSON.parse(body) as object) })
    }
    const { network, spelling, calculate } = parsed.data
    const input = { network, walletAddress: spelling, ...(calculate && { calculate: true as const }) }
    return newUnpaid({ skill: request.skill, input }, message.contextId)
  }

  const offer = (id: RpcId, task: Unpaid): MessagePayment => ({
    format: (answer) => (answer.status === 402 ? tasks.required(id, task, answer) : answer),
  })

  const pay = (id: RpcId, task: Unpaid, payload: object, body: unknown): MessagePayment => {
    let keep: ((sent: Task) => void) | undefined
    return {
      payment: Buffer.from(JSON.stringify(payload)).toString('base64'),
      // The task id holds the whole request, so a retry may be phrased differently.
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
      format: (answer) => {
        if (answer.status === 200) return tasks.answered(id, answer, (sent) => keep?.(sent))
        if (answer.status === 402) return tasks.unsettled(id, task, answer)
        return answer.outcome === 'MALFORMED_PAYMENT'
          ? refusal(id, invalidParam(PAYLOAD_FIELD, 'is no payment of x402'))
          : answer
      },
    }
  }

  const read = (id: RpcId, message: Message, body: unknown): MessagePayment | Answer => {
    const { [METADATA.payload]: payload, [METADATA.status]: status } = message.metadata ?? {}
    if (message.taskId === undefined) {
      if (payload !== undefined) throw invalidParam('message.taskId', 'must be the task that the payment is for')
      const task = taskFor(id, message)
      return 'status' in task ? task : offer(id, task)
    }
    const task = unpaidOf(message.taskId)
    if (!task) throw new RpcError(ERRORS.taskNotFound)
    if (message.contextId !== undefined && message.contextId !== task.contextId) {
      throw invalidParam('message.contextId', 'the task belongs to another context')
    }
    if (status === 'payment-rejected') return tasks.canceled(id, task)
    if (payload === undefined && status === undefined) return offer(id, task)
    if (typeof payload !== 'object' || payload === null) throw invalidParam(PAYLOAD_FIELD, 'must be a payment of x402')
    return pay(id, task, payload, body)
  }

  /**
   * The payment of a request without key and payment header. `undefined` if the request is not a message, or does not activate the
   * extension; a message to a task that waits for its payment need not activate it again.
   */
  return (body: unknown, request: FastifyRequest): MessagePayment | Answer | undefined => {
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
