/** The two languages of services that know verified sources, and what is read of their answers. */
import { z } from 'zod'
import type { RunningCode } from './registry.ts'

/** `name` of the contract in its source. */
export type SourceMatch = { published: boolean; name?: string }
/** A service of verified sources, whichever language it has. */
export type SourceService = {
  /** Where it is, without what a key would be in. */
  displayUrl: string
  /** @throws Refusal, ContractRefusal when asking again makes no sense, and whatever fetch throws. */
  ask: (asked: RunningCode, signal: AbortSignal) => Promise<SourceMatch>
}

/** Asking again would bring the same. */
export class Refusal extends Error {}
/** A refusal that is about one contract: the service answers about others. */
export class ContractRefusal extends Refusal {}

/** Bytes of an answer beyond which nobody reads on: sources of large projects have one or two million. */
const MAX_BYTES = 8 * 2 ** 20
/** Bytes beyond which an answer that takes too long does so for its size. */
const LARGE_BYTES = 2 ** 20
/** Characters of a name that are kept. */
const MAX_NAME = 100

const NAME = /^[\w$ .-]+$/
/** A name as a source may have one; anything else is left out. */
const named = (name: string | null | undefined): { name?: string } =>
  name && NAME.test(name) ? { name: name.slice(0, MAX_NAME) } : {}

/** The answer as JSON, or the status. @throws Refusal when it is no JSON, ContractRefusal when it is longer than anybody would send. */
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
      // Leaving the loop cancels the rest.
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

/** Etherscan's `getsourcecode`, which Blockscout answers too. Without a source the entry is there and empty. */
const etherscan = (url: URL): SourceService => ({
  displayUrl: `${url.origin}${url.pathname}`,
  ask: async ({ chainId, address }, signal) => {
    const asked = new URL(url)
    const words = { chainid: String(chainId), module: 'contract', action: 'getsourcecode', address }
    for (const [name, value] of Object.entries(words)) asked.searchParams.set(name, value)
    const { status, body } = await read(asked.href, signal)
    if (status !== 200) throw failed(status)
    const parsed = listed.safeParse(body)
    if (!parsed.success) throw new ContractRefusal('the answer is not that of getsourcecode')
    const { result } = parsed.data
    // Refusals come with status 200 and a sentence: too many questions pass, a wrong key does not.
    if (typeof result === 'string')
      throw /rate limit|busy|timeout/i.test(result)
        ? new Error('too many questions')
        : new Refusal('it refused the question')
    const [first] = result
    const published = (first?.SourceCode ?? '') !== ''
    return { published, ...(published ? named(first?.ContractName) : {}) }
  },
})

/** The service at an address: Etherscan's words where the path ends in `/api`, Sourcify's elsewhere. */
export const serviceAt = (address: string): SourceService => {
  const url = new URL(address)
  return /\/api\/?$/.test(url.pathname) ? etherscan(url) : sourcify(address.replace(/\/+$/, ''))
}
