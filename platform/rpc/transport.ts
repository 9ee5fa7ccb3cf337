/**
 * One POST of JSON over a kept connection. Node's own client: answers are many and large, and `fetch` takes about twice the
 * processor time for each.
 */
import { isAscii } from 'node:buffer'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { RpcTransportError } from './errors.ts'

/** Takes the body of an answer piece by piece and gives its text. */
export type BodyReader = {
  push: (piece: Buffer) => void
  /** @returns the whole text; called once, when the body is complete. */
  end: () => string
}

type Answer = {
  status: number
  /** Header `Retry-After`. */
  retryAfter: string | null
  text: string
}

/**
 * @throws Error as Node's client has it; with code ECONNRESET when the answer ended early.
 * @throws RpcTransportError when the answer is larger than is taken.
 * @param reader of this answer. @default that of the transport
 */
export type Transport = (body: string, signal: AbortSignal, reader?: BodyReader) => Promise<Answer>

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * Bytes of an answer, unpacked, that are taken: several times a block of the busiest chains with its traces. A packed body can
 * be a thousand times smaller than what it unpacks to, and everything above would be held in memory.
 */
export const MAX_ANSWER_BYTES = 256 << 20

/** Passes pieces on to a reader until they are more than is taken. @throws RpcTransportError */
export const bounded = ({ push, end }: BodyReader, most: number): BodyReader => {
  let taken = 0
  return {
    push: (piece) => {
      taken += piece.length
      if (taken > most) throw new RpcTransportError('http', `an answer larger than ${most / (1 << 20)} MiB`)
      push(piece)
    },
    end,
  }
}

/** Text without foreign characters is read as such, which is several times faster. */
export const textOf = (bytes: Buffer): string => (isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8'))

/** Keeps the body as bytes, for whom its text is not needed; `end` gives none. */
export const keptBody = (): BodyReader & { bytes: () => Buffer } => {
  const pieces: Buffer[] = []
  return {
    push: (piece) => void pieces.push(piece),
    end: () => '',
    bytes: () => (pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)),
  }
}

/** Keeps the body whole. */
export const wholeBody = (): BodyReader => {
  const { push, bytes } = keptBody()
  return { push, end: () => textOf(bytes()) }
}

const cut = () => Object.assign(new Error('the answer was cut'), { code: 'ECONNRESET' })

/** The body as it was before it was packed. */
const unpacked = (response: IncomingMessage): Readable => {
  const packed = response.headers['content-encoding']?.trim().toLowerCase()
  const decoder = packed === undefined ? undefined : DECODERS[packed]?.()
  if (!decoder) return response
  response.once('error', (error) => decoder.destroy(error))
  response.once('close', () => {
    if (!response.complete) decoder.destroy(cut())
  })
  return response.pipe(decoder)
}

const readAll = (response: IncomingMessage, reader: BodyReader): Promise<string> =>
  new Promise((resolve, reject) => {
    const body = unpacked(response)
    const fail = (error: unknown) => {
      reject(error)
      response.destroy()
      body.destroy()
    }
    body.on('data', (piece: Buffer) => {
      try {
        reader.push(piece)
      } catch (error) {
        fail(error)
      }
    })
    body.once('error', fail)
    body.once('close', () => fail(cut()))
    body.once('end', () => {
      try {
        resolve(reader.end())
      } catch (error) {
        fail(error)
      }
    })
  })

/**
 * A server may close a kept connection just as it is used again. Nothing was answered then, and as a rule nothing done. It is
 * asked again at once: that is right for questions, and nothing else is sent this way.
 */
const wasClosed = (error: Error, outgoing: ClientRequest): boolean =>
  outgoing.reusedSocket && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')

/**
 * POSTs to one URL. Redirects are answers like others: they are not followed.
 * @param readerOf reads the body of an answer. @default as text
 * @param maxBytes of an answer, unpacked.
 */
export const createTransport = (
  url: string,
  readerOf: () => BodyReader = wholeBody,
  maxBytes: number = MAX_ANSWER_BYTES,
): Transport => {
  const target = new URL(url)
  const secure = target.protocol === 'https:'
  const agent = secure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true })
  const open = secure ? secureRequest : request

  const send = (body: Buffer, signal: AbortSignal): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const outgoing = open(target, {
        method: 'POST',
        agent,
        signal,
        headers: {
          'content-type': 'application/json',
          'content-length': body.length,
          accept: 'application/json',
          'accept-encoding': 'gzip, deflate, br',
          'user-agent': 'assay',
        },
      })
      let answered = false
      outgoing.once('response', (response) => {
        answered = true
        resolve(response)
      })
      // Once the answer has begun, its reader fails with the connection.
      outgoing.on('error', (error) => {
        if (!answered && wasClosed(error, outgoing) && !signal.aborted) resolve(send(body, signal))
        else reject(error)
      })
      outgoing.end(body)
    })

  return async (text, signal, reader = readerOf()) => {
    const response = await send(Buffer.from(text), signal)
    return {
      status: response.statusCode ?? 0,
      retryAfter: response.headers['retry-after'] ?? null,
      text: await readAll(response, bounded(reader, maxBytes)),
    }
  }
}
