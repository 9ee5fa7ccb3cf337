/**
 * One endpoint, asked a first question before anything is started: whether somebody answers, as a node, with this key, on this
 * chain. Every way it can go wrong is one sentence. The URL is never shown: it may hold a key.
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

/** An endpoint that answers as a node of the right chain, with the means to ask it more. */
export type Sound = { kind: 'sound'; host: string; call: Call }
/** `silent`: later may be better. `wrong`: somebody has to change the setting. */
export type Unsound = { kind: 'silent' | 'wrong'; host: string; reason: string }
/** What became of the first question. */
export type Asked = Sound | Unsound

/** One call of a node. @throws Error with what the node or the network said */
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

/** Reasons of the network in words. */
const WORDS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'no such host is known',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  ECONNRESET: 'it closed the connection without an answer',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'no way leads to the host',
  ENETUNREACH: 'no way leads to the host',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by an unknown authority',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it speaks no TLS; use http:// instead of https://',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
}

/** What an HTTP status means before anybody has read the body. */
const refusalOf = (status: number, setting: string): Failure | undefined => {
  if (status === 401 || status === 403)
    return new Failure('wrong', `it refuses the key (status ${status}). Correct the key in ${setting}`)
  if (status === 404 || status === 405)
    return new Failure('wrong', `there is no node at this path (status ${status}). Correct the path in ${setting}`)
  if (status >= 300 && status < 400)
    return new Failure('wrong', `it redirects to another URL (status ${status}). Write that one into ${setting}`)
  if (status === 429) return new Failure('silent', 'it answers that too much was asked (status 429)')
  return undefined
}

const read = (status: number, text: string, setting: string): unknown => {
  const refused = refusalOf(status, setting)
  if (refused) {
    // Nodes may refuse a single call with any status.
    const told = answered.safeParse(jsonOf(text))
    if (!told.success || 'error' in told.data) throw refused
  }
  const body = jsonOf(text)
  if (body === undefined) {
    const page = /^\s*</.test(text) ? 'a web page' : 'something else than JSON'
    if (status >= 500) throw new Failure('silent', `it answers with status ${status}`)
    throw new Failure('wrong', `it answers with ${page}, so it is no node. Correct ${setting}`)
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

/** Sends a body as the product will: what answers here answers there. */
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
    if (!body.success) throw new Failure('wrong', `it answers with JSON that is no JSON-RPC answer. Correct ${setting}`)
    const { data } = body
    if (!('error' in data)) return data.result
    const { code, message } = data.error as { code: number; message: string }
    // One line, however the node puts it.
    throw rpcError(code, message.replaceAll(/\s+/g, ' ').slice(0, 200))
  }
}

const otherChain = (found: unknown, network: Network, expected: unknown, setting: string) =>
  new Failure(
    'wrong',
    `it is on chain ${String(found).slice(0, 80)}, but ${network} is chain ${expected}. Correct ${setting}`,
  )

/** Asks an endpoint through the source of its network, until the signal. */
export type Verify = (signal: AbortSignal) => Promise<void>

/** What a network without JSON-RPC says through its source. @throws Failure */
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

/** What each family is asked first. The sources check the chain again, in every way they know. */
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

/** Shorter parts of a URL are words such as `v2`, and no keys. */
const SHORTEST_KEY = 8

/** What a node wrote, in one line, without what its URL may keep secret: providers repeat the key that they refuse. */
const shown = (text: string, url: string): string => {
  const { username, password, pathname, searchParams } = new URL(url)
  const parts = [username, password, ...pathname.split('/'), ...searchParams.values()].flatMap((part) => {
    try {
      return [part, decodeURIComponent(part)]
    } catch {
      return [part]
    }
  })
  return parts
    .filter(({ length }) => length >= SHORTEST_KEY)
    .reduce((rest, part) => rest.replaceAll(part, '***'), plain(text))
}

/**
 * Asks an http(s) endpoint its first question.
 * @param verify asks it through the source of the network, for families that do not speak JSON-RPC.
 */
export const askEndpoint = async (network: Network, url: string, verify: Verify): Promise<Asked> => {
  const host = publicUrl(url)
  const setting = `${network}_RPC_URL`
  const call = callOf(url, setting)
  try {
    await FIRST[networkInfo(network).family](call, network, setting, verify)
    return { kind: 'sound', host, call }
  } catch (error) {
    if (error instanceof Failure) return { kind: error.kind, host, reason: shown(error.message, url) }
    const passes = error instanceof RpcError && (error.kind === 'limited' || error.kind === 'transient')
    return {
      kind: passes ? 'silent' : 'wrong',
      host,
      reason: `it refuses the first question: ${shown(messageOf(error), url)}. ${passes ? 'Ask it later' : `Correct ${setting}`}`,
    }
  }
}
