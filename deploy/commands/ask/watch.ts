/** `assay watch`: polls the public API for verdicts on addresses, and prints a line when one changes. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Clock } from '../../../platform/context/clock.ts'
import { isAssayError, messageOf, OperatorError, RetryableError } from '../../../platform/errors.ts'
import { parseAddress } from '../../../schema/address/index.ts'
import type { Network } from '../../../schema/networks.ts'
import { type ApiAnswer, type ApiClient, refusalOf } from '../../command-line/api.ts'
import { plain } from '../../command-line/text.ts'

/** Maximum number of addresses that the API takes in one call. */
const PAGE = 1_000

const verdict = z.looseObject({
  status: z.string(),
  probabilityFraud: z.string(),
  forensic_details: z.record(z.string(), z.string()),
})
const results = z.object({
  results: z.array(
    z.object({ index: z.number(), status: z.number(), result: z.looseObject({ message: z.string().optional() }) }),
  ),
})

/** The compared part of a verdict. `flags` are the names of raised flags. */
export type Verdict = { status: string; probability: string; flags: string[] }

/** A verdict that differs from the round before, as printed by `--json`. */
export type Change = {
  time: string
  network: Network
  address: string
  /** `null` in the first round, and while there is no verdict on the address. */
  before: Verdict | null
  after: Verdict | null
  /** Why there is no verdict. */
  reason?: string
}

/** @throws OperatorError ASSAY_TOOL_ADDRESS */
const checked = (network: Network, text: string, where: string): string => {
  if (parseAddress(network, text).ok) return text
  throw new OperatorError(
    'ASSAY_TOOL_ADDRESS',
    `${where} ${text} is not an address of ${network}. No request was sent.`,
  )
}

/** Addresses of the command line and of a file with one per line. Empty lines and lines that begin with # are skipped. */
export const watchedAddresses = (network: Network, given: string | undefined, file: string | undefined): string[] => {
  const found = given === undefined ? [] : [checked(network, given, 'The address')]
  if (file !== undefined) {
    let text: string
    try {
      text = readFileSync(file, 'utf8')
    } catch (cause) {
      throw new OperatorError(
        'ASSAY_TOOL_OPTION',
        `${file} cannot be read: ${messageOf(cause)}. No request was sent.`,
        {
          cause,
        },
      )
    }
    for (const [index, line] of text.split('\n').entries()) {
      const address = line.trim()
      if (address !== '' && !address.startsWith('#')) found.push(checked(network, address, `Line ${index + 1}:`))
    }
  }
  if (found.length > 0) return [...new Set(found)]
  throw new OperatorError(
    'ASSAY_TOOL_OPTION',
    'No address to watch was given. Name one, or a file of addresses with --list.',
  )
}

const verdictOf = (body: unknown): Verdict | undefined => {
  const { data } = verdict.safeParse(body)
  if (!data) return undefined
  const flags = Object.entries(data.forensic_details).flatMap(([name, value]) =>
    name === 'data_source' || value === '0' || value === '' ? [] : [plain(name)],
  )
  return { status: plain(data.status), probability: plain(data.probabilityFraud), flags }
}

const named = (one: Verdict | null): string =>
  one === null
    ? 'no verdict'
    : `${one.status} ${one.probability}${one.flags.length > 0 ? ` (${one.flags.join(', ')})` : ''}`

/** A change as a line of text. */
export const changeLine = ({ time, network, address, before, after, reason }: Change): string =>
  `${time}  ${network}  ${address}  ${before ? `${named(before)} -> ` : ''}${named(after)}${reason ? `: ${reason}` : ''}`

/** Whether a later attempt would fail as well: the key, an option or the tier is wrong. */
const isFinal = (status: number): boolean => status >= 400 && status < 500 && status !== 429

/** Whether a later round may succeed: there was no response, or a page of a gateway in front of the API. */
const isTemporary = (error: unknown): boolean =>
  error instanceof RetryableError || (isAssayError(error) && error.code === 'ASSAY_TOOL_API_OTHER')

