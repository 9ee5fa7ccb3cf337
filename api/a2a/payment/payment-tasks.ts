/** Tasks and errors that report the state of a payment, in the vocabulary of the x402 extension. */
import { z } from 'zod'
import type { Answer } from '../../answers/answer.ts'
import { ownMessage } from '../message.ts'
import type { Part, RpcId, RpcResponse, Task, TaskState } from '../protocol.ts'
import type { RpcError } from '../rpc.ts'
import { EXTENSION_URI, EXTENSIONS_HEADER, errorCodeOf, METADATA, type PaymentStatus } from './extension.ts'

const PENDING =
  'The payment is being settled. Send the same message with the same payment again after Retry-After. Do not sign another payment.'

/** The body of our 402: an x402 version 1 offer. */
const offerBody = z.object({
  error: z.string(),
  x402Version: z.literal(1),
  accepts: z.array(z.looseObject({ network: z.string() })).min(1),
})
const receipt = z.object({ success: z.boolean(), transaction: z.string(), network: z.string(), payer: z.string() })

/** Ids of a task. */
export type Named = Pick<Task, 'id' | 'contextId'>

const text = (value: string): Part[] => [{ kind: 'text', text: value }]
const NO_RECEIPTS = { [METADATA.receipts]: [] }

const answerOf = (response: RpcResponse, outcome: string, headers: Record<string, string> = {}): Answer => ({
  status: 200,
  body: JSON.stringify(response),
  outcome,
  headers: { ...headers, [EXTENSIONS_HEADER]: EXTENSION_URI },
})

/** The answer to an invalid request. */
export const refusal = (id: RpcId, { error, data }: RpcError): Answer =>
  answerOf({ jsonrpc: '2.0', id, error: { ...error, ...(data !== undefined && { data }) } }, String(error.code))

/** Creates these tasks. @param now milliseconds since the epoch */
export const createPaymentTasks = (now: () => number) => {
  const taskOf = (
    { id, contextId }: Named,
    state: TaskState,
    payment: PaymentStatus,
    parts: Part[],
    more: Record<string, unknown> = NO_RECEIPTS,
  ): Task => {
    const message = ownMessage({ id, contextId }, parts, { [METADATA.status]: payment, ...more })
    const status = { state, timestamp: new Date(now()).toISOString(), message }
    return { kind: 'task', id, contextId, status, artifacts: [], history: [] }
  }
  const sent = (id: RpcId, result: Task, headers?: Record<string, string>): Answer =>
    answerOf({ jsonrpc: '2.0', id, result }, result.status.state, headers)

  return {
    /** An invalid request: rejected without an offer. */
    invalid: (id: RpcId, task: Named, data: Record<string, unknown>): Answer =>
      sent(id, taskOf(task, 'rejected', 'payment-rejected', [{ kind: 'data', data }])),

    /** The client declined to pay. */
    canceled: (id: RpcId, task: Named): Answer =>
      sent(id, taskOf(task, 'canceled', 'payment-rejected', text('The task is canceled. Nothing was charged.'))),

    /** The offer. @param answer our 402 */
    required: (id: RpcId, task: Named, answer: Answer): Answer => {
      const required = offerBody.parse(JSON.parse(answer.body))
      const more = { [METADATA.required]: required }
      return sent(id, taskOf(task, 'input-required', 'payment-required', text('Payment is required.'), more))
    },

    /** A refused payment, or one with unknown outcome. @param answer our 402 */
    unsettled: (id: RpcId, task: Named, { body, headers }: Answer): Answer => {
      const retryAfter = headers?.['retry-after']
      if (retryAfter !== undefined) {
        const pending = taskOf(task, 'input-required', 'payment-submitted', text(PENDING))
        return sent(id, pending, { 'retry-after': retryAfter })
      }
      const required = offerBody.parse(JSON.parse(body))
      const { error } = required
      const network = required.accepts[0]?.network ?? ''
      const failed = taskOf(task, 'input-required', 'payment-failed', text(`The payment failed: ${error}.`), {
        [METADATA.required]: required,
        [METADATA.error]: errorCodeOf(error),
        [METADATA.receipts]: [{ success: false, errorReason: error, network, transaction: '' }],
      })
      return sent(id, failed)
    },

    /**
     * An answer of the agent, with a receipt if it was charged. Replaces the id, because a stored answer may carry that of an earlier request.
     * @param onTask called with the task as it is sent
     */
    answered: (id: RpcId, answer: Answer, onTask: (task: Task) => void): Answer => {
      const { body, headers = {}, outcome } = answer
      const response = JSON.parse(body) as RpcResponse
      if ('error' in response) return { ...answer, ...answerOf({ ...response, id }, outcome, headers) }
      const { status, ...task } = response.result
      const { 'payment-response': paid } = headers
      const receipts =
        paid === undefined ? [] : [receipt.parse(JSON.parse(Buffer.from(paid, 'base64').toString('utf8')))]
      const payment: PaymentStatus = receipts.length > 0 ? 'payment-completed' : 'payment-verified'
      const message = ownMessage(task, status.message?.parts ?? text('Payment successful.'), {
        [METADATA.status]: payment,
        [METADATA.receipts]: receipts,
      })
      const result: Task = { ...task, status: { ...status, message } }
      onTask(result)
      return { ...answer, ...answerOf({ jsonrpc: '2.0', id, result }, outcome, headers) }
    },
  }
}
