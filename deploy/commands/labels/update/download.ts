/**
 * Fetches a document of a list into a file. The server is not trusted: redirects are limited to allowed hosts, size is
 * limited after decompression, time is limited, and web pages are refused.
 */

import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Clock } from '../../../../platform/context/clock.ts'
import { publicUrl } from '../../../../platform/context/log.ts'
import { messageOf, OperatorError, RetryableError } from '../../../../platform/errors.ts'

/** HTTP validators of a fetched document, for conditional requests. */
export type Validators = { etag: string; lastModified: string }

/** A document to fetch, and limits. */
export type Download = {
  url: string
  /** Hosts besides that of the URL to which redirects may lead. */
  hosts: readonly string[]
  /** Maximum size after decompression, bytes. */
  maxBytes: number
  /** File to write. */
  file: string
  /** Validators for a conditional request. Without them the request is unconditional. */
  known?: Validators | undefined
}

/** `unchanged`: the document matches the validators, and nothing was written. */
export type Downloaded =
  | { kind: 'unchanged' }
  | { kind: 'fetched'; validators: Validators; bytes: number; sha256: string }

/** Clock, signal and time limits of a download. */
export type DownloadDeps = {
  clock: Pick<Clock, 'sleep'>
  signal?: AbortSignal | undefined
  /** For one document, retries included, ms. @default 180_000 */
  deadlineMs?: number | undefined
  /** Pause before the second attempt, ms; doubled for each further one. @default 1_000 */
  pauseMs?: number | undefined
}

const DEADLINE_MS = 180_000
const MAX_ATTEMPTS = 3
const PAUSE_MS = 1_000
const MAX_REDIRECTS = 4
const REDIRECTS = new Set([301, 302, 303, 307, 308])

const UNCHANGED = 'Nothing was changed.'
// Paths and queries of URLs may contain keys, so messages name only the host.
const refused = (url: string, why: string, cause?: unknown) =>
  new OperatorError(
    'ASSAY_LABELS_SOURCE_REFUSED',
    `The label list document at ${publicUrl(url)} was refused: ${why}. ${UNCHANGED} Open the URL of the list and see docs/operate/runbooks/labels-outdated.md.`,
    cause === undefined ? undefined : { cause },
  )
const failed = (url: string, why: string, cause?: unknown) =>
  new RetryableError(
    'ASSAY_LABELS_SOURCE_FAILED',
    `The label list document at ${publicUrl(url)} could not be fetched: ${why}. ${UNCHANGED} The next update tries again.`,
    cause === undefined ? undefined : { cause },
  )

/** Target of a redirect. @throws OperatorError if it leaves the allowed hosts or TLS */
const target = (from: URL, location: string | null, { url, hosts }: Download): URL => {
  const to = location !== null && URL.canParse(location, from.href) ? new URL(location, from.href) : undefined
  if (!to) throw refused(url, 'its redirect has no valid location')
  if (to.protocol !== from.protocol && to.protocol !== 'https:') throw refused(url, 'it redirects away from TLS')
  if (to.host !== new URL(url).host && !hosts.includes(to.host))
    throw refused(url, `it redirects to ${to.host}, which is not an allowed host of this list`)
  return to
}

const request = async (download: Download, signal: AbortSignal): Promise<Response> => {
  const { url, known } = download
  const headers = {
    accept: '*/*',
    ...(known?.etag && { 'if-none-match': known.etag }),
    ...(known?.lastModified && { 'if-modified-since': known.lastModified }),
  }
  let at = new URL(url)
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await fetch(at, { signal, headers, redirect: 'manual' })
    if (!REDIRECTS.has(response.status)) return response
    await response.body?.cancel()
    at = target(at, response.headers.get('location'), download)
  }
  throw refused(url, `it redirects more than ${MAX_REDIRECTS} times`)
}

/** Whether the document is a web page, such as a login or error page. */
const isPage = (start: string): boolean =>
  /^\s*<(!doctype html|html|head|body)[\s>]/i.test(start.replace(/^\uFEFF/, ''))

const HEAD = 512

const save = async ({ url, file, maxBytes }: Download, response: Response): Promise<Downloaded> => {
  const declared = Number(response.headers.get('content-length') ?? 0)
  const large = () => refused(url, `it is larger than ${maxBytes} bytes`)
  if (declared > maxBytes) {
    await response.body?.cancel()
    throw large()
  }
  const hash = createHash('sha256')
  const out = await open(file, 'w')
  let bytes = 0
  let head = Buffer.alloc(0)
  try {
    // Leaving the loop cancels the body.
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw large()
      if (head.length < HEAD) head = Buffer.concat([head, chunk]).subarray(0, HEAD)
      hash.update(chunk)
      await out.writeFile(chunk)
    }
  } finally {
    await out.close()
  }
  if (bytes === 0) throw refused(url, 'it is empty')
  if (isPage(head.toString())) throw refused(url, 'it is a web page')
  const validators = {
    etag: response.headers.get('etag') ?? '',
    lastModified: response.headers.get('last-modified') ?? '',
  }
  return { kind: 'fetched', validators, bytes, sha256: hash.digest('hex') }
}

const attempt = async (download: Download, signal: AbortSignal): Promise<Downloaded> => {
  const { url, known } = download
  const response = await request(download, signal)
  if (response.status === 200) return save(download, response)
  await response.body?.cancel()
  if (response.status === 304 && known) return { kind: 'unchanged' }
  if (response.status === 429 || response.status >= 500) throw failed(url, `status ${response.status}`)
  throw refused(url, `status ${response.status}`)
}

/**
 * Fetches a document, with up to three attempts within the deadline.
 * @throws OperatorError ASSAY_LABELS_SOURCE_REFUSED for a response that a retry would not fix, RetryableError
 *   ASSAY_LABELS_SOURCE_FAILED for a server that does not respond.
 */
export const fetchDocument = async (
  download: Download,
  { clock, signal, deadlineMs = DEADLINE_MS, pauseMs = PAUSE_MS }: DownloadDeps,
): Promise<Downloaded> => {
  const deadline = AbortSignal.timeout(deadlineMs)
  const ends = signal ? AbortSignal.any([signal, deadline]) : deadline
  for (let tried = 1; ; tried++) {
    try {
      return await attempt(download, ends)
    } catch (error) {
      if (error instanceof OperatorError) throw error
      if (deadline.aborted) throw failed(download.url, `no complete response within ${deadlineMs} ms`, error)
      signal?.throwIfAborted()
      if (tried === MAX_ATTEMPTS)
        throw error instanceof RetryableError ? error : failed(download.url, reasonOf(error), error)
      await clock.sleep(pauseMs * 2 ** (tried - 1), ends).catch(() => {})
    }
  }
}

/** The message of fetch is always `fetch failed`; its cause has the reason. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? error.cause.message : messageOf(error)
