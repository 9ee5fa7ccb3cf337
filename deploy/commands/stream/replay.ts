/** `assay replay`: queues wallets for scoring, and returns dead letters. Works beside a running service. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Config } from '../../../platform/config/config.ts'
import { parseAddress } from '../../../schema/address/index.ts'
import type { Network } from '../../../schema/networks.ts'
import { scoredWallets } from '../../../scorer/ledger/records.ts'
import { openToolStore } from '../../process/store-socket.ts'
import { openSharedBus } from '../../roles/parts.ts'
import { optionError } from '../options.ts'
import { runTool, type Tool } from '../tool.ts'
import { giveBack } from './dead-letters.ts'
import { addressPages, queueWallets, REPLAY_PAGE } from './queue-wallets.ts'

/** Options of `assay replay`. */
export type ReplayRequest = {
  network: Network
  /** File of addresses, `-` for standard input. Without it, all scored wallets. */
  addresses?: string | undefined
  /** Address after which to start, printed by an earlier run. Without it, the first. */
  after?: string | undefined
  deadLetters: boolean
  json?: boolean
}

const canonical = (network: Network, text: string): string => {
  const parsed = parseAddress(network, text)
  if (parsed.ok) return parsed.canonical
  throw optionError(`--after ${text} is not an address of ${network}.`)
}

/** Lines of a file or of standard input, until the signal. @throws OperatorError ASSAY_TOOL_OPTION if the file cannot be read */
const linesOf = async function* (file: string, signal: AbortSignal): AsyncGenerator<string> {
  // A listener added after the signal is never called.
  if (signal.aborted) return
  const input = file === '-' ? process.stdin : createReadStream(file)
  const failed = new Promise<never>((_, reject) => {
    input.once('error', (error: Error) => reject(optionError(`${file} cannot be read: ${error.message}.`)))
  })
  failed.catch(() => undefined)
  // Standard input may be a terminal without further input.
  const stopped = new Promise<{ done: true }>((resolve) => {
    signal.addEventListener('abort', () => resolve({ done: true }), { once: true })
  })
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]()
  for (;;) {
    const next = await Promise.race([lines.next(), failed, stopped])
    if (next.done) break
    yield next.value
  }
  if (signal.aborted) input.destroy()
  // The interface may end before the error of an unreadable file is reported.
  if (file !== '-' && input.errored) await failed
}

const untilStopped = async function* <T>(pages: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  for await (const page of pages) {
    if (signal.aborted) return
    yield page
  }
}

const replayWallets = async ({ context, config, signal, say, report, progress }: Tool, request: ReplayRequest) => {
  const { network, addresses } = request
  const after = request.after === undefined ? undefined : canonical(network, request.after)
  const pages =
    addresses === undefined
      ? scoredWallets(await openToolStore(context, config), network, { after, limit: REPLAY_PAGE })
      : addressPages(network, linesOf(addresses, signal), after)
  const producer = await (await openSharedBus(context, config, [network])).producer()
  context.lifecycle.onClose('producer', () => producer.close())
  let resumable: string | undefined
  const count = await queueWallets(producer, network, untilStopped(pages, signal), ({ count, last }) => {
    resumable = last
    progress(() => `${count} wallets of ${network} queued, the last is ${last}`)
  })
  say(`Queued ${count} wallets of ${network} for scoring.`)
  report({ network, queued: count, last: resumable, interrupted: signal.aborted })
  if (!signal.aborted) return
  const again = [
    'assay replay',
    `--network ${network}`,
    ...(addresses === undefined ? [] : [`--addresses ${addresses}`]),
  ]
  say(
    `Interrupted. Continue with: ${[...again, ...(resumable === undefined ? [] : [`--after ${resumable}`])].join(' ')}`,
  )
}

const replayLetters = async ({ context, config, say, report }: Tool, { network }: ReplayRequest) => {
  const bus = await openSharedBus(context, config, [network])
  const producer = await bus.producer()
  context.lifecycle.onClose('producer', () => producer.close())
  const { given, kept } = await giveBack(bus, producer, network, ({ from, reason, kept: why }) =>
    say(why === undefined ? `${from} was returned (${reason})` : `${from} stays on dlq (${reason}): ${why}`),
  )
  say(`${given} dead letters of ${network} were returned to their topic, ${kept} stay on dlq.`)
  report({ network, given, kept })
}

/**
 * Queues wallets, or returns dead letters.
 * @throws OperatorError ASSAY_TOOL_OPTION
 */
export const replayCommand = (config: Config, request: ReplayRequest): Promise<void> => {
  if (request.deadLetters && (request.addresses !== undefined || request.after !== undefined)) {
    throw optionError('--dead-letters takes neither --addresses nor --after.')
  }
  const work = request.deadLetters ? replayLetters : replayWallets
  return runTool(config, 'replay', (tool) => work(tool, request), { json: request.json })
}
