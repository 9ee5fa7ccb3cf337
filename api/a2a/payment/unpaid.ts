/**
 * Tasks that wait for their payment. Their callers are unknown and could create any number of them, so nothing is stored: the task id
 * encodes the request. Every replica can continue such a task, also after a restart. A forged id only encodes another request that
 * must be paid for.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { OPERATIONS } from '../../../schema/records/operations.ts'
import { identifier } from '../protocol.ts'
import type { SkillRequest } from '../request.ts'

const PREFIX = 'pay.'

/** A task that waits for its payment, decoded from its id. */
export type Unpaid = { id: string; contextId: string; request: SkillRequest }

const skills = z.enum(Object.values(OPERATIONS).map(({ id }) => id))
const asked = z.object({
  network: z.string().max(32),
  walletAddress: z.string().max(128),
  calculate: z.literal(true).optional(),
})
/** A nonce, the context, the skill and the input. */
const content = z.tuple([z.string(), identifier, skills, asked])

/** A task for a request. @param contextId context of the client, if it sent one */
export const newUnpaid = (request: SkillRequest, contextId: string = randomUUID()): Unpaid => {
  const text = JSON.stringify([randomBytes(12).toString('base64url'), contextId, request.skill, request.input])
  return { id: `${PREFIX}${Buffer.from(text).toString('base64url')}`, contextId, request }
}

/** Decodes a task id; `undefined` for ids of other tasks. */
export const unpaidOf = (id: string | undefined): Unpaid | undefined => {
  if (!id?.startsWith(PREFIX)) return undefined
  try {
    const text = Buffer.from(id.slice(PREFIX.length), 'base64url').toString('utf8')
    const [, contextId, skill, input] = content.parse(JSON.parse(text))
    return { id, contextId, request: { skill, input } }
  } catch {
    return undefined
  }
}
