/** Shared parts of HTTP nodes: chance, changeable faults, call counts, a server on loopback. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { seeded } from './chain/replay-node.ts'

export type Refusals = {
  /** Share of calls refused. */
  refused?: number
  /** Number of calls refused from now on; afterwards it answers. */
  refusals?: number
}

/** `faults` counts refusals and wrong answers, `times` holds the times of calls. */
export type Counts = { faults: number; times: number[]; headers: IncomingHttpHeaders[] }

/** Faults of a node, decided per call by a seeded generator, so that runs repeat. */
export const createFaults = <Faults extends Refusals>(first: Faults, seed: number) => {
  const random = seeded(seed)
  const counts: Counts = { faults: 0, times: [], headers: [] }
  let faults = first
  const lies = (share: number | undefined): boolean => {
    const lie = share !== undefined && random() < share
    if (lie) counts.faults += 1
    return lie
  }
  return {
    now: () => faults,
    setFaults: (next: Faults) => {
      faults = next
    },
    counts,
    lies,
    refuses: (): boolean => {
      if (!faults.refusals) return lies(faults.refused)
      faults = { ...faults, refusals: faults.refusals - 1 }
      return true
    },
    /** Records a call. */
    called: ({ headers }: IncomingMessage): void => {
      counts.times.push(performance.now())
      counts.headers.push(headers)
    },
  }
}

export const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** Listens on any port of loopback until stopped. */
export const listenOnLoopback = async (
  serve: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>,
): Promise<{ origin: string; stop: () => Promise<void> }> => {
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
