import type { AddressFamily } from '../../../schema/networks/families.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { createEvmSourceWorld } from './evm.ts'
import { createSolanaSourceWorld } from './solana.ts'
import { createTonSourceWorld } from './ton.ts'
import { createTronSourceWorld } from './tron.ts'
import type { SourceWorld, WorldOptions } from './world.ts'

const FAMILIES: Record<AddressFamily, (network: Network, options?: WorldOptions) => Promise<SourceWorld>> = {
  evm: createEvmSourceWorld,
  solana: (_, options) => createSolanaSourceWorld(options),
  tron: (_, options) => createTronSourceWorld(options),
  ton: (_, options) => createTonSourceWorld(2, options),
}

/** A synthetic chain of a network, by its family. */
export const createSourceWorld = (network: Network, options?: WorldOptions): Promise<SourceWorld> =>
  FAMILIES[networkInfo(network).family](network, options)
