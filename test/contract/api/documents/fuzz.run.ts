/** Sends fuzzed requests to an API and holds every answer against its document. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { FastifyInstance } from 'fastify'
import { createFuzz } from './fuzz.kit.ts'
import { documentedBy } from './openapi.kit.ts'

/** One in so many goes over a connection of its own, as bytes. */
const RAW = 50
const AT_ONCE = 16
/** What an operation answers that is not part of an installation. */
const ABSENT = 'ANALYSIS_NOT_AVAILABLE'

export type FuzzOptions = {
  app: FastifyInstance
  /** Where the same API listens. */
  port: number
  requests: number
  seed: number
  /** One in so many answers is held against its schema. */
  checked: number
  /** Which paths of the document are asked. @default all */
  concerns?: (path: string) => boolean
}

/** What a server answers to bytes. */
const sendBytes = async (port: number, bytes: Buffer): Promise<{ statuses: number[]; text: string }> => {
  const socket = connect(port, '127.0.0.1')
  const parts: Buffer[] = []
  socket.on('data', (part) => parts.push(part)).on('error', () => undefined)
  socket.end(bytes)
  await once(socket, 'close').catch(() => undefined)
  const text = Buffer.concat(parts).toString('latin1')
  const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status))
  return { statuses, text }
}

/** Kinds of problems after which a run ends. */
const MOST_PROBLEMS = 20

/** How often each status was answered. @throws Error with the request and the answer of each kind of problem. */
export const runFuzz = async (options: FuzzOptions): Promise<Map<number, number>> => {
  const { app, port, requests, seed, checked, concerns } = options
  const documented = await documentedBy(app)
  const fuzz = await createFuzz(app, seed, concerns)
  const statuses = new Map<number, number>()
  const problems = new Map<string, string>()
  /** Told at once: a night that is broken off has said what it found. */
  const report = (kind: string, text: string) => {
    if (!problems.has(kind)) console.error(text)
    problems.set(kind, text)
  }
  const count = (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1)
  let sent = 0

  const sendRaw = async () => {
    const bytes = fuzz.nextBytes()
    const { statuses: answered, text } = await sendBytes(port, bytes)
    answered.forEach(count)
    if (answered.some((status) => status >= 500) && !text.includes(ABSENT)) {
      report(text.slice(0, 100), `${text} to ${JSON.stringify(bytes.toString('latin1'))}`)
    }
  }
  const send = async (): Promise<void> => {
    const { path, ...request } = fuzz.next()
    // A path that is none in a URL goes over the wire alone: what injects requests refuses to make it.
    if (!URL.canParse(request.url, 'http://localhost')) return send()
    const { statusCode: status, headers, body } = await app.inject(request)
    count(status)
    const found = (kind: string) => {
      const asked = JSON.stringify({ ...request, payload: request.payload?.toString('latin1') })
      report(kind, `${kind}\n  ${status} ${body.slice(0, 500)}\n  to ${asked.slice(0, 5_000)}`)
    }
    if (status >= 500 && !body.includes(ABSENT)) return found(`${request.method} ${path ?? ''} answered ${status}`)
    if (status < 300) fuzz.learn(body)
    // Parts of other installations are documented, and not there.
    if (path === undefined || sent % checked !== 0 || body.includes('UNKNOWN_ROUTE')) return
    try {
      documented.answer(path, request.method, status, headers, body)
    } catch (error) {
      found(error instanceof Error ? error.message : String(error))
    }
  }
  const worker = async () => {
    while (sent < requests && problems.size < MOST_PROBLEMS) await (++sent % RAW === 0 ? sendRaw() : send())
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  if (problems.size > 0) throw new Error([...problems.values()].join('\n'))
  return statuses
}

setFlagsFromString('--expose_gc')
const collect = runInNewContext('gc') as () => void

/** Bytes of heap that are in use after a full collection. */
export const heapInUse = (): number => {
  collect()
  return process.memoryUsage().heapUsed
}
