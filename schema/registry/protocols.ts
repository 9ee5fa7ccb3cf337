/** Purpose of contracts: protocols by name, exchanges and canonical tokens, in one look-up. */

import type { Protocol, ProtocolKind } from '../facts/protocols/protocol.ts'
import type { CanonicalAsset } from '../facts/tokens/assets.ts'
import type { Network } from '../networks.ts'
import { ASSETS, DEX_FACTORIES, DEX_ROUTERS } from './contracts.ts'
import { byNetwork } from './entries.ts'

export type { Protocol, ProtocolKind } from '../facts/protocols/protocol.ts'

/** Behavioural domains, named as in records. A transaction counts once in each domain it touches. */
export const CATEGORIES: Record<ProtocolKind, readonly string[]> = {
  exchange: ['Decentralized Exchanges', 'DeFi'],
  liquidity: ['Decentralized Exchanges', 'DeFi'],
  lending: ['Lending & Borrowing', 'DeFi'],
  cdp: ['Lending & Borrowing', 'DeFi'],
  savings: ['Lending & Borrowing', 'DeFi'],
  'liquid-staking': ['DeFi'],
  staking: ['DeFi'],
  farm: ['DeFi'],
  vault: ['DeFi'],
  perpetuals: ['DeFi'],
  nft: ['NFT'],
  bridge: ['Bridge'],
  rollup: ['Bridge', 'Layer 2'],
  system: ['Layer 2'],
  deposit: ['Layer 1'],
  names: ['Business Services'],
  payments: ['Business Services'],
  game: ['Gaming'],
  gambling: ['Gaming'],
  wrapped: ['Layer 1'],
  token: [],
}

/** Protocols other than exchanges and tokens, by network and canonical address. */
export const PROTOCOLS = byNetwork(({ protocols }) => protocols)

/** Protocol names of tokens whose own name differs. */
const TOKEN_NAMES: Record<string, string> = {
  'tether usd': 'tether',
  usdt: 'tether',
  'dai stablecoin': 'dai',
  'dai token': 'dai',
  uniswap: 'uniswap token',
  compound: 'compound token',
}

const ofAsset = ({ address, name, flags }: CanonicalAsset): Protocol => ({
  address,
  protocol: TOKEN_NAMES[name.toLowerCase()] ?? name.toLowerCase(),
  kind: flags.includes('wrapped') ? 'wrapped' : 'token',
})

/** All known contracts of a network: protocols, exchanges and their factories, canonical tokens. */
export const protocolsOf = (network: Network): ReadonlyMap<string, Protocol> => {
  const exchange = (name: string) => name.replace('-slipstream', '')
  return new Map(
    [
      ...[...ASSETS[network].values()].map(ofAsset),
      ...[...DEX_FACTORIES[network].values()].map(
        ({ address, name }): Protocol => ({ address, protocol: exchange(name), kind: 'exchange' }),
      ),
      ...[...DEX_ROUTERS[network].values()].map(
        ({ address, name, kind }): Protocol => ({
          address,
          protocol: exchange(name),
          kind: kind === 'positions' || kind === 'bins' ? 'liquidity' : 'exchange',
        }),
      ),
      ...PROTOCOLS[network].values(),
    ].map((entry) => [entry.address, entry]),
  )
}
