/** Clients of source services that speak the Sourcify or the Etherscan API. */
import { z } from 'zod'
import type { RunningCode } from './registry.ts'

/** Answer of a service. `name`: of the contract in its source. */
export type SourceMatch = { published: boolean; name?: string }
/** A source service, whatever API it speaks. */
export type SourceService = {
  /** Its URL without the query, which may hold a key. */
  displayUrl: string
  /** @throws Refusal or ContractRefusal if a retry cannot help, and what `fetch` throws */
  ask: (asked: RunningCode, signal: AbortSignal) => Promise<SourceMatch>
}

/** A failure that a retry cannot help. */
export class Refusal extends Error {}
/** A failure that concerns one contract only. */
export class ContractRefusal extends Refusal {}

/** Largest answer that is read, bytes. Sources of large projects have one or two million. */
const MAX_BYTES = 8 * 2 ** 20
/** From this size on, a timeout is blamed on the contract and not on the service, bytes. */
const LARGE_BYTES = 2 ** 20
/** Characters kept of a name. */
const MAX_NAME = 100

const NAME = /^[\w$ .-]+$/
/** The name, if it can be the name of a contract. */
const named = (name: string | null | undefined): { name?: string } =>
  name && NAME.test(name) ? { name: name.slice(0, MAX_NAME) } : {}

/** Fetches JSON; for a status other than 200, the status alone. @throws Refusal if the body is no JSON, ContractRefusal if it is too long */
const read = async (url: string, signal: AbortSignal): Promise<{ status: number; body: unknown }> => {
  const response = await fetch(url, { signal, headers: { accept: 'application/json' } })
  if (response.status !== 200) {
    await response.body?.cancel()
    return { status: response.status, body: undefined }
  }
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    for await (const piece of response.body ?? []) {
      size += piece.length
      // Leaving the loop cancels the body.
      if (size > MAX_BYTES) throw new ContractRefusal(`the answer is longer than ${MAX_BYTES} bytes`)
      pieces.push(piece)
    }
  } catch (error) {
    if (signal.aborted && size > LARGE_BYTES) throw new ContractRefusal(`the answer took too long after ${size} bytes`)
    throw error
  }
  try {
    return { status: 200, body: JSON.parse(Buffer.concat(pieces).toString('utf8')) }
  } catch {
    throw new Refusal('the answer is no JSON')
  }
}

const failed = (status: number): Error => {
  if (status === 429 || status >= 500) return new Error(`status ${status}`)
  return status === 401 || status === 403 ? new Refusal(`status ${status}`) : new ContractRefusal(`status ${status}`)
}

const match = z.object({
  match: z.enum(['exact_match', 'match']).nullable(),
  compilation: z.object({ name: z.string().nullish() }).nullish(),
})

/** Sourcify API v2: 200 with a `match`, or 404. */
const sourcify = (base: string): SourceService => ({
  displayUrl: base,
  ask: async ({ chainId, address }, signal) => {
    const { status, body } = await read(`${base}/v2/contract/${chainId}/${address}?fields=compilation`, signal)
    if (status === 404) return { published: false }
    if (status !== 200) throw failed(status)
    const parsed = match.safeParse(body)
    if (!parsed.success) throw new ContractRefusal('the answer is not that of a verified contract')
    const published = typeof parsed.data.match === 'string'
    return { published, ...(published ? named(parsed.data.compilation?.name) : {}) }
  },
})

const listed = z.object({
  result: z.union([
    z.string(),
    z.array(z.object({ SourceCode: z.string().nullish(), ContractName: z.string().nullish() })),
  ]),
})

/** Etherscan's `getsourcecode`, which Blockscout has too. For a contract without verified source the entry is empty. */
const etherscan = (url: URL): SourceService => ({
  displayUrl: `${url.origin}${url.pathname}`,
  ask: async ({ chainId, address }, signal) => {
    const request = new URL(url)
    const parameters = { chainid: String(chainId), module: 'contract', action: 'getsourcecode', address }
    for (const [name, value] of Object.entries(parameters)) request.searchParams.set(name, value)
    const { status, body } = await read(request.href, signal)
    if (status !== 200) throw failed(status)
    const parsed = listed.safeParse(body)
    if (!parsed.success) throw new ContractRefusal('the answer is not that of getsourcecode')
    const { result } = parsed.data
    // Errors come with status 200 and a message. A rate limit is temporary, a wrong key is not.
    if (typeof result === 'string')
      throw /rate limit|busy|timeout/i.test(result)
        ? new Error('too many questions')
        : new Refusal('it refused the question')
    const [first] = result
    const published = (first?.SourceCode ?? '') !== ''
    return { published, ...(published ? named(first?.ContractName) : {}) }
  },
})

/** The client for a URL: Etherscan's API if the path ends in `/api`, otherwise Sourcify's. */
export const serviceAt = (address: string): SourceService => {
  const url = new URL(address)
  return /\/api\/?$/.test(url.pathname) ? etherscan(url) : sourcify(address.replace(/\/+$/, ''))
}
