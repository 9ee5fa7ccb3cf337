/**
 * Puts wallets on the rescore queue again. Scoring a wallet twice changes nothing, so that a run that was interrupted may
 * be repeated from anywhere; `after` only saves the work.
 */
import type { Producer } from '../../../platform/bus/bus.ts'
import { OperatorError } from '../../../platform/errors.ts'
import { parseAddress } from '../../../schema/address/index.ts'
import type { Network } from '../../../schema/networks.ts'
import { topics } from '../../../schema/topics.ts'
import { rescoreMessages } from '../../../scorer/rescore/queue.ts'

/** Addresses in one send. */
export const REPLAY_PAGE = 5_000

/** How far a run is. */
export type Queued = {
  /** Addresses queued so far. */
  count: number
  /** The last of them: where a repeated run may go on. */
  last: string
}

/** Queues pages of canonical addresses, and reports after each of them. @returns how many there were. */
export const queueWallets = async (
  producer: Pick<Producer, 'send'>,
  network: Network,
  pages: AsyncIterable<readonly string[]>,
  report: (queued: Queued) => void,
): Promise<number> => {
  let count = 0
  for await (const addresses of pages) {
    const last = addresses.at(-1)
    if (last === undefined) continue
    await producer.send([{ topic: topics.rescore(network), messages: rescoreMessages(addresses) }])
    count += addresses.length
    report({ count, last })
  }
  return count
}

/**
 * Pages of canonical addresses from lines of text, one address a line; empty lines and lines that begin with # are skipped.
 * @param after the address the pages begin behind, in canonical text.
 * @throws OperatorError ASSAY_TOOL_ADDRESS for a line that is no address of the network; pages before it were given out.
 */
export const addressPages = async function* (
  network: Network,
  lines: AsyncIterable<string>,
  after?: string,
): AsyncGenerator<string[]> {
  let page: string[] = []
  let number = 0
  let begun = after === undefined
  for await (const line of lines) {
    number += 1
    const text = line.trim()
    if (text === '' || text.startsWith('#')) continue
    const parsed = parseAddress(network, text)
    if (!parsed.ok) {
      throw new OperatorError(
        'ASSAY_TOOL_ADDRESS',
        `Line ${number} (${text.slice(0, 80)}) is no address of ${network}: ${parsed.reason}. At most ${REPLAY_PAGE} addresses before it were not queued. Correct the line and run the command again; queueing a wallet twice does no harm.`,
      )
    }
    if (begun) page.push(parsed.canonical)
    begun ||= parsed.canonical === after
    if (page.length < REPLAY_PAGE) continue
    yield page
    page = []
  }
  if (!begun) {
    throw new OperatorError(
      'ASSAY_TOOL_ADDRESS',
      `No line holds the address ${after} that --after names, so nothing was queued. Leave --after out to queue all lines.`,
    )
  }
  if (page.length > 0) yield page
}
