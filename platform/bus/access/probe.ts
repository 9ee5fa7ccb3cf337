/**
 * One question to one broker before any client is used: which protocol versions it speaks. Clients report a certificate
 * they do not trust, a missing KAFKA_TLS and a version the broker has dropped as lost connections, hours of retries
 * later; here each has a message of its own.
 */
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { KafkaTls } from './access.ts'

/** Lowest and highest version of each API, by its key in the protocol. */
export type ApiVersions = ReadonlyMap<number, readonly [min: number, max: number]>

/** What a broker did when it was asked. Only `untrusted`, `no-tls`, `refused` and too old versions stop a start. */
export type Probe =
  | { kind: 'answered'; versions: ApiVersions }
  /** The broker is not there, or not yet: no reason to stop. */
  | { kind: 'unreachable'; why: string }
  /** The certificate of the broker is not trusted or not for this host. */
  | { kind: 'untrusted'; why: string }
  /** We speak TLS and the broker does not. */
  | { kind: 'no-tls'; why: string }
  /** The broker hung up on what we sent: it speaks TLS and we do not, or it asks for a client certificate. */
  | { kind: 'refused'; why: string }

const API_VERSIONS = 18
const PROBE_MS = 5_000

/** ApiVersions, version 0, which every broker answers before a login: header of key, version, correlation and client. */
const question = (): Buffer => {
  const client = Buffer.from('assay')
  const body = Buffer.alloc(10)
  body.writeInt16BE(API_VERSIONS, 0)
  body.writeInt32BE(1, 4)
  body.writeInt16BE(client.length, 8)
  const size = Buffer.alloc(4)
  size.writeInt32BE(body.length + client.length)
  return Buffer.concat([size, body, client])
}

const ANSWER_HEAD = 14
const ENTRY = 6

/** The answer, or undefined when bytes are missing or it is not one. */
const answer = (bytes: Buffer): ApiVersions | undefined => {
  if (bytes.length < ANSWER_HEAD || bytes.readInt32BE(4) !== 1 || bytes.readInt16BE(8) !== 0) return undefined
  const count = bytes.readInt32BE(10)
  if (bytes.length < ANSWER_HEAD + count * ENTRY) return undefined
  const at = (index: number) => ANSWER_HEAD + index * ENTRY
  return new Map(
    Array.from({ length: count }, (_, index) => [
      bytes.readInt16BE(at(index)),
      [bytes.readInt16BE(at(index) + 2), bytes.readInt16BE(at(index) + 4)] as const,
    ]),
  )
}

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '')
const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])
/** What the broker sends when it does not accept our certificate, or misses one. */
const ALERT = /ALERT/
const CERTIFICATE = /CERT|ISSUER|SELF_SIGNED|ALTNAME|CRL|SIGNATURE|UNABLE_TO_VERIFY/

type Progress = { tls: boolean; connected: boolean; secure: boolean }

/** Puts an error of a connection in its class. `secure`: whether the TLS handshake was done. */
const classify = (error: Error, { tls, connected, secure }: Progress): Probe => {
  const code = codeOf(error)
  const why = code ? `${error.message} (${code})` : error.message
  if (!connected || UNREACHABLE.has(code)) return { kind: 'unreachable', why }
  if (!tls || ALERT.test(code)) return { kind: 'refused', why }
  if (CERTIFICATE.test(code)) return { kind: 'untrusted', why }
  return secure ? { kind: 'unreachable', why } : { kind: 'no-tls', why }
}

/** Options of a TLS connection. The name that a certificate has to be for is the host's; addresses are no server names. */
export const tlsOptions = <T extends KafkaTls>(tls: T, host: string): T & { servername?: string } => ({
  ...tls,
  ...(isIP(host) === 0 && { servername: host }),
})

/** Host and port of `host:port`; the host of an IPv6 address without its brackets. */
export const parseAddress = (address: string): { host: string; port: number } => {
  const at = address.lastIndexOf(':')
  return { host: address.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(address.slice(at + 1)) }
}

type Way = KafkaTls & { rejectUnauthorized?: boolean }

const ask = (address: string, tls: Way | undefined): Promise<Probe> => {
  const { host, port } = parseAddress(address)
  return new Promise((resolve) => {
    let [connected, secure] = [false, false]
    let bytes = Buffer.alloc(0)
    const socket: Socket = tls ? connectTls({ ...tlsOptions(tls, host), host, port }) : connect({ host, port })
    const done = (result: Probe) => {
      socket.destroy()
      resolve(result)
    }
    socket.setTimeout(PROBE_MS, () => done({ kind: 'unreachable', why: `no answer within ${PROBE_MS} ms` }))
    socket.once('connect', () => {
      connected = true
      if (!tls) socket.write(question())
    })
    socket.once('secureConnect', () => {
      secure = true
      socket.write(question())
    })
    socket.on('error', (error) => done(classify(error, { tls: tls !== undefined, connected, secure })))
    socket.once('close', () => {
      const error = new Error('the broker closed the connection')
      done(classify(error, { tls: tls !== undefined, connected, secure }))
    })
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk])
      const versions = answer(bytes)
      if (versions) done({ kind: 'answered', versions })
    })
  })
}

/**
 * Asks one broker. A lost connection alone is no proof, because brokers come and go: it only counts as a disagreement on
 * TLS when the other way of asking is understood. Never throws.
 */
export const probe = async (address: string, tls: KafkaTls | undefined): Promise<Probe> => {
  const result = await ask(address, tls)
  if (result.kind === 'no-tls') {
    const plain = await ask(address, undefined)
    return plain.kind === 'answered' ? result : { kind: 'unreachable', why: result.why }
  }
  if (result.kind !== 'refused' || tls) return result
  const encrypted = await ask(address, { rejectUnauthorized: false })
  const isTls = encrypted.kind === 'answered' || encrypted.kind === 'refused'
  return isTls ? result : { kind: 'unreachable', why: result.why }
}
