/**
 * Checks an endpoint before anything is started: whether it responds as a node of the right chain and accepts the key. Failures
 * are described in one sentence, without the URL, which may contain a key.
 */
import { z } from 'zod'
import { publicUrl } from '../../platform/context/log.ts'
import { messageOf, OperatorError } from '../../platform/errors.ts'
import { RpcError, rpcError } from '../../platform/rpc/errors.ts'
import { reasonOf } from '../../platform/rpc/post.ts'
import { createTransport } from '../../platform/rpc/transport.ts'
import type { AddressFamily } from '../../schema/networks/families.ts'
import { type Network, networkInfo } from '../../schema/networks.ts'
import { plain } from '../command-line/text.ts'

/** An endpoint that responds as a node of the right chain, with a function for further calls. */
export type Sound = { kind: 'sound'; host: string; call: Call }
/** `silent`: may work later. `wrong`: the setting has to be changed. */
export type Unsound = { kind: 'silent' | 'wrong'; host: string; reason: string }
/** Result of the check. */
export type Asked = Sound | Unsound

/** A call to a node. @throws Error with the message of the node or the network */
export type Call = (method: string, params: readonly unknown[]) => Promise<unknown>

const DEADLINE_MS = 10_000

const answered = z.union([
  z.looseObject({ result: z.unknown().refine((value) => value !== undefined) }),
  z.looseObject({ error: z.looseObject({ code: z.number(), message: z.string() }) }),
])

class Failure extends Error {
  readonly kind: 'silent' | 'wrong'
  constructor(kind: 'silent' | 'wrong', message: string) {
    super(message)
    this.name = 'Failure'
    this.kind = kind
  }
}

/** Descriptions of network errors. */
const WORDS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host does not exist',
  EAI_AGAIN: 'the host name cannot be resolved now',
  ECONNRESET: 'it closed the connection without a response',
  ETIMEDOUT: 'it does not respond',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the host is unreachable',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by an unknown authority',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not use TLS; use http:// instead of https://',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
}

/** Failure for an HTTP status, whatever the body. */
const refusalOf = (status: number, setting: string): Failure | undefined => {
  if (status === 401 || status === 403)
    return new Failure('wrong', `it refuses the key (status ${status}). Correct the key in ${setting}`)
  if (status === 404 || status === 405)
    return new Failure('wrong', `there is no node at this path (status ${status}). Correct the path in ${setting}`)
  if (status >= 300 && status < 400)
    return new Failure('wrong', `it redirects to another URL (status ${status}). Set ${setting} to that one`)
  if (status === 429) return new Failure('silent', 'its rate limit is exceeded (status 429)')
  return undefined
}

