/** Client of the public API. The browser adds the session cookie; the page never sees the key. */

/**
 * @typedef {{ message: string, error: string, details: { field: string, reason: string }[] }} ErrorBody
 * @typedef {{ body: any, headers: Headers }} Answered
 */

/** An error response, or none at all. */
export class Refusal extends Error {
  /** @param {number} status 0 without a response @param {ErrorBody} body @param {Headers} headers */
  constructor(status, body, headers = new Headers()) {
    super(body.message)
    this.status = status
    this.code = body.error
    this.details = body.details
    /** Seconds to wait; 0 if the server does not say. */
    this.retryAfter = Number(headers.get('retry-after') ?? 0)
    this.requestId = headers.get('x-request-id')
  }
}

const SILENT = { error: 'NO_ANSWER', details: [] }

/** @param {Response} response @returns {Promise<any>} */
const jsonOf = async (response) => {
  try {
    return await response.json()
  } catch {
    return { ...SILENT, message: `The server answered with status ${response.status}, but not with JSON.` }
  }
}

/** Attempts at a request that a busy server refuses, and the longest Retry-After to wait for. */
const [TRIES, MAX_SECONDS] = [4, 5]

/** Event on the document when a response shows that the session has ended. */
export const SIGNED_OUT = 'console:signed-out'

/** @param {string} path @param {RequestInit} request @param {AbortSignal | undefined} signal @returns {Promise<Response>} */
const once = async (path, request, signal) => {
  const response = await fetch(path, request).catch((error) => {
    if (signal?.aborted) throw error
    throw new Refusal(0, {
      ...SILENT,
      message: 'The server did not answer. Check your connection and that the server is running.',
    })
  })
  if (response.ok) return response
  if (response.status === 401 && !path.startsWith('/console/')) document.dispatchEvent(new Event(SIGNED_OUT))
  throw new Refusal(response.status, await jsonOf(response), response.headers)
}

/**
 * Sends a request and returns successful responses.
 *
 * @param {string} method @param {string} path
 * @param {{ body?: BodyInit, headers?: Record<string, string>, signal?: AbortSignal | undefined }} [options]
 * @returns {Promise<Response>}
 * @throws {Refusal}
 */
export const send = async (method, path, { body, headers = {}, signal } = {}) => {
  /** @type {RequestInit} */
  const request = { method, headers, credentials: 'same-origin', ...(body && { body }), ...(signal && { signal }) }
  for (let nth = 1; ; nth++) {
    try {
      return await once(path, request, signal)
    } catch (error) {
      const isBusy = error instanceof Refusal && error.code === 'OVERLOADED' && error.retryAfter <= MAX_SECONDS
      if (!isBusy || nth === TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.max(1, error.retryAfter) * 1_000))
    }
  }
}

/**
 * Posts JSON to an operation.
 *
 * @param {string} path @param {unknown} body @param {AbortSignal} [signal]
 * @returns {Promise<Answered>}
 */
export const ask = async (path, body, signal) => {
  const headers = { 'content-type': 'application/json' }
  const response = await send('POST', path, { body: JSON.stringify(body), headers, signal })
  return { body: await jsonOf(response), headers: response.headers }
}

/** @param {string} path @param {AbortSignal} [signal] @returns {Promise<Answered>} */
export const read = async (path, signal) => {
  const response = await send('GET', path, { signal })
  return { body: await jsonOf(response), headers: response.headers }
}
