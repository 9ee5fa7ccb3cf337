/**
 * Asks a broker which protocol versions it supports, before any client connects. The client libraries report an untrusted
 * certificate, a missing KAFKA_TLS and a version the broker has dropped as lost connections, after hours of retries.
 * Here each of them has its own message.
 */
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { KafkaTls } from './access.ts'

/** Lowest and highest supported version of each API, by API key. */
export type ApiVersions = ReadonlyMap<number, readonly [min: number, max: number]>

/** Outcome of a probe. Only `untrusted`, `no-tls`, `refused` and outdated versions stop a start. */
export type Probe =
  | { kind: 'answered'; versions: ApiVersions }
  /** The broker is down or not up yet. Not a reason to stop. */
  | { kind: 'unreachable'; why: string }
  /** The certificate of the broker is not trusted or not for this host. */
  | { kind: 'untrusted'; why: string }
  /** The client uses TLS, the broker does not. */
  | { kind: 'no-tls'; why: string }
  /** The broker closed the connection: it uses TLS and the client does not, or it requires a client certificate. */
  | { kind: 'refused'; why: string }

const API_VERSIONS = 18
const PROBE_MS = 5_000

/** ApiVersions request, version 0, which every broker answers before a login: header of key, version, correlation and client. */
const versionsRequest = (): Buffer => {
  const client = Buffer.from('assay')
  const body = Buffer.alloc(10)
  body.writeInt16BE(API_VERSIONS, 0)
  body.writeInt32BE(1, 4)
  body.writeInt16BE(client.length, 8)
  const size = Buffer.alloc(4)
  size.writeInt32BE(body.length + client.length)
  return Buffer.concat([size, body, client])
}

const RESPONSE_HEAD_BYTES = 14
const ENTRY_BYTES = 6

/** Parses the response. Undefined when it is incomplete or something else. */
const parseVersions = (bytes: Buffer): ApiVersions | undefined => {
  if (bytes.length < RESPONSE_HEAD_BYTES || bytes.readInt32BE(4) !== 1 || bytes.readInt16BE(8) !== 0) return undefined
  const count = bytes.readInt32BE(10)
  if (bytes.length < RESPONSE_HEAD_BYTES + count * ENTRY_BYTES) return undefined
  const at = (index: number) => RESPONSE_HEAD_BYTES + index * ENTRY_BYTES
  return new Map(
    Array.from({ length: count }, (_, index) => [
      bytes.readInt16BE(at(index)),
      [bytes.readInt16BE(at(index) + 2), bytes.readInt16BE(at(index) + 4)] as const,
    ]),
  )
}

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '')
const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])
/** TLS alert that a broker sends when it rejects our certificate or requires one. */
const ALERT = /ALERT/
const CERTIFICATE = /CERT|ISSUER|SELF_SIGNED|ALTNAME|CRL|SIGNATURE|UNABLE_TO_VERIFY/

type Progress = { tls: boolean; connected: boolean; secure: boolean }

/** Classifies a connection error. `secure`: whether the TLS handshake had completed. */
const classify = (error: Error, { tls, connected, secure }: Progress): Probe => {
  const code = codeOf(error)
  const why = code ? `${error.message} (${code})` : error.message
  if (!connected || UNREACHABLE.has(code)) return { kind: 'unreachable', why }
  if (!tls || ALERT.test(code)) return { kind: 'refused', why }
  if (CERTIFICATE.test(code)) return { kind: 'untrusted', why }
  return secure ? { kind: 'unreachable', why } : { kind: 'no-tls', why }
}

/** TLS options with the host as server name, which the certificate must match. IP addresses are no server names. */
export const tlsOptions = <T extends KafkaTls>(tls: T, host: string): T & { servername?: string } => ({
  ...tls,
  ...(isIP(host) === 0 && { servername: host }),
})

/** Parses `host:port`; brackets of an IPv6 host are removed. */
export const parseAddress = (address: string): { host: string; port: number } => {
  const at = address.lastIndexOf(':')
  return { host: address.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(address.slice(at + 1)) }
}

type ProbeTls = KafkaTls & { rejectUnauthorized?: boolean }

const probeOnce = (address: string, tls: ProbeTls | undefined): Promise<Probe> => {
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
      if (!tls) socket.write(versionsRequest())
    })
    socket.once('secureConnect', () => {
      secure = true
      socket.write(versionsRequest())
    })
    socket.on('error', (error) => done(classify(error, { tls: tls !== undefined, connected, secure })))
    socket.once('close', () => {
      const error = new Error('the broker closed the connection')
      done(classify(error, { tls: tls !== undefined, connected, secure }))
    })
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk])
      const versions = parseVersions(bytes)
      if (versions) done({ kind: 'answered', versions })
    })
  })
}

/**
 * Probes one broker. Brokers come and go, so a lost connection alone proves nothing: it counts as a disagreement on TLS
 * only when the probe with the other TLS setting succeeds. Never throws.
 */
export const probe = async (address: string, tls: KafkaTls | undefined): Promise<Probe> => {
  const result = await probeOnce(address, tls)
  if (result.kind === 'no-tls') {
    const plain = await probeOnce(address, undefined)
    return plain.kind === 'answered' ? result : { kind: 'unreachable', why: result.why }
  }
  if (result.kind !== 'refused' || tls) return result
  const encrypted = await probeOnce(address, { rejectUnauthorized: false })
  const isTls = encrypted.kind === 'answered' || encrypted.kind === 'refused'
  return isTls ? result : { kind: 'unreachable', why: result.why }
}
