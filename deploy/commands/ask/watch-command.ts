/** Terminal input and output of `assay watch`. */
import { systemClock } from '../../../platform/context/clock.ts'
import type { Network } from '../../../schema/networks.ts'
import { type ApiSettings, openApiClient } from '../../command-line/api.ts'
import { INTERRUPTED } from '../../command-line/signals.ts'
import { type Change, changeLine, watch, watchedAddresses } from './watch.ts'

/** Options of `assay watch`. */
export type WatchOptions = {
  url?: string
  key?: string
  network: Network
  list?: string
  /** Interval of rounds, s. */
  every: number
  once?: boolean
  json?: boolean
}

/** Returns the exit code: 0 after `--once`, 130 after Ctrl-C. */
export const watchCommand = async (
  settings: ApiSettings,
  address: string | undefined,
  { network, list, every, once = false, json = false, ...given }: WatchOptions,
): Promise<number> => {
  const addresses = watchedAddresses(network, address, list)
  const api = openApiClient(settings, given)
  const stop = new AbortController()
  const end = () => stop.abort(new Error('interrupted'))
  process.on('SIGINT', end).on('SIGTERM', end)
  const print = (change: Change) => process.stdout.write(`${json ? JSON.stringify(change) : changeLine(change)}\n`)
  const waiting = (line: string) => process.stderr.write(`${line}\n`)
  process.stderr.write(`Watching ${addresses.length} addresses on ${network} through ${api.url}, every ${every} s.\n`)
  try {
    const { signal } = stop
    await watch(api, {
      network,
      addresses,
      everyMs: every * 1_000,
      ...(once && { rounds: 1 }),
      clock: systemClock,
      signal,
      changed: print,
      waiting,
    })
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end)
  }
  return stop.signal.aborted ? INTERRUPTED : 0
}
