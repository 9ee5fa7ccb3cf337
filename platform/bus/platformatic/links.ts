import { type API, Connection, type ConnectionOptions } from '@platformatic/kafka'
import type { KafkaAccess, KafkaLogin } from '../access/access.ts'
import { tlsOptions } from '../access/probe.ts'

const CONNECT_MS = 3_000
/** Time limit of a request, ms. */
export const REQUEST_MS = 10_000
/** Disables the library's own limit, which leaves a late response in the stream. `ask` closes the connection instead. */
const NEVER_MS = 600_000

/** Where a broker listens. An IPv6 host has no brackets. */
export type Address = { host: string; port: number }

/** One connection to one broker. Requests are answered in order. */
export type Link = {
  /** Sends one request. Any failure but an error response closes the link; requests under way fail too. */
  ask: <A extends unknown[], R>(api: API<A, R>, args: A, ms?: number) => Promise<R>
  isOpen: () => boolean
  close: () => void
}

const saslOf = ({ mechanism, username, password }: KafkaLogin) => ({ mechanism, username, password: password.reveal() })

/** Connects, starts TLS and logs in. */
export const openLink = async ({ tls, login }: KafkaAccess, { host, port }: Address): Promise<Link> => {
  const options: ConnectionOptions = {
    connectTimeout: CONNECT_MS,
    requestTimeout: NEVER_MS,
    ...(tls && { tls: tlsOptions(tls, host) }),
    ...(login && { sasl: saslOf(login) }),
  }
  const connection = new Connection('assay', options)
  const close = () => {
    connection.close().catch(() => {})
    connection.socket?.destroy()
  }
  connection.on('error', () => {})
  try {
    await connection.connect(host, port)
  } catch (error) {
    close()
    throw error
  }
  return {
    isOpen: () => connection.isConnected(),
    close,
    ask: async (api, args, ms = REQUEST_MS) => {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          reject(new Error(`${host}:${port} did not answer within ${ms} ms`))
          close()
        }, ms)
      })
      try {
        return await Promise.race([api.async(connection, ...args), late])
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** Connections of one user to the brokers of a cluster, each opened when first needed and again after it was lost. */
export type Links = {
  to: (address: Address) => Promise<Link>
  close: () => void
}

/**
 * Connections with one access. Callers that ask for the same broker at the same time share one connection. Fails after
 * `close`.
 */
export const createLinks = (access: KafkaAccess): Links => {
  const open = new Map<string, Promise<Link>>()
  let closed = false
  return {
    to: async (address) => {
      const name = `${address.host}:${address.port}`
      const known = await open.get(name)?.catch(() => undefined)
      if (known?.isOpen()) return known
      if (closed) throw new Error('the connections were closed')
      const current = open.get(name)
      const made =
        current && (await current.then((link) => link !== known).catch(() => false))
          ? current
          : openLink(access, address)
      open.set(name, made)
      return made
    },
    close: () => {
      closed = true
      for (const link of open.values()) link.then(({ close }) => close()).catch(() => {})
      open.clear()
    },
  }
}