const read = (status: number, text: string, setting: string): unknown => {
  const refused = refusalOf(status, setting)
  if (refused) {
    // Nodes may return an error of a single call with any status.
    const parsed = answered.safeParse(jsonOf(text))
    if (!parsed.success || 'error' in parsed.data) throw refused
  }
  const body = jsonOf(text)
  if (body === undefined) {
    const page = /^\s*</.test(text) ? 'a web page' : 'something other than JSON'
    if (status >= 500) throw new Failure('silent', `it responds with status ${status}`)
    throw new Failure('wrong', `it responds with ${page}, so it is not a node. Correct ${setting}`)
  }
  return body
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Sends a body with the transport that indexing uses. */
const createPost = (url: string, setting: string) => {
  const send = createTransport(url)
  return async (body: unknown): Promise<unknown> => {
    const deadline = AbortSignal.timeout(DEADLINE_MS)
    try {
      const { status, text } = await send(JSON.stringify(body), deadline)
      return read(status, text, setting)
    } catch (error) {
      if (error instanceof Failure) throw error
      if (deadline.aborted) throw new Failure('silent', `it does not answer within ${DEADLINE_MS / 1_000} s`)
      const reason = reasonOf(error)
      throw new Failure('silent', WORDS[reason] ?? reason)
    }
  }
}

/** JSON-RPC 2.0 over one URL. */
const callOf = (url: string, setting: string): Call => {
  const post = createPost(url, setting)
  let id = 0
  return async (method, params) => {
    id += 1
    const body = answered.safeParse(await post({ jsonrpc: '2.0', id, method, params }))
    if (!body.success) throw new Failure('wrong', `its response is not JSON-RPC. Correct ${setting}`)
    const { data } = body
    if (!('error' in data)) return data.result
    const { code, message } = data.error as { code: number; message: string }
    // Messages may have several lines; they are shown in one.
    throw rpcError(code, message.replaceAll(/\s+/g, ' ').slice(0, 200))
  }
}

const otherChain = (found: unknown, network: Network, expected: unknown, setting: string) =>
  new Failure(
    'wrong',
    `it is on chain ${String(found).slice(0, 80)}, but ${network} is chain ${expected}. Correct ${setting}`,
  )

/** Checks an endpoint through the source of its network. */
export type Verify = (signal: AbortSignal) => Promise<void>

/** Checks a network without JSON-RPC through its source. @throws Failure */
const verified = async (verify: Verify): Promise<void> => {
  const deadline = AbortSignal.timeout(DEADLINE_MS)
  try {
    await verify(deadline)
  } catch (error) {
    if (error instanceof OperatorError) throw new Failure('wrong', error.message)
    if (deadline.aborted) throw new Failure('silent', `it does not answer within ${DEADLINE_MS / 1_000} s`)
    const said = error instanceof Error ? messageOf(error.cause ?? error) : String(error)
    if (/^HTTP 401$/.test(said)) throw new Failure('wrong', 'it refuses the key (status 401). Correct the key')
    throw new Failure('silent', WORDS[said] ?? said)
  }
}

type First = (call: Call, network: Network, setting: string, verify: Verify) => Promise<void>

/** First check of each family. Sources later check the chain more thoroughly. */
const FIRST: Record<AddressFamily, First> = {
  evm: async (call, network, setting) => {
    const { chainId } = networkInfo(network)
    const found = Number(await call('eth_chainId', []))
    if (found !== chainId) throw otherChain(found, network, chainId, setting)
  },
  solana: async (call, network, setting) => {
    const { genesisHash } = networkInfo(network)
    const found = await call('getGenesisHash', [])
    if (found !== genesisHash) throw otherChain(found, network, genesisHash, setting)
  },
  tron: (_call, _network, _setting, verify) => verified(verify),
  ton: (_call, _network, _setting, verify) => verified(verify),
}

/** Shorter parts of a URL, such as `v2`, are not keys. */
const MIN_KEY_LENGTH = 8

/** Message of a node in one line, without secrets of its URL: providers may repeat a refused key. */
const redacted = (text: string, url: string): string => {
  const { username, password, pathname, searchParams } = new URL(url)
  const parts = [username, password, ...pathname.split('/'), ...searchParams.values()].flatMap((part) => {
    try {
      return [part, decodeURIComponent(part)]
    } catch {
      return [part]
    }
  })
  return parts
    .filter(({ length }) => length >= MIN_KEY_LENGTH)
    .reduce((rest, part) => rest.replaceAll(part, '***'), plain(text))
}

/**
 * Checks an http(s) endpoint.
 * @param verify checks it through the source of the network, for families without JSON-RPC
 */
export const askEndpoint = async (network: Network, url: string, verify: Verify): Promise<Asked> => {
  const host = publicUrl(url)
  const setting = `${network}_RPC_URL`
  const call = callOf(url, setting)
  try {
    await FIRST[networkInfo(network).family](call, network, setting, verify)
    return { kind: 'sound', host, call }
  } catch (error) {
    if (error instanceof Failure) return { kind: error.kind, host, reason: redacted(error.message, url) }
    const isTemporary = error instanceof RpcError && (error.kind === 'limited' || error.kind === 'transient')
    return {
      kind: isTemporary ? 'silent' : 'wrong',
      host,
      reason: `it refuses the first call: ${redacted(messageOf(error), url)}. ${isTemporary ? 'Try again later' : `Correct ${setting}`}`,
    }
  }
}
