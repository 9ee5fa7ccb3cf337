import type { AddressFamily } from '../../../schema/networks/families.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { createEvmSourceWorld } from './evm.ts'
import { createSolanaSourceWorld } from './solana.ts'
import { createTonSourceWorld } from './ton.ts'
import { createTronSourceWorld } from './tron.ts'
import type { SourceWorld } from './world.ts'

const FAMILIES: Record<AddressFamily, (network: Network) => Promise<SourceWorld>> = {
  evm: createEvmSourceWorld,
  solana: createSolanaSourceWorld,
  tron: createTronSourceWorld,
  ton: () => createTonSourceWorld(),
}

/** A made-up chain of a network, by its family. */
export const createSourceWorld = (network: Network): Promise<SourceWorld> =>
  FAMILIES[networkInfo(network).family](network)
