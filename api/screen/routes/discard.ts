/** Discards the rest of a refused upload. */
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Answer } from '../../answers/answer.ts'

/** How much of a refused upload is still read, so that the client receives the answer. */
const DISCARD = { bytes: 4 * 1024 * 1024, ms: 2_000 }

const discard = (body: Readable): Promise<void> =>
  new Promise((resolve) => {
    let bytes = 0
    const timer = setTimeout(() => end(), DISCARD.ms)
    const count = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > DISCARD.bytes) end()
    }
    const end = () => {
      clearTimeout(timer)
      body.off('data', count).off('end', end).off('close', end).off('error', end).pause()
      resolve()
    }
    if (body.readableEnded || body.destroyed) end()
    else body.on('end', end).on('close', end).on('error', end).on('data', count)
  })

/**
 * For a refusal, keeps reading for at most 2 s or 4 MB: otherwise a client that is still sending gets a connection reset instead of
 * the answer. If the body is longer, the connection is closed after the answer.
 */
export const endBody = async (request: FastifyRequest, reply: FastifyReply, answer: Answer): Promise<Answer> => {
  if (answer.status < 400) return answer
  await discard(request.raw)
  if (!request.raw.complete) reply.header('connection', 'close')
  return answer
}
