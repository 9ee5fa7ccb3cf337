import { evmFromTron } from '../../../../schema/address/index.ts'
import type { Network } from '../../../../schema/networks.ts'
import { type ChainRegistry, registryOf, wrappedNative } from '../../../../schema/registry/index.ts'

type InHex = { registry: ChainRegistry; wrapped: string | undefined }

const inHex = <T>(facts: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
  new Map([...facts].map(([address, fact]) => [evmFromTron(address), fact]))

const build = (network: Network): InHex => {
  const known = registryOf(network)
  const wrapped = wrappedNative(network)?.address
  return {
    registry: {
      sanctionsOracles: inHex(known.sanctionsOracles),
      issuers: inHex(known.issuers),
      mixerPools: inHex(known.mixerPools),
      mixerRouters: inHex(known.mixerRouters),
      privacyProtocols: inHex(known.privacyProtocols),
      dexFactories: inHex(known.dexFactories),
      dexRouters: inHex(known.dexRouters),
      lockers: inHex(known.lockers),
      assets: inHex(known.assets),
      services: inHex(known.services),
      messageBridges: inHex(known.messageBridges),
      legacyNfts: inHex(known.legacyNfts),
    },
    wrapped: wrapped === undefined ? undefined : evmFromTron(wrapped),
  }
}

const built = new Map<Network, InHex>()

/** The registry of a network with addresses in hex, as blocks are decoded. */
export const registryInHex = (network: Network): InHex => {
  const known = built.get(network) ?? build(network)
  built.set(network, known)
  return known
}
