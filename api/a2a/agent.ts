/**
 * The agent behind `/api/a2a`: JSON-RPC in, JSON-RPC out, no HTTP in here. Three methods do something; the others of
 * A2A 0.3.0 answer with the error the specification gives for a capability that is declared absent.
 *
 * A task runs to its end within `message/send`, so its states are: `completed` (the record is its artifact), `failed`
 * (the operation answered an error), `rejected` (the input is not valid), `input-required` (it is not clear what is
 * asked; the next message with the same task id goes on) and `canceled` (from `input-required`, by `tasks/cancel`). All
 * but `input-required` are terminal.
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

/** Answer of an operation: the same status and body as over HTTP. */
export type Performed = { status: number; body: Record<string, unknown> }

/** Runs an operation for the caller at hand, tiers and limits included. Does not throw for what a status can say. */
export type AgentPerform = (operation: Operation, input: Record<string, unknown>) => Promise<Performed>

/** What the agent needs of its surroundings. */
export type AgentOptions = {
  /** Milliseconds since the epoch. */
  now: () => number
  /** Told of what went wrong inside; the caller only learns that it did. */
  onError: (error: unknown) => void
  /** Where the tasks of other replicas are; each replica knows its own without it. */
  shared?: SharedTasks | undefined
}

/** An answer that is not handed over yet: its task is only found by others once it is kept. */
export type AgentAnswer = {
  response: RpcResponse
  /**
   * Makes the task of this answer visible to later requests. To be called once the answer is certain to reach the
   * caller: what was made and not paid for must not be found with `tasks/get`.
   * @param status of the task, where it is to be another one than in the answer
   */
  keep?: (status?: Task['status']) => void
}

/** The agent without its transport. HTTP, keys and payments stand in front of it. */
export type Agent = {
  /** Whether this body (parsed) would run an operation, so that the caller has to be known and able to pay. */
  needsCaller: (body: unknown) => boolean
  /**
   * Answers one JSON-RPC body, parsed; `undefined` when it was no JSON. Never throws for bad input. A notification is
   * neither run nor answered; what is wrong with one is answered, as its sender most likely forgot the id.
   */
  handle: (body: unknown, caller: Caller, perform: AgentPerform) => Promise<AgentAnswer | undefined>
  /** Keeps a task that was made for a caller before, maybe by a replica that is gone. */
  remember: (caller: Caller, task: Task) => void
}

/** Messages of a task that are kept, the last ones: a task that is never made clear must not grow with each of them. */
const MAX_HISTORY = 20

/** Methods of A2A 0.3.0 for what the card declares absent. */
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
/** Reads the parameters, and runs the method when told to. @throws RpcError when the parameters do not fit. */
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

/** An agent that remembers tasks of its own process, and finds those of others where they are shared. */
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
