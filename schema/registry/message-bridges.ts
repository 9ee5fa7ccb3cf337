/** Bridges whose events name the other side, and the key that connects the two events of a crossing. */
import { CCTP_DOMAINS, type MessageBridgeName } from '../facts/bridges/message-bridges.ts'
import { NETWORK_CODES, type Network, networkInfo } from '../networks.ts'
import { byNetwork } from './entries.ts'

export type { MessageBridge } from '../facts/bridges/message-bridges.ts'

/** Contracts of message bridges, by network and canonical address. */
export const MESSAGE_BRIDGES = byNetwork(({ messageBridges }) => messageBridges)

/** Contracts that take the money of a crossing. */
export const takersOf = (network: Network): string[] =>
  [...MESSAGE_BRIDGES[network].values()].flatMap(({ address, role }) =>
    role === 'pool' || role === 'minter' ? [address] : [],
  )

const numberOf = (bridge: MessageBridgeName, network: Network): number | null =>
  bridge === 'across' ? networkInfo(network).chainId : (CCTP_DOMAINS[network] ?? null)

/** A bridge's number of a network; `null` if the bridge is not there. */
export const bridgeNumber = (bridge: MessageBridgeName, network: Network): number | null =>
  [...MESSAGE_BRIDGES[network].values()].some((one) => one.bridge === bridge) ? numberOf(bridge, network) : null

/** The network with a bridge's number; `undefined` for unsupported networks. */
export const networkOfNumber = (bridge: MessageBridgeName, number: number): Network | undefined =>
  NETWORK_CODES.find((network) => bridgeNumber(bridge, network) === number)

/** The messenger of a bridge on a network. */
export const messengerOf = (bridge: MessageBridgeName, network: Network): string | undefined =>
  [...MESSAGE_BRIDGES[network].values()].find((one) => one.bridge === bridge && one.role === 'messenger')?.address

/** One message from a network to another. `id` is unique between the two on that bridge. */
export type Crossing = { bridge: MessageBridgeName; from: Network; to: Network; id: string }

/** Key of a crossing, as in column `detail`. */
export const crossingKey = ({ bridge, from, to, id }: Crossing): string => `${bridge} ${from} ${to} ${id}`

/** Networks of a crossing key; `undefined` for other texts. */
export const crossingOf = (key: string): Pick<Crossing, 'from' | 'to'> | undefined => {
  const [, from, to] = key.split(' ')
  const network = (code: string | undefined) => NETWORK_CODES.find((known) => known === code)
  const [one, other] = [network(from), network(to)]
  return one && other && { from: one, to: other }
}
