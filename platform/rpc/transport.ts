/**
 * POSTs JSON over kept connections, with Node's own client: responses are many and large, and `fetch` takes about twice the
 * processor time for each.
 */
import { isAscii } from 'node:buffer'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { RpcTransportError } from './errors.ts'

/** Consumes the body of a response piece by piece and returns its text. */
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
 * @throws Error of Node's client; with code ECONNRESET when the response ended early.
 * @throws RpcTransportError when the response is larger than the limit.
 * @param reader of this response. @default that of the transport
 */
export type Transport = (body: string, signal: AbortSignal, reader?: BodyReader) => Promise<Answer>

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * Maximum size of an uncompressed response: several times a block of the busiest chains with its traces. A compressed body
 * can be a thousand times smaller than its content, which would be held in memory.
 */
export const MAX_ANSWER_BYTES = 256 << 20

/** Passes pieces on to a reader, up to a limit. @throws RpcTransportError */
export const bounded = ({ push, end }: BodyReader, maxBytes: number): BodyReader => {
  let taken = 0
  return {
    push: (piece) => {
      taken += piece.length
      if (taken > maxBytes) throw new RpcTransportError('http', `an answer larger than ${maxBytes / (1 << 20)} MiB`)
      push(piece)
    },
    end,
  }
}

/** Decodes text. ASCII is decoded as latin1, which is several times faster. */
export const textOf = (bytes: Buffer): string => (isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8'))

/** Keeps the body as bytes, for callers that do not need its text; `end` returns an empty text. */
export const keptBody = (): BodyReader & { bytes: () => Buffer } => {
  const pieces: Buffer[] = []
  return {
    push: (piece) => void pieces.push(piece),
    end: () => '',
    bytes: () => (pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)),
  }
}

/** Keeps the whole body and returns its text. */
export const wholeBody = (): BodyReader => {
  const { push, bytes } = keptBody()
  return { push, end: () => textOf(bytes()) }
}

const cutOff = () => Object.assign(new Error('the answer was cut'), { code: 'ECONNRESET' })

/** The uncompressed body. */
const unpacked = (response: IncomingMessage): Readable => {
  const packed = response.headers['content-encoding']?.trim().toLowerCase()
  const decoder = packed === undefined ? undefined : DECODERS[packed]?.()
  if (!decoder) return response
  response.once('error', (error) => decoder.destroy(error))
  response.once('close', () => {
    if (!response.complete) decoder.destroy(cutOff())
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
    body.once('close', () => fail(cutOff()))
    body.once('end', () => {
      try {
        resolve(reader.end())
      } catch (error) {
        fail(error)
      }
    })
  })

/**
 * Whether the server closed a kept connection just as it was reused. Nothing was answered then, and as a rule nothing done, so
 * the request is repeated at once. That is safe because only reads are sent this way.
 */
const wasClosed = (error: Error, outgoing: ClientRequest): boolean =>
  outgoing.reusedSocket && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')

/**
 * POSTs to one URL. Redirects are not followed but returned like other responses.
 * @param readerOf creates the reader of a response body. @default as text
 * @param maxBytes of an uncompressed response.
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
      // Once the response has begun, its reader fails with the connection.
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
