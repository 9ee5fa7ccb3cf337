/** Ways over bridges on which what was given can be told from what came out, from the chains alone. */
import { NETWORK_CODES, type Network, networkInfo } from '../networks.ts'

/**
 * From a network to another, in canonical spelling: an asset of one (`given`; empty for the native coin) becomes one of the other (`got`), one to
 * one.
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

/** @throws RangeError when a route comes from a network that does not exist: the data is wrong and must be corrected. */
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
