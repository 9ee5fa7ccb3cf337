/**
 * Load from a separate process. `closed`: autocannon, each connection sends the next request after an answer, each with
 * its own share of the requests. `paced`: requests are due at fixed times regardless of the server, and latency counts
 * from when a request was due.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import autocannon from 'autocannon'

export type LoadJob = {
  url: string
  path: string
  headers: Record<string, string>
  /** Further headers of each request, in the order of `bodies`; closed loop only. */
  headersEach?: Record<string, string>[]
  bodies: string[]
  connections: number
  seconds: number
  /** Total number of requests, instead of a duration. */
  amount?: number
  /** Requests per second; closed loop without it. */
  rate?: number
}
/** Latencies in milliseconds. `failures`: counts by status other than 200, `none` if there was no answer. */
export type LoadResult = {
  perSecond: number
  p50: number
  p99: number
  worst: number
  failures: Record<string, number>
}

const closed = async ({
  url,
  path,
  headers,
  headersEach,
  bodies,
  connections,
  seconds,
  amount,
}: LoadJob): Promise<LoadResult> => {
  const share = Math.ceil(bodies.length / connections)
  let client = 0
  // With a number of requests, autocannon notices completion only at the next full second.
  const start = performance.now()
  let last = start
  const result = await autocannon({
    url,
    connections,
    timeout: 30,
    ...(amount ? { amount } : { duration: seconds }),
    setupClient: (connection) => {
      const from = client++ * share
      const own = bodies.slice(from, from + share)
      connection.on('response', () => {
        last = performance.now()
      })
      connection.setRequests(
        own.map((body, index) => ({
          method: 'POST',
          path,
          headers: { ...headers, ...headersEach?.[from + index] },
          body,
        })),
      )
    },
  })
  const { p50, p99, max } = result.latency
  const failures: LoadResult['failures'] = result.errors > 0 ? { none: result.errors } : {}
  for (const [status, { count }] of Object.entries(result.statusCodeStats)) {
    if (status !== '200') failures[status] = count
  }
  const perSecond = Math.round(result['2xx'] / ((last - start) / 1_000))
  return { perSecond, p50, p99, worst: max, failures }
}

const open = (url: URL): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname, () => {
      socket.off('error', reject)
      resolve(socket)
    }).once('error', reject)
    socket.setNoDelay(true)
  })

const HEAD_END = Buffer.from('\r\n\r\n')

/** Sends one request; calls back with the status once the whole answer has arrived, or with `none` if it cannot. */
const exchange = (socket: Socket, request: Buffer, done: (status: string) => void) => {
  let received: Buffer = Buffer.alloc(0)
  const end = (status: string) => {
    socket.off('data', onData).off('close', onClose)
    done(status)
  }
  const onClose = () => end('none')
  const onData = (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const head = received.indexOf(HEAD_END)
    if (head < 0) return
    const length = /content-length: (\d+)/i.exec(received.toString('latin1', 0, head))
    if (received.length >= head + HEAD_END.length + Number(length?.[1])) end(received.toString('latin1', 9, 12))
  }
  socket.on('data', onData).once('close', onClose)
  socket.write(request)
}

/**
 * Connections opened on demand, `most` at a time: a server closes idle ones, and at a low rate most of those opened
 * ahead would be idle.
 */
const createConnections = (url: URL, most: number) => {
  const known = new Set<Socket>()
  const idle: Socket[] = []
  const add = async (): Promise<Socket> => {
    const socket = await open(url)
    known.add(socket)
    // Errors of a connection show in its end.
    socket.on('error', () => undefined).once('close', () => known.delete(socket))
    return socket
  }
  return {
    /** An idle one; `undefined` while all are in use. */
    take: async (): Promise<Socket | undefined> => {
      for (let own = idle.pop(); own; own = idle.pop()) if (known.has(own)) return own
      return known.size < most ? add() : undefined
    },
    give: (socket: Socket) => void idle.push(socket),
    close: () => {
      for (const socket of known) socket.destroy()
    },
  }
}

const paced = async (job: LoadJob, rate: number): Promise<LoadResult> => {
  const url = new URL(job.url)
  const fields = Object.entries({ host: url.host, ...job.headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const requests = job.bodies.map((body) =>
    Buffer.from(
      `POST ${job.path} HTTP/1.1\r\n${fields.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    ),
  )
  const connections = createConnections(url, job.connections)
  const total = rate * job.seconds
  const latencies: number[] = []
  const start = performance.now()
  let sent = 0
  const failures: LoadResult['failures'] = {}
  while (latencies.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - start) / 1_000) * rate))
    while (sent < due) {
      const own = await connections.take()
      if (!own) break
      const dueAt = start + (sent / rate) * 1_000
      exchange(own, requests[sent % requests.length] ?? Buffer.alloc(0), (status) => {
        latencies.push(performance.now() - dueAt)
        if (status !== '200') failures[status] = (failures[status] ?? 0) + 1
        connections.give(own)
      })
      sent++
    }
    await delay(1)
  }
  connections.close()
  const sorted = latencies.sort((a, b) => a - b)
  const at = (share: number) =>
    Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2))
  const perSecond = Math.round(total / ((performance.now() - start) / 1_000))
  return { perSecond, p50: at(0.5), p99: at(0.99), worst: at(1), failures }
}

process.once('message', async (job: LoadJob) => {
  process.send?.(job.rate ? await paced(job, job.rate) : await closed(job))
  process.disconnect()
})
