/** `assay watch`: asks the public API about addresses again and again, and prints a line when the verdict on one changes. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Clock } from '../../../platform/context/clock.ts'
import { isAssayError, messageOf, OperatorError, RetryableError } from '../../../platform/errors.ts'
import { parseAddress } from '../../../schema/address/index.ts'
import type { Network } from '../../../schema/networks.ts'
import { type ApiAnswer, type ApiClient, refusalOf } from '../../command-line/api.ts'
import { plain } from '../../command-line/text.ts'

/** The API takes as many in one call. */
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

/** What is compared from round to round. Flags are the names of those that are raised. */
export type Verdict = { status: string; probability: string; flags: string[] }

/** A verdict that differs from the round before, as `--json` prints it. */
export type Change = {
  time: string
  network: Network
  address: string
  /** `null` at first sight of the address, and while there is no verdict on it. */
  before: Verdict | null
  after: Verdict | null
  /** Why there is no verdict. */
  reason?: string
}

/** @throws OperatorError ASSAY_TOOL_ADDRESS */
const checked = (network: Network, text: string, where: string): string => {
  if (parseAddress(network, text).ok) return text
  throw new OperatorError('ASSAY_TOOL_ADDRESS', `${where} ${text} is no address of ${network}. Nothing was asked.`)
}

/** Addresses of the command line and of a file with one a line; empty lines and those that begin with # are left out. */
export const watchedAddresses = (network: Network, given: string | undefined, file: string | undefined): string[] => {
  const found = given === undefined ? [] : [checked(network, given, 'The address')]
  if (file !== undefined) {
    let text: string
    try {
      text = readFileSync(file, 'utf8')
    } catch (cause) {
      throw new OperatorError('ASSAY_TOOL_OPTION', `${file} cannot be read: ${messageOf(cause)}. Nothing was asked.`, {
        cause,
      })
    }
    for (const [index, line] of text.split('\n').entries()) {
      const address = line.trim()
      if (address !== '' && !address.startsWith('#')) found.push(checked(network, address, `Line ${index + 1}:`))
    }
  }
  if (found.length > 0) return [...new Set(found)]
  throw new OperatorError(
    'ASSAY_TOOL_OPTION',
    'There is no address to watch, so nothing was asked. Name one, or a file with --list.',
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

/** The change as a line for people. */
export const changeLine = ({ time, network, address, before, after, reason }: Change): string =>
  `${time}  ${network}  ${address}  ${before ? `${named(before)} -> ` : ''}${named(after)}${reason ? `: ${reason}` : ''}`

/** Answers that a key, an option or a plan stands behind do not change by waiting. */
const isFinal = (status: number): boolean => status >= 400 && status < 500 && status !== 429

/** What may be better in a later round: no answer, or the page of a gateway before the API. */
const passes = (error: unknown): boolean =>
  error instanceof RetryableError || (isAssayError(error) && error.code === 'ASSAY_TOOL_API_OTHER')

/** Whom to ask about, how often, and where changes go. */
export type WatchRequest = {
  network: Network
  addresses: readonly string[]
  everyMs: number
  /** How many rounds; for ever without it. */
  rounds?: number
  clock: Pick<Clock, 'now' | 'sleep'>
  signal: AbortSignal
  changed: (change: Change) => void
  /** What a person should know of a round that got no answer. */
  waiting: (line: string) => void
}

/**
 * Asks until the signal. A round that gets no answer is left out and asked again with the next; nothing counts as changed by it.
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
        `${api.url} gives an answer without verdicts, so it is no API of Assay. Name its URL with --url.`,
      )
    }
    for (const { index, status, result } of parsed.data.results) {
      const address = page[index]
      if (address === undefined) continue
      if (status === 200) note(address, verdictOf(result) ?? null, undefined)
      // While it is not known, the last verdict stands.
      else if (status === 404 || (status < 500 && status !== 429) || !known.has(address)) {
        note(address, null, result.message === undefined ? `status ${status}` : plain(result.message))
      }
    }
    for (const address of page) if (!known.has(address)) note(address, null, 'the API left it out')
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
        `${api.url} refused: ${refusalOf(answer)} Correct that and start again.`,
      )
    } else if (last) {
      throw new RetryableError('ASSAY_TOOL_API_SILENT', `${api.url} has no answer now: ${refusalOf(answer)} Ask later.`)
    } else waiting(`${refusalOf(answer)} Asking again in ${Math.max(everyMs / 1_000, answer.retryAfter)} s.`)
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
      if (!passes(error) || round === 0 || last) throw error
      waiting(`${messageOf(error)} Asking again in ${everyMs / 1_000} s.`)
    }
    if (!last) await clock.sleep(pause, signal).catch(() => undefined)
  }
}
