/**
 * The agent behind `/api/a2a`: JSON-RPC in, JSON-RPC out, no HTTP in here. Three methods do something; the others of
 * A2A 0.3.0 answer with the error the specification gives for a capability that is declared absent.
 *
 * A task runs to its end within `message/send`, so its states are: `completed` (the record is its artifact), `failed`
 * (the operation answered an error), `rejected` (the input is not valid), `input-required` (it is not clear what is
 * asked; the next message with the same task id goes on). The first three are terminal.
 */
import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { Operation } from '../../schema/networks.ts'
import type { Caller } from '../caller.ts'
import {
  cancelParams,
  ERRORS,
  envelope,
  getParams,
  type Message,
  type Part,
  type RpcId,
  type RpcResponse,
  sendParams,
  type Task,
  type TaskState,
} from './protocol.ts'
import { requestOf } from './request.ts'
import { createTaskStore } from './tasks.ts'

/** Answer of an operation: the same status and body as over HTTP. */
export type Performed = { status: number; body: Record<string, unknown> }

/** Runs an operation for the caller at hand, tiers and limits included. Does not throw for what a status can say. */
export type AgentPerform = (operation: Operation, input: Record<string, unknown>) => Promise<Performed>

export type AgentOptions = {
  /** Milliseconds since the epoch. */
  now: () => number
  /** Told of what went wrong inside; the caller only learns that it did. */
  onError: (error: unknown) => void
}

export type AgentAnswer = {
  response: RpcResponse
  /**
   * Makes the task of this answer visible to later requests. To be called once the answer is certain to reach the
   * caller: what was made and not paid for must not be found with `tasks/get`.
   */
  keep?: () => void
}

export type Agent = {
  /** Whether this body (parsed) would run an operation, so that the caller has to be known and able to pay. */
  needsCaller: (body: unknown) => boolean
  /** Answers one JSON-RPC body, parsed; `undefined` when it was no JSON. Never throws for bad input. */
  handle: (body: unknown, caller: Caller, perform: AgentPerform) => Promise<AgentAnswer>
}

const HELP =
  'Send one data part such as {"skill": "fraud_check", "network": "ETH", "walletAddress": "0x..."}. Skills: fraud_check, fraud_audit, wallet_segment, rug_pull, credit_score. Plain text works when it names the skill, the network and one address.'

const UNSUPPORTED: Record<string, (typeof ERRORS)[keyof typeof ERRORS]> = {
  'message/stream': ERRORS.unsupported,
  'tasks/resubscribe': ERRORS.unsupported,
  'tasks/pushNotificationConfig/set': ERRORS.pushNotSupported,
  'tasks/pushNotificationConfig/get': ERRORS.pushNotSupported,
  'tasks/pushNotificationConfig/list': ERRORS.pushNotSupported,
  'tasks/pushNotificationConfig/delete': ERRORS.pushNotSupported,
  'agent/getAuthenticatedExtendedCard': ERRORS.noExtendedCard,
}
const METHODS = new Set(['message/send', 'tasks/get', 'tasks/cancel'])

class RpcError extends Error {
  readonly error: { code: number; message: string }
  readonly data: unknown

  constructor(error: { code: number; message: string }, data?: unknown) {
    super(error.message)
    this.error = error
    this.data = data
  }
}

type Envelope = z.output<typeof envelope>
type Result = { task: Task; keep?: () => void }

const ownerOf = ({ kind, id }: Caller): string => `${kind}:${id}`

const idOf = (value: unknown): RpcId => {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null
  return typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id)) ? id : null
}

const read = (body: unknown): { id: RpcId; request: Envelope } | { id: RpcId; error: RpcError } => {
  if (body === undefined) return { id: null, error: new RpcError(ERRORS.parse) }
  const id = idOf(body)
  const request = envelope.safeParse(body)
  if (!request.success) return { id, error: new RpcError(ERRORS.request, issues(request.error)) }
  return { id, request: request.data }
}

const issues = (error: z.ZodError) =>
  error.issues.map((issue) => ({ field: issue.path.join('.'), message: issue.message }))