/** What to watch, how often, and where to report changes. */
export type WatchRequest = {
  network: Network
  addresses: readonly string[]
  everyMs: number
  /** Number of rounds; without it watching never ends. */
  rounds?: number
  clock: Pick<Clock, 'now' | 'sleep'>
  signal: AbortSignal
  changed: (change: Change) => void
  /** Called with a message for the user when a round got no answer. */
  waiting: (line: string) => void
}

/**
 * Polls until the signal. A round without an answer is skipped and changes nothing.
 * @throws OperatorError ASSAY_TOOL_API_REFUSED, and ASSAY_TOOL_API_OTHER or ASSAY_TOOL_API_SILENT from the first round and the
 *   last
 */
export const watch = async (api: Pick<ApiClient, 'post' | 'url'>, request: WatchRequest): Promise<void> => {
  const { network, addresses, everyMs, rounds = Number.POSITIVE_INFINITY, clock, signal, changed, waiting } = request
  const known = new Map<string, { verdict: Verdict | null; reason: string | undefined }>()

  const note = (address: string, after: Verdict | null, reason: string | undefined) => {
    const before = known.get(address)
    const same =
      before && JSON.stringify(before.verdict) === JSON.stringify(after) && (after !== null || before.reason === reason)
    known.set(address, { verdict: after, reason })
    if (same) return
    const time = new Date(clock.now()).toISOString()
    changed({
      time,
      network,
      address,
      before: before?.verdict ?? null,
      after,
      ...(after === null && reason && { reason }),
    })
  }

  const take = (page: readonly string[], answer: ApiAnswer) => {
    const parsed = results.safeParse(answer.body)
    if (!parsed.success) {
      throw new OperatorError(
        'ASSAY_TOOL_API_OTHER',
        `${api.url} is not an Assay API: its response has no verdicts. Set the URL of the API with --url.`,
      )
    }
    for (const { index, status, result } of parsed.data.results) {
      const address = page[index]
      if (address === undefined) continue
      if (status === 200) note(address, verdictOf(result) ?? null, undefined)
      // While the verdict is unknown, the last one remains.
      else if (status === 404 || (status < 500 && status !== 429) || !known.has(address)) {
        note(address, null, result.message === undefined ? `status ${status}` : plain(result.message))
      }
    }
    for (const address of page) if (!known.has(address)) note(address, null, 'the response does not contain it')
  }

  /** @returns the pause that the API asks for, ms */
  const ask = async (page: readonly string[], last: boolean): Promise<number> => {
    const answer = await api.post(
      '/fraud/batch',
      { wallets: page.map((walletAddress) => ({ network, walletAddress })) },
      signal,
    )
    if (answer.status === 200) take(page, answer)
    else if (isFinal(answer.status)) {
      throw new OperatorError(
        'ASSAY_TOOL_API_REFUSED',
        `${api.url} refused the request: ${refusalOf(answer)} Correct it and run the command again.`,
      )
    } else if (last) {
      throw new RetryableError(
        'ASSAY_TOOL_API_SILENT',
        `${api.url} has no answer now: ${refusalOf(answer)} Try again later.`,
      )
    } else waiting(`${refusalOf(answer)} Trying again in ${Math.max(everyMs / 1_000, answer.retryAfter)} s.`)
    return answer.status === 200 ? 0 : answer.retryAfter * 1_000
  }

  for (let round = 0; round < rounds && !signal.aborted; round++) {
    let pause = everyMs
    const last = round + 1 >= rounds
    try {
      for (let at = 0; at < addresses.length; at += PAGE)
        pause = Math.max(pause, await ask(addresses.slice(at, at + PAGE), last))
    } catch (error) {
      if (signal.aborted) return
      if (!isTemporary(error) || round === 0 || last) throw error
      waiting(`${messageOf(error)} Trying again in ${everyMs / 1_000} s.`)
    }
    if (!last) await clock.sleep(pause, signal).catch(() => undefined)
  }
}
