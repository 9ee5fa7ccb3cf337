/** Checks of ports before anything is started. */
import { createServer } from 'node:net'
import { OperatorError } from '../../platform/errors.ts'

const REASONS: Record<string, string> = {
  EADDRINUSE: 'another process listens there',
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'this machine does not have the address',
  ENOTFOUND: 'the host does not exist',
  EAI_AGAIN: 'the host name cannot be resolved now',
}

const codeOf = (cause: unknown): string => (cause instanceof Error && 'code' in cause ? String(cause.code) : '')

/** Converts the error of a server that could not listen, as when another process took the port after the check. Others: `undefined`. */
export const portErrorOf = (cause: unknown): OperatorError | undefined => {
  if (!(cause instanceof Error && 'syscall' in cause && cause.syscall === 'listen')) return undefined
  const { address = '', port = 0 } = cause as { address?: string; port?: number }
  return refused({ host: address, port, setting: 'ASSAY_PORT (ASSAY_OPS_PORT for indexer and scorer)' }, cause)
}

/** An address on which a server will listen. */
export type Place = {
  host: string
  port: number
  /** Setting of the port. */
  setting: string
}

const refused = ({ host, port, setting }: Place, cause: unknown): OperatorError =>
  new OperatorError(
    'ASSAY_START_PORT',
    `The process cannot listen on ${host.includes(':') ? `[${host}]` : host}:${port}: ${REASONS[codeOf(cause)] ?? (codeOf(cause) || 'the system refused')}. Nothing was started. Stop the other process, or set ${setting} to another port.`,
    { cause },
  )

/** Listens briefly to check that the port is free. @throws OperatorError ASSAY_START_PORT */
export const checkPort = (place: Place): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (cause) => reject(refused(place, cause)))
    server.listen({ host: place.host, port: place.port }, () => server.close(() => resolve()))
  })
