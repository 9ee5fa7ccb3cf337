/** Assets that can have a price on a network, put together from the registry. */
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { PRICED_KINDS } from '../../../schema/registry/contracts.ts'
import { registryOf, wrappedNative } from '../../../schema/registry/index.ts'

/** An asset that can have a price. A `stable` one is one dollar by definition. */
export type PricedAsset = { symbol: string; decimals: number; stable: boolean }

/**
 * What reading prices on a network takes. Tokens that are not in the registry have no price at all: anybody can make
 * one.
 */
export type PricedAssets = {
  network: Network
  /** Wrapped native coin; undefined where none is registered, and the native coin then has no price. */
  wrapped: string | undefined
  /** By address; the native coin by the empty string. */
  assets: ReadonlyMap<string, PricedAsset>
  /** Factories whose pools are believed when prices are read. */
  factories: readonly string[]
}

/** Assets of the registry and the native coin, which has the price of its wrapped form. */
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
