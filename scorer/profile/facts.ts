/** Registry facts about a network that profiles need. */
import { type Network, networkInfo } from '../../schema/networks.ts'
import { registryOf, wrappedNative } from '../../schema/registry/index.ts'
import { type Protocol, protocolsOf } from '../../schema/registry/protocols.ts'
import { type PricedAsset, type PricedAssets, pricedAssetsOf } from '../ledger/prices/assets.ts'
import { bucketOf } from './risk-buckets.ts'
import type { RiskBucket } from './scores.ts'

type RatedAsset = PricedAsset & { bucket: RiskBucket }

/** Assets with their risk bucket, protocols, and addresses to ignore. */
export type ProfileFacts = Omit<PricedAssets, 'assets'> & {
  assets: ReadonlyMap<string, RatedAsset>
  protocols: ReadonlyMap<string, Protocol>
  /** Contracts whose own tokens are positions: minting one counts as use of the protocol. */
  positions: readonly string[]
  /** Protocols, tokens and public infrastructure, which do not count as counterparties. */
  services: readonly string[]
}

const NO_POSITION = new Set(['token', 'wrapped'])

/** Reads only the registry, which does not change while a process runs: call it once per network. */
export const createFacts = (network: Network): ProfileFacts => {
  const registry = registryOf(network)
  const protocols = protocolsOf(network)
  const native = wrappedNative(network) ?? { symbol: networkInfo(network).nativeCoin.symbol, flags: [] }
  const priced = pricedAssetsOf(network)
  const assets = [...priced.assets].map(([address, asset]) => {
    const bucket = bucketOf(registry.assets.get(address) ?? native)
    return [address, { ...asset, bucket }] as const
  })
  return {
    ...priced,
    assets: new Map(assets),
    protocols,
    positions: [...protocols.values()].filter(({ kind }) => !NO_POSITION.has(kind)).map(({ address }) => address),
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
