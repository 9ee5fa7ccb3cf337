/** All public infrastructure of the registry in one look-up. Detectors never flag it, and taint never passes it. */
import { NETWORK_CODES, type Network } from '../networks.ts'
import { ISSUERS, SANCTIONS_ORACLES } from './authorities.ts'
import { LOCKERS, MIXER_POOLS, MIXER_ROUTERS, PRIVACY_PROTOCOLS, SERVICES, type ServiceKind } from './contracts.ts'
import { MESSAGE_BRIDGES } from './message-bridges.ts'
import { type ProtocolKind, protocolsOf } from './protocols.ts'

/** Category of a service in exposure reports. */
export type ServiceCategory =
  | 'exchange'
  | 'dex'
  | 'bridge'
  | 'lending'
  | 'staking'
  | 'marketplace'
  | 'gambling'
  | 'mining'
  | 'mixer'
  | 'privacy'
  | 'token'
  | 'service'

/** An address of public infrastructure, with its category in evidence. */
export type Infrastructure = { name: string; category: ServiceCategory }

const OF_PROTOCOL: Partial<Record<ProtocolKind, ServiceCategory>> = {
  exchange: 'dex',
  liquidity: 'dex',
  lending: 'lending',
  cdp: 'lending',
  savings: 'lending',
  vault: 'lending',
  'liquid-staking': 'staking',
  staking: 'staking',
  farm: 'staking',
  deposit: 'staking',
  nft: 'marketplace',
  bridge: 'bridge',
  rollup: 'bridge',
  gambling: 'gambling',
  wrapped: 'token',
  token: 'token',
}

const OF_SERVICE: Partial<Record<ServiceKind, ServiceCategory>> = {
  marketplace: 'marketplace',
  'unread-exchange': 'dex',
  bridge: 'bridge',
  staking: 'staking',
  'vault-owner': 'dex',
}

const build = (network: Network): ReadonlyMap<string, Infrastructure> => {
  const known = new Map<string, Infrastructure>()
  const add = (address: string, name: string, category: ServiceCategory) => known.set(address, { name, category })
  for (const [address, { name }] of LOCKERS[network]) add(address, name, 'service')
  for (const [address, { symbol }] of ISSUERS[network]) add(address, symbol, 'token')
  for (const [address, { name }] of SANCTIONS_ORACLES[network]) add(address, name, 'service')
  for (const [address, { name, kind }] of SERVICES[network]) add(address, name, OF_SERVICE[kind] ?? 'service')
  for (const [address, { bridge }] of MESSAGE_BRIDGES[network]) add(address, bridge.replace('-v2', ''), 'bridge')
  for (const [address, { protocol, kind }] of protocolsOf(network)) {
    add(address, protocol, OF_PROTOCOL[kind] ?? 'service')
  }
  for (const [address, { name }] of PRIVACY_PROTOCOLS[network]) add(address, name, 'privacy')
  for (const [address, { symbol }] of MIXER_POOLS[network]) add(address, `${symbol} mixer pool`, 'mixer')
  for (const [address, { name }] of MIXER_ROUTERS[network]) add(address, name, 'mixer')
  return known
}

const INFRASTRUCTURE = new Map(NETWORK_CODES.map((network) => [network, build(network)] as const))
const NOTHING: ReadonlyMap<string, Infrastructure> = new Map()

/** Infrastructure of a network by canonical address. */
export const infrastructureOf = (network: Network): ReadonlyMap<string, Infrastructure> =>
  INFRASTRUCTURE.get(network) ?? NOTHING
