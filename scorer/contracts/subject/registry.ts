/** Facts about each network for the contract analysis, from the registry. Addresses are lower-case. */
import { type Network, networkInfo, networksOf } from '../../../schema/networks.ts'
import { type CurveDesign, GAS_TOKENS, type ServiceKind } from '../../../schema/registry/contracts.ts'
import {
  type CanonicalAsset,
  type DexFactory,
  type Locker,
  registryOf,
  wrappedNative,
} from '../../../schema/registry/index.ts'
import { infrastructureOf } from '../../../schema/registry/infrastructure.ts'
import { isVenue, type VenueKind, ZERO } from '../chain/simulator/script.ts'

/** An asset that tokens trade against. */
export type BaseAsset = {
  address: string
  symbol: string
  decimals: number
  /** A stablecoin, worth one US dollar by design. */
  stable: boolean
  /** Fixed, low USD price of the native coin, used when no pool prices it; absent for other assets. */
  lowUsd?: number
  /** Not in the registry: its price may be read, but trades against it prove nothing. */
  unregistered?: true
}
/** How pools of one exchange are found and how trades in them are simulated. */
export type Exchange =
  /** `fee` in hundredths of a basis point; `router` is the zero address when none is registered. */
  | { kind: 'v2'; factory: string; router: string; fee: number }
  /** Pools are looked up by fee, by tick spacing, or by the tokens alone (Algebra). */
  | { kind: 'v3'; factory: string; by: 'fee' | 'spacing' | 'pair'; keys: readonly number[] }
  /** `pairs`: the factory has `getPair` instead of `getPool`. */
  | { kind: 'solidly'; factory: string; pairs?: boolean }
  | { kind: 'v4'; manager: string }
  /**
   * Without pair look-ups: pools come from the tables. `factory` is the contract that emits their creation: a factory,
   * vault or pool manager.
   */
  | { kind: VenueKind; factory: string }
/** A launchpad with bonding curves. */
export type CurveLaunchpad = { address: string; name: string; design: CurveDesign }
/** Registry of one network. Tests on local chains pass their own. */
export type ContractRegistry = {
  wrappedNative: string
  /** The wrapped native coin first. */
  bases: readonly BaseAsset[]
  /**
   * All registered assets except memes, by address. Pools against those that are not base assets come from the tables.
   */
  assets: ReadonlyMap<string, BaseAsset>
  exchanges: readonly Exchange[]
  /** Contracts that issue V3 and V4 positions as NFTs. */
  positions: readonly string[]
  /** Contracts that issue bin shares as tokens. */
  bins: readonly string[]
  lockers: readonly Locker[]
  /** Contracts that deploy for anyone: a creation through them counts as direct, by the transaction's sender. */
  publicFactories: readonly string[]
  /** Names of launchpads, by address. */
  launchpads: ReadonlyMap<string, string>
  /** Launchpads whose bonding curves are read. */
  curves: readonly CurveLaunchpad[]
  /** Contracts that name the gauge of a pool. Liquidity staked in a gauge still belongs to its depositor. */
  voters: readonly string[]
  /** Factories of exchanges whose pools are not read. */
  unsupported: readonly { address: string; name: string }[]
  /** Names of public contracts, by address. */
  names: ReadonlyMap<string, string>
  /** Well-known tokens, whose risk score is capped at Low. */
  canonical: readonly string[]
  /** Tokens minted for gas, such as CHI and XEN. */
  gasTokens: ReadonlySet<string>
  /**
   * Unix seconds from which a contract survives `selfdestruct` after its creating transaction (EIP-6780); `null` when
   * unknown.
   */
  eip6780From: number | null
  /** Granularity of block times, seconds. */
  timeStep: number
}

/** Contract that emits the creation of an exchange's pools. */
export const announcerOf = (exchange: Exchange): string =>
  exchange.kind === 'v4' ? exchange.manager : exchange.factory

const exchangeOf = (factory: DexFactory, routers: ReadonlyMap<string, string>): Exchange | undefined => {
  const { address, name, kind, fee, fees, spacings, pairs = false } = factory
  if (kind === 'v4') return { kind, manager: address }
  if (kind === 'solidly') return { kind, factory: address, pairs }
  if (kind === 'v2')
    return fee === undefined ? undefined : { kind, factory: address, router: routers.get(name) ?? ZERO, fee }
  if (isVenue(kind)) return { kind, factory: address }
  if (kind !== 'v3') return undefined
  if (pairs) return { kind, factory: address, by: 'pair', keys: [0] }
  if (spacings) return { kind, factory: address, by: 'spacing', keys: spacings }
  return fees && { kind, factory: address, by: 'fee', keys: fees }
}

const build = (network: Network): ContractRegistry | undefined => {
  const facts = registryOf(network)
  const wrapped = wrappedNative(network)
  if (!wrapped) return undefined
  const routers = [...facts.dexRouters.values()]
  const routerOf = new Map(routers.filter(({ kind }) => kind === 'v2').map(({ name, address }) => [name, address]))
  const lowUsd = 1_000 / networkInfo(network).nativeCoin.per1000Usd
  const baseOf = (asset: CanonicalAsset): BaseAsset => ({
    address: asset.address,
    symbol: asset.symbol.toLowerCase(),
    decimals: asset.decimals,
    stable: asset.flags.includes('stable'),
    ...(asset === wrapped && { lowUsd }),
  })
  const assets = [...facts.assets.values()]
  const served = (...kinds: ServiceKind[]) => [...facts.services.values()].filter(({ kind }) => kinds.includes(kind))
  const vouched = assets.filter(({ flags }) => !flags.includes('meme'))
  const bases = assets.filter(({ flags }) => flags.includes('base'))
  return {
    wrappedNative: wrapped.address,
    bases: [...bases].sort((a, b) => Number(b === wrapped) - Number(a === wrapped)).map(baseOf),
    assets: new Map(vouched.map((asset) => [asset.address, baseOf(asset)])),
    exchanges: [...facts.dexFactories.values()].flatMap((factory) => exchangeOf(factory, routerOf) ?? []),
    positions: routers.filter(({ kind }) => kind === 'positions').map(({ address }) => address),
    bins: routers.filter(({ kind }) => kind === 'bins').map(({ address }) => address),
    lockers: [...facts.lockers.values()],
    publicFactories: served('factory', 'launchpad').map(({ address }) => address),
    launchpads: new Map(served('launchpad').map(({ address, name }) => [address, name])),
    curves: [...facts.services.values()].flatMap(({ address, name, curve }) =>
      curve ? [{ address, name, design: curve }] : [],
    ),
    voters: served('voter').map(({ address }) => address),
    unsupported: served('unread-exchange'),
    names: new Map([...infrastructureOf(network)].map(([address, { name }]) => [address, name])),
    canonical: vouched.map(({ address }) => address),
    gasTokens: new Set(GAS_TOKENS[network].keys()),
    eip6780From: networkInfo(network).eip6780From,
    timeStep: networkInfo(network).timeStep,
  }
}

const REGISTRY = new Map(networksOf('rug_pull').map((network) => [network, build(network)]))

/** Registry of a network; `undefined` when its contracts are not analysed. */
export const contractRegistry = (network: Network): ContractRegistry | undefined => REGISTRY.get(network)
