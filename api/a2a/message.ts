import { randomUUID } from 'node:crypto'
import type { Message, Part, Task } from './protocol.ts'

/** A message of the agent about a task. */
export const ownMessage = (
  { id: taskId, contextId }: Pick<Task, 'id' | 'contextId'>,
  parts: Part[],
  metadata?: Record<string, unknown>,
): Message => ({
  kind: 'message',
  role: 'agent',
  messageId: randomUUID(),
  taskId,
  contextId,
  parts,
  ...(metadata && { metadata }),
})
