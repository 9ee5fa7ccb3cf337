/**
 * Queues wallets for scoring. Scoring a wallet twice does no harm, so an interrupted run can be repeated from anywhere;
 * `after` only saves work.
 */
import type { Producer } from '../../../platform/bus/bus.ts'
import { OperatorError } from '../../../platform/errors.ts'
import { parseAddress } from '../../../schema/address/index.ts'
import type { Network } from '../../../schema/networks.ts'
import { topics } from '../../../schema/topics.ts'
import { rescoreMessages } from '../../../scorer/rescore/queue.ts'

/** Addresses per send. */
export const REPLAY_PAGE = 5_000

/** Progress of a run. */
export type Queued = {
  /** Addresses queued so far. */
  count: number
  /** The last queued address, after which a repeated run can continue. */
  last: string
}

/** Queues pages of canonical addresses, and reports after each page. @returns the number of addresses */
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
 * Pages of canonical addresses from lines with one address each; empty lines and lines that begin with # are skipped.
 * @param after canonical address after which to start
 * @throws OperatorError ASSAY_TOOL_ADDRESS for a line that is not an address of the network, after the pages before it
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
        `Line ${number} (${text.slice(0, 80)}) is not an address of ${network}: ${parsed.reason}. Up to ${REPLAY_PAGE} addresses before it were not queued. Correct the line and run the command again; queueing a wallet twice does no harm.`,
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
      `The address ${after} of --after is not in the file, so nothing was queued. Omit --after to queue all lines.`,
    )
  }
  if (page.length > 0) yield page
}
