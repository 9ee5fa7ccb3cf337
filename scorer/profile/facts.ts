/** What a profile has to know of a network, put together from the registry once. */
import { type Network, networkInfo } from '../../schema/networks.ts'
import { registryOf, wrappedNative } from '../../schema/registry/index.ts'
import { type Protocol, protocolsOf } from '../../schema/registry/protocols.ts'
import type { RiskBucket } from './scores.ts'
import { bucketOf } from './tiers.ts'

export type ValuedAsset = { symbol: string; decimals: number; bucket: RiskBucket; stable: boolean }

export type ProfileFacts = {
  network: Network
  /** Wrapped native coin; undefined where none is registered, and the native coin then has no price. */
  wrapped: string | undefined
  /** Assets that can have a value, by address; the native coin by the empty string. */
  assets: ReadonlyMap<string, ValuedAsset>
  protocols: ReadonlyMap<string, Protocol>
  /** Contracts whose own tokens are positions: minting one is dealing with the protocol. */
  positions: readonly string[]
  /** Factories whose pools are believed when prices are read. */
  factories: readonly string[]
  /** Counterparties that are nobody's company: protocols, tokens, public infrastructure. */
  services: readonly string[]
}

const NO_POSITION = new Set(['token', 'wrapped'])

export const createFacts = (network: Network): ProfileFacts => {
  const registry = registryOf(network)
  const protocols = protocolsOf(network)
  const { symbol, decimals } = networkInfo(network).nativeCoin
  const wrapped = wrappedNative(network)
  const native = {
    symbol,
    decimals,
    bucket: bucketOf(wrapped ?? { symbol, flags: [] }),
    stable: false,
  }
  const assets = [...registry.assets.values()].map((asset) => {
    const valued = { symbol: asset.symbol, decimals: asset.decimals, bucket: bucketOf(asset) }
    return [asset.address, { ...valued, stable: asset.flags.includes('stable') }] as const
  })
  return {
    network,
    wrapped: wrapped?.address,
    assets: new Map([['', native] as const, ...assets]),
    protocols,
    positions: [...protocols.values()].filter(({ kind }) => !NO_POSITION.has(kind)).map(({ address }) => address),
    factories: [...registry.dexFactories.keys()],
    services: [
      ...new Set([
        ...protocols.keys(),
        ...registry.services.keys(),
        ...registry.lockers.keys(),
        ...registry.mixerPools.keys(),
        ...registry.mixerRouters.keys(),
        ...registry.privacyProtocols.keys(),
      ]),
    ],
  }
}