const paramsOf = <T>(schema: z.ZodType<T>, params: unknown): T => {
  const parsed = schema.safeParse(params ?? {})
  if (!parsed.success) throw new RpcError(ERRORS.params, issues(parsed.error))
  return parsed.data
}

const trimmed = (task: Task, historyLength: number | undefined): Task =>
  historyLength === undefined
    ? task
    : { ...task, history: historyLength === 0 ? [] : task.history.slice(-historyLength) }

export const createAgent = ({ now, onError }: AgentOptions): Agent => {
  const tasks = createTaskStore()

  const statusOf = (task: { id: string; contextId: string }, state: TaskState, parts?: Part[]): Task['status'] => ({
    state,
    timestamp: new Date(now()).toISOString(),
    ...(parts && {
      message: {
        kind: 'message',
        role: 'agent',
        messageId: randomUUID(),
        taskId: task.id,
        contextId: task.contextId,
        parts,
      },
    }),
  })

  const outcome = async (
    task: Task,
    message: Message,
    perform: AgentPerform,
  ): Promise<Pick<Task, 'status' | 'artifacts'>> => {
    const request = requestOf(message)
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

  const taskFor = (message: Message, caller: Caller): Task => {
    if (message.taskId === undefined) {
      const id = randomUUID()
      const contextId = message.contextId ?? randomUUID()
      return {
        kind: 'task',
        id,
        contextId,
        status: statusOf({ id, contextId }, 'input-required'),
        artifacts: [],
        history: [],
      }
    }
    const task = tasks.get(ownerOf(caller), message.taskId)
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

  const send = async (params: unknown, caller: Caller, perform: AgentPerform): Promise<Result> => {
    const { message, configuration } = paramsOf(sendParams, params)
    const before = taskFor(message, caller)
    const received: Message = { ...message, taskId: before.id, contextId: before.contextId }
    const result = await outcome(before, received, perform)
    const task: Task = { ...before, ...result, history: [...before.history, received] }
    return {
      task: trimmed(task, configuration?.historyLength),
      keep: () => tasks.put(ownerOf(caller), task),
    }
  }

  const get = (params: unknown, caller: Caller): Task => {
    const { id, historyLength } = paramsOf(getParams, params)
    const task = tasks.get(ownerOf(caller), id)
    if (!task) throw new RpcError(ERRORS.taskNotFound)
    return trimmed(task, historyLength)
  }

  const cancel = (params: unknown, caller: Caller): never => {
    const { id } = paramsOf(cancelParams, params)
    if (!tasks.get(ownerOf(caller), id)) throw new RpcError(ERRORS.taskNotFound)
    throw new RpcError(ERRORS.taskNotCancelable)
  }

  const run = async (request: Envelope, caller: Caller, perform: AgentPerform): Promise<Result> => {
    const unsupported = UNSUPPORTED[request.method]
    if (unsupported) throw new RpcError(unsupported)
    if (request.method === 'message/send') return send(request.params, caller, perform)
    if (request.method === 'tasks/get') return { task: get(request.params, caller) }
    if (request.method === 'tasks/cancel') return cancel(request.params, caller)
    throw new RpcError(ERRORS.method)
  }

  return {
    needsCaller: (body) => {
      const parsed = read(body)
      return 'request' in parsed && METHODS.has(parsed.request.method)
    },
    handle: async (body, caller, perform) => {
      const parsed = read(body)
      try {
        if ('error' in parsed) throw parsed.error
        const { task, keep } = await run(parsed.request, caller, perform)
        return { response: { jsonrpc: '2.0', id: parsed.id, result: task }, ...(keep && { keep }) }
      } catch (error) {
        if (!(error instanceof RpcError)) onError(error)
        const rpc = error instanceof RpcError ? error : new RpcError(ERRORS.internal)
        const data = rpc.data === undefined ? {} : { data: rpc.data }
        return { response: { jsonrpc: '2.0', id: parsed.id, error: { ...rpc.error, ...data } } }
      }
    },
  }
}
