/** Wire format of the subset of A2A 0.3.0 over JSON-RPC 2.0 that this agent implements (specification sections 6, 7 and 8). */
import { z } from 'zod'

/** A2A version of the contract. Versions from 1.0 on have another wire format. */
export const PROTOCOL_VERSION = '0.3.0'

/** JSON-RPC and A2A error codes with their standard messages (A2A 0.3.0, section 8). */
export const ERRORS = {
  parse: { code: -32700, message: 'Invalid JSON payload' },
  request: { code: -32600, message: 'Request payload validation error' },
  method: { code: -32601, message: 'Method not found' },
  params: { code: -32602, message: 'Invalid parameters' },
  internal: { code: -32603, message: 'Internal error' },
  taskNotFound: { code: -32001, message: 'Task not found' },
  taskNotCancelable: { code: -32002, message: 'Task cannot be canceled' },
  pushNotSupported: { code: -32003, message: 'Push Notification is not supported' },
  unsupported: { code: -32004, message: 'This operation is not supported' },
  contentType: { code: -32005, message: 'Incompatible content types' },
  noExtendedCard: { code: -32007, message: 'Authenticated Extended Card is not configured' },
} as const

/** Id of a request, repeated in its response. Null if it could not be read. */
export type RpcId = string | number | null

/** The envelope; without `id` it is a notification. `params` is checked per method, after the method is known. */
export const envelope = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int(), z.null()]).optional(),
  method: z.string(),
  params: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]).optional(),
})

const metadata = z.record(z.string(), z.unknown()).optional()
const textPart = z.object({ kind: z.literal('text'), text: z.string(), metadata })
const dataPart = z.object({ kind: z.literal('data'), data: z.record(z.string(), z.unknown()), metadata })
const filePart = z.object({ kind: z.literal('file'), file: z.record(z.string(), z.unknown()), metadata })
const part = z.discriminatedUnion('kind', [textPart, dataPart, filePart])
/** A part of a message: text, JSON data, or a file. */
export type Part = z.output<typeof part>

/** An id chosen by the client. */
export const identifier = z.string().min(1).max(256)
/** Ids of tasks are ours, and longer: the id of an unpaid task encodes its request. */
const taskIdentifier = z.string().min(1).max(1_024)

/** A message of a client or of the agent. */
export const message = z.object({
  kind: z.literal('message').default('message'),
  role: z.enum(['user', 'agent']),
  messageId: identifier,
  parts: z.array(part).min(1).max(16),
  taskId: taskIdentifier.optional(),
  contextId: identifier.optional(),
  extensions: z.array(z.string()).optional(),
  referenceTaskIds: z.array(z.string()).optional(),
  metadata,
})
/** A validated message. */
export type Message = z.output<typeof message>

const historyLength = z.int().min(0).optional()

/** Parameters of `message/send`. */
export const sendParams = z.object({
  message: message.refine((m) => m.role === 'user', {
    path: ['role'],
    message: 'messages to an agent have the role user',
  }),
  configuration: z
    .object({
      historyLength,
      blocking: z.boolean().optional(),
      acceptedOutputModes: z.array(z.string()).optional(),
      pushNotificationConfig: z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
  metadata,
})
/** Validated parameters of `message/send`. */
export type SendParams = z.output<typeof sendParams>
/** Parameters of `tasks/get`. */
export const getParams = z.object({ id: taskIdentifier, historyLength, metadata })
/** Parameters of `tasks/cancel`. */
export const cancelParams = z.object({ id: taskIdentifier, metadata })

/** States of a task in responses. `working` is missing: a task ends before its response is sent. */
export type TaskState = 'input-required' | 'completed' | 'failed' | 'rejected' | 'canceled'

/** A task. Its artifact holds the record of the operation. */
export type Task = {
  kind: 'task'
  id: string
  contextId: string
  status: { state: TaskState; timestamp: string; message?: Message }
  artifacts: { artifactId: string; name: string; parts: Part[] }[]
  history: Message[]
}

/** A JSON-RPC 2.0 response. */
export type RpcResponse =
  | { jsonrpc: '2.0'; id: RpcId; result: Task }
  | { jsonrpc: '2.0'; id: RpcId; error: { code: number; message: string; data?: unknown } }
