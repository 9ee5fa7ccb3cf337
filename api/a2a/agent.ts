/**
 * The agent behind `/api/a2a`: JSON-RPC in, JSON-RPC out, without HTTP. It implements three methods; the other methods of
 * A2A 0.3.0 return the error that the specification defines for a capability the card does not declare.
 *
 * A task ends within `message/send`. Its states: `completed` (its artifact is the record), `failed` (the operation returned
 * an error), `rejected` (invalid input), `input-required` (the request is ambiguous; the next message with the same task id
 * continues the task) and `canceled` (from `input-required`, by `tasks/cancel`). All but `input-required` are terminal.
 */
import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { Operation } from '../../schema/networks.ts'
import type { Caller } from '../keys/caller.ts'
import { checkContent } from './content.ts'
import { ownMessage } from './message.ts'
import { withoutPayment } from './payment/extension.ts'
import { unpaidOf } from './payment/unpaid.ts'
import {
  cancelParams,
  ERRORS,
  getParams,
  type Message,
  type Part,
  type RpcResponse,
  type SendParams,
  sendParams,
  type Task,
  type TaskState,
} from './protocol.ts'
import { HELP, requestOf } from './request.ts'
import { paramsOf, RpcError, readRequest } from './rpc.ts'
import { createTaskStore, type SharedTasks } from './tasks.ts'

/** Result of an operation: the same status and body as over HTTP. */
export type Performed = { status: number; body: Record<string, unknown> }

/** Runs an operation for the current caller, and checks tier and limits. Does not throw for failures that a status expresses. */
export type AgentPerform = (operation: Operation, input: Record<string, unknown>) => Promise<Performed>

/** Dependencies of the agent. */
export type AgentOptions = {
  /** Milliseconds since the epoch. */
  now: () => number
  /** Called with unexpected errors. The caller gets a generic internal error. */
  onError: (error: unknown) => void
  /** Tasks of all replicas. Without it each replica knows only its own. */
  shared?: SharedTasks | undefined
}

/** A response that is not sent yet. Later requests find its task only after `keep`. */
export type AgentAnswer = {
  response: RpcResponse
  /**
   * Makes the task visible to later requests. Call it once the response is certain to reach the caller: an unpaid result
   * must not be readable with `tasks/get`.
   * @param status replaces the status of the task in the response
   */
  keep?: (status?: Task['status']) => void
}

/** The agent without transport. HTTP, API keys and payments are handled before it. */
export type Agent = {
  /** Whether the parsed body would run a method that needs a caller with a key or a payment. */
  needsCaller: (body: unknown) => boolean
  /**
   * Answers one parsed JSON-RPC body; `body` is `undefined` if it was not JSON. Never throws for bad input. A valid
   * notification is neither run nor answered; an invalid one gets an error, because its sender most likely forgot the id.
   */
  handle: (body: unknown, caller: Caller, perform: AgentPerform) => Promise<AgentAnswer | undefined>
  /** Stores a task that was created earlier for a caller, possibly by another replica. */
  remember: (caller: Caller, task: Task) => void
}

/** Newest messages kept per task: bounds a task that stays `input-required`. */
const MAX_HISTORY = 20

/** Methods of A2A 0.3.0 whose capabilities the card does not declare. */
const UNSUPPORTED = new Map<string, RpcError['error']>([
  ['message/stream', ERRORS.unsupported],
  ['tasks/resubscribe', ERRORS.unsupported],
  ['tasks/pushNotificationConfig/set', ERRORS.pushNotSupported],
  ['tasks/pushNotificationConfig/get', ERRORS.pushNotSupported],
  ['tasks/pushNotificationConfig/list', ERRORS.pushNotSupported],
  ['tasks/pushNotificationConfig/delete', ERRORS.pushNotSupported],
  ['agent/getAuthenticatedExtendedCard', ERRORS.noExtendedCard],
])

type Result = { task: Task; keep?: AgentAnswer['keep'] }
type Run = (caller: Caller, perform: AgentPerform) => Result | Promise<Result>
/** Validates the parameters and returns the call. @throws RpcError for invalid parameters */
type Method = (params: unknown) => Run

const method =
  <T>(schema: z.ZodType<T>, run: (params: T, ...rest: Parameters<Run>) => ReturnType<Run>): Method =>
  (params) => {
    const parsed = paramsOf(schema, params)
    return (caller, perform) => run(parsed, caller, perform)
  }

const ownerOf = ({ kind, id }: Caller): string => `${kind}:${id}`

const trimmed = (task: Task, historyLength: number | undefined): Task =>
  historyLength === undefined
    ? task
    : { ...task, history: historyLength === 0 ? [] : task.history.slice(-historyLength) }

