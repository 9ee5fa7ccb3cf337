/** Assets that can have a price on a network, from the registry. */
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { PRICED_KINDS } from '../../../schema/registry/contracts.ts'
import { registryOf, wrappedNative } from '../../../schema/registry/index.ts'

/** An asset that can have a price. A `stable` asset is one dollar by definition. */
export type PricedAsset = { symbol: string; decimals: number; stable: boolean }

/** Input for reading prices on a network. Tokens outside the registry have no price: anybody can create one. */
export type PricedAssets = {
  network: Network
  /** Wrapped native coin. If it is undefined, the native coin has no price. */
  wrapped: string | undefined
  /** By address; the native coin has the empty key. */
  assets: ReadonlyMap<string, PricedAsset>
  /** Factories whose pools are trusted for prices. */
  factories: readonly string[]
}

/** Assets of the registry, plus the native coin with the price of its wrapped form. */
export const pricedAssetsOf = (network: Network): PricedAssets => {
  const registry = registryOf(network)
  const { symbol, decimals } = networkInfo(network).nativeCoin
  const canonical = [...registry.assets.values()].map(
    ({ address, symbol, decimals, flags }) =>
      [address, { symbol, decimals, stable: flags.includes('stable') }] as const,
  )
  return {
    network,
    wrapped: wrappedNative(network)?.address,
    assets: new Map([['', { symbol, decimals, stable: false }] as const, ...canonical]),
    factories: [...registry.dexFactories.values()]
      .filter(({ kind }) => PRICED_KINDS.includes(kind))
      .map(({ address }) => address),
  }
}
