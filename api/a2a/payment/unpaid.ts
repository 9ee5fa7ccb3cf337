/**
 * Tasks that wait for their payment. Nobody is known who could own them, and anybody can ask for any number of them, so nothing is kept:
 * the id of the task is what was asked. Every replica can go on with it, also after a restart, and an id that somebody made
 * up asks for something that has to be paid for all the same.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { OPERATIONS } from '../../../schema/records/operations.ts'
import { identifier } from '../protocol.ts'
import type { SkillRequest } from '../request.ts'

const PREFIX = 'pay.'

/** A task that waits for its payment, as its id states it. */
export type Unpaid = { id: string; contextId: string; request: SkillRequest }

const skills = z.enum(Object.values(OPERATIONS).map(({ id }) => id))
const asked = z.object({
  network: z.string().max(32),
  walletAddress: z.string().max(128),
  calculate: z.literal(true).optional(),
})
/** Something that makes it unique, its context, skill and input. */
const content = z.tuple([z.string(), identifier, skills, asked])

/** A task for a request. @param contextId where its client has one */
export const newUnpaid = (request: SkillRequest, contextId: string = randomUUID()): Unpaid => {
  const text = JSON.stringify([randomBytes(12).toString('base64url'), contextId, request.skill, request.input])
  return { id: `${PREFIX}${Buffer.from(text).toString('base64url')}`, contextId, request }
}

/** What an id asks for; `undefined` for ids of other tasks. */
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
