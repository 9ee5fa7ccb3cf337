/** Ports, tried before anything is started that would have to be ended again. */
import { createServer } from 'node:net'
import { OperatorError } from '../../platform/errors.ts'

const REASONS: Record<string, string> = {
  EADDRINUSE: 'another process listens there',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'the address is not of this machine',
  ENOTFOUND: 'no such host is known',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
}

const codeOf = (cause: unknown): string => (cause instanceof Error && 'code' in cause ? String(cause.code) : '')

/** The error of a server that could not listen, where another process came first since the check; `undefined` for others. */
export const portErrorOf = (cause: unknown): OperatorError | undefined => {
  if (!(cause instanceof Error && 'syscall' in cause && cause.syscall === 'listen')) return undefined
  const { address = '', port = 0 } = cause as { address?: string; port?: number }
  return refused({ host: address, port, setting: 'ASSAY_PORT (ASSAY_OPS_PORT for indexer and scorer)' }, cause)
}

/** An address that a server is going to listen on. */
export type Place = {
  host: string
  port: number
  /** Setting that names the port. */
  setting: string
}

const refused = ({ host, port, setting }: Place, cause: unknown): OperatorError =>
  new OperatorError(
    'ASSAY_START_PORT',
    `The process cannot listen on ${host.includes(':') ? `[${host}]` : host}:${port}: ${REASONS[codeOf(cause)] ?? (codeOf(cause) || 'the system refused')}. Nothing was started. Stop what listens there, or set ${setting} to another port.`,
    { cause },
  )

/** Listens for a moment. @throws OperatorError ASSAY_START_PORT */
export const checkPort = (place: Place): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (cause) => reject(refused(place, cause)))
    server.listen({ host: place.host, port: place.port }, () => server.close(() => resolve()))
  })
