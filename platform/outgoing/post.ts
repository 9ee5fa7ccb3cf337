/**
 * A POST to a server that an untrusted party named. The name is resolved here, every address is checked, and the connection
 * goes to a checked address, so that a later change of the name has no effect. Redirects are not followed, and only the
 * status of the response is used.
 */
import { type ClientRequest, type RequestOptions, request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { addressesOf, parseTarget, type TargetRules } from './target.ts'

type Posted = {
  status: number
  /** Header `Retry-After`. */
  retryAfter: string | null
}

/** Allowed targets, and the deadline. */
export type PostOptions = TargetRules & {
  /** From the name lookup to the response's status, ms. */
  deadlineMs: number
}

/** How much of the response is read, so that a server with a short body can end its connection. */
const MAX_ANSWER_BYTES = 16 * 1024
const MAX_ANSWER_MS = 1_000
const MAX_HEADER_BYTES = 16 * 1024

/** A lookup that always returns the checked addresses. */
const lookupOf = (addresses: readonly string[]): LookupFunction => {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, options, callback) => {
    const [first] = found
    if (!first) callback(new Error('no address'), '')
    else if (options.all) callback(null, found)
    else callback(null, first.address, first.family)
  }
}

const drain = (outgoing: ClientRequest) => {
  const timer = setTimeout(() => outgoing.destroy(), MAX_ANSWER_MS)
  outgoing.once('close', () => clearTimeout(timer))
}

/** @throws TargetRefused; errors of Node's client; an Error with name TimeoutError after the deadline. */
export const postToStranger = async (
  target: string,
  { body, headers }: { body: string; headers: Record<string, string> },
  { deadlineMs, ...rules }: PostOptions,
): Promise<Posted> => {
  const url = parseTarget(target, rules)
  const signal = AbortSignal.timeout(deadlineMs)
  const addresses = await addressesOf(url, rules, signal)
  signal.throwIfAborted()
  const options: RequestOptions = {
    method: 'POST',
    // A kept connection would outlive the check of its address.
    agent: false,
    lookup: lookupOf(addresses),
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'assay-webhooks',
      connection: 'close',
    },
  }
  return new Promise((resolve, reject) => {
    const outgoing = url.protocol === 'https:' ? secureRequest(url, options) : request(url, options)
    outgoing.once('response', (response) => {
      let bytes = 0
      response.on('data', (piece: Buffer) => {
        bytes += piece.length
        if (bytes > MAX_ANSWER_BYTES) outgoing.destroy()
      })
      response.on('error', () => undefined)
      drain(outgoing)
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] ?? null })
    })
    outgoing.on('error', (error) => reject(signal.aborted ? signal.reason : error))
    outgoing.end(body)
  })
}
