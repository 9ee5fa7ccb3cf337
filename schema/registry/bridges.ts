/** Bridge routes on which a deposit can be matched with its payout from chain data alone. */
import { NETWORK_CODES, type Network, networkInfo } from '../networks.ts'

/**
 * A route between two networks, with canonical addresses. An asset of one network (`given`; empty for the native coin) becomes an
 * asset of the other (`got`), one to one.
 */
export type Route = {
  from: Network
  to: Network
  entry: string
  exit: string
  withinS: number
  given: string
  got: string
}

const isNetwork = (code: string): code is Network => (NETWORK_CODES as readonly string[]).includes(code)

/** @throws RangeError when a route comes from an unknown network, which is a mistake in the data. */
const build = (): Route[] =>
  NETWORK_CODES.flatMap((to) =>
    networkInfo(to).facts.bridgeRoutes.map(({ from, entry, exit, withinS, asset }) => {
      if (!isNetwork(from)) throw new RangeError(`bridge route to ${to} comes from ${from}, which is no network`)
      const [given, got] = [asset?.from ?? '', asset?.to ?? ''].map((one) => one.toLowerCase()) as [string, string]
      return { from, to, entry: entry.toLowerCase(), exit: exit.toLowerCase(), withinS, given, got }
    }),
  )

/** All routes with canonical addresses; `withinS` is in seconds. */
export const ROUTES: readonly Route[] = build()