/** An agent with the tasks of this process, and of other replicas if `shared` is given. */
export const createAgent = ({ now, onError, shared }: AgentOptions): Agent => {
  const tasks = createTaskStore({ shared })

  const statusOf = (task: { id: string; contextId: string }, state: TaskState, parts?: Part[]): Task['status'] => ({
    state,
    timestamp: new Date(now()).toISOString(),
    ...(parts && { message: ownMessage(task, parts) }),
  })

  const outcome = async (
    task: Task,
    message: Message,
    perform: AgentPerform,
  ): Promise<Pick<Task, 'status' | 'artifacts'>> => {
    const request = unpaidOf(task.id)?.request ?? requestOf(message)
    if (!request) return { status: statusOf(task, 'input-required', [{ kind: 'text', text: HELP }]), artifacts: [] }
    const { status, body } = await perform(request.skill, request.input)
    const data: Part = { kind: 'data', data: body }
    if (status === 200) {
      return {
        status: statusOf(task, 'completed'),
        artifacts: [{ artifactId: randomUUID(), name: request.skill, parts: [data] }],
      }
    }
    const state = status === 400 ? 'rejected' : 'failed'
    return { status: statusOf(task, state, [{ kind: 'data', data: { status, ...body } }]), artifacts: [] }
  }

  const newTask = ({ id, contextId }: Pick<Task, 'id' | 'contextId'>): Task => ({
    kind: 'task',
    id,
    contextId,
    status: statusOf({ id, contextId }, 'input-required'),
    artifacts: [],
    history: [],
  })

  const taskFor = async (message: Message, caller: Caller): Promise<Task> => {
    if (message.taskId === undefined) {
      return newTask({ id: randomUUID(), contextId: message.contextId ?? randomUUID() })
    }
    const unpaid = unpaidOf(message.taskId)
    const task = (await tasks.get(ownerOf(caller), message.taskId)) ?? (unpaid && newTask(unpaid))
    if (!task) throw new RpcError(ERRORS.taskNotFound)
    if (task.status.state !== 'input-required')
      throw new RpcError(ERRORS.params, [
        { field: 'message.taskId', message: `the task is ${task.status.state} and takes no further messages` },
      ])
    if (message.contextId !== undefined && message.contextId !== task.contextId) {
      throw new RpcError(ERRORS.params, [
        { field: 'message.contextId', message: 'the task belongs to another context' },
      ])
    }
    return task
  }

  const send = async (params: SendParams, caller: Caller, perform: AgentPerform): Promise<Result> => {
    checkContent(params)
    const { message, configuration } = params
    const before = await taskFor(message, caller)
    const received: Message = { ...withoutPayment(message), taskId: before.id, contextId: before.contextId }
    const result = await outcome(before, received, perform)
    const task: Task = { ...before, ...result, history: [...before.history, received].slice(-MAX_HISTORY) }
    return {
      task: trimmed(task, configuration?.historyLength),
      keep: (status = task.status) => tasks.put(ownerOf(caller), { ...task, status }),
    }
  }

  const ownTask = async (id: string, caller: Caller): Promise<Task> => {
    const task = await tasks.get(ownerOf(caller), id)
    if (!task) throw new RpcError(ERRORS.taskNotFound)
    return task
  }

  const cancel = async (id: string, caller: Caller): Promise<Result> => {
    const before = await ownTask(id, caller)
    if (before.status.state !== 'input-required') throw new RpcError(ERRORS.taskNotCancelable)
    const task: Task = { ...before, status: statusOf(before, 'canceled') }
    return { task, keep: () => tasks.put(ownerOf(caller), task) }
  }

  const methods = new Map<string, Method>([
    ['message/send', method(sendParams, send)],
    [
      'tasks/get',
      method(getParams, async ({ id, historyLength }, caller) => ({
        task: trimmed(await ownTask(id, caller), historyLength),
      })),
    ],
    ['tasks/cancel', method(cancelParams, ({ id }, caller) => cancel(id, caller))],
  ])

  const methodOf = (name: string): Method => {
    const known = methods.get(name)
    if (!known) throw new RpcError(UNSUPPORTED.get(name) ?? ERRORS.method)
    return known
  }

  return {
    remember: (caller, task) => tasks.put(ownerOf(caller), task),
    needsCaller: (body) => {
      const request = readRequest(body)
      return 'method' in request && !request.notification && methods.has(request.method)
    },
    handle: async (body, caller, perform) => {
      const request = readRequest(body)
      try {
        if ('refused' in request) throw request.refused
        const run = methodOf(request.method)(request.params)
        if (request.notification) return undefined
        const { task, keep } = await run(caller, perform)
        return { response: { jsonrpc: '2.0', id: request.id, result: task }, ...(keep && { keep }) }
      } catch (error) {
        if (!(error instanceof RpcError)) onError(error)
        const rpc = error instanceof RpcError ? error : new RpcError(ERRORS.internal)
        const data = rpc.data === undefined ? {} : { data: rpc.data }
        return { response: { jsonrpc: '2.0', id: request.id, error: { ...rpc.error, ...data } } }
      }
    },
  }
}
