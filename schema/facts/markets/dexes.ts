/**
 * Exchanges: factories (or singletons) that announce pools, and the routers, aggregators and position managers that traders
 * call. Sources: deployment pages of Uniswap, PancakeSwap, SushiSwap, QuickSwap, Aerodrome, 1inch and 0x; DefiLlama adapters.
 * Other entries name two sources that agree.
 */
export type DexKind = 'v2' | 'v3' | 'v4' | 'solidly'
/** Designs whose factories cannot be asked for a pair's pool: their pools are known from announcements. */
export type FollowedKind = 'infinity-cl' | 'infinity-bin' | 'curve' | 'balancer-v2' | 'balancer-v3'
/** A contract whose events announce pools. `kind` determines how they are read, and how trades in the pools are simulated. */
export type DexFactory = {
  address: string
  name: string
  kind: DexKind | FollowedKind
  /** V2: swap fee in hundredths of a basis point; the highest if pairs differ. */
  fee?: number
  /** V3: fees of its pools, in hundredths of a basis point. */
  fees?: readonly number[]
  /** V3 designs whose pools differ by tick spacing instead. */
  spacings?: readonly number[]
  /** Contract that holds the coins of all its pools, if that is neither each pool nor the factory. */
  vault?: string
  /** Pools are found by another getter: Algebra's `poolByPair` (one V3 pool per pair) and THENA's `getPair` (Solidly). */
  pairs?: true
}
/** `positions` issues ranges of liquidity as NFTs, `bins` shares of bins as tokens with an id per bin. */
export type DexRouter = {
  address: string
  name: string
  kind: DexKind | 'universal' | 'aggregator' | 'positions' | 'bins'
}

const PANCAKE_FEES = [100, 500, 2_500, 10_000] as const
const UNISWAP_FEES = [100, 500, 3_000, 10_000] as const

const v2 = (name: string, fee: number, address: string): DexFactory => ({ address, name, kind: 'v2', fee })
const v3 = (name: string, fees: readonly number[], address: string): DexFactory => ({ address, name, kind: 'v3', fees })

const slipstream = (address: string): DexFactory => ({
  address,
  name: 'aerodrome-slipstream',
  kind: 'v3',
  spacings: [1, 50, 100, 200, 2_000],
})
const algebra = (name: string, address: string): DexFactory => ({ address, name, kind: 'v3', pairs: true })

const followed = (kind: FollowedKind, name: string, ...addresses: string[]): DexFactory[] =>
  addresses.map((address) => ({ address, name, kind }))

/** Vault of PancakeSwap Infinity: DefiLlama (pancakeswap-infinity), PancakeSwap's own agent skills and subgraph. */
export const INFINITY_VAULT = '0x238a358808379702088667322f80aC48bAd5e6c4'
/** Both pool managers: DefiLlama (pancakeswap-infinity), PancakeSwap's frontend and agent skills, KyberSwap's library. */
const PANCAKE_INFINITY: readonly DexFactory[] = [
  ...followed('infinity-cl', 'pancakeswap', '0xa0FfB9c1CE1Fe56963B0321B32E7A0302114058b'),
  ...followed('infinity-bin', 'pancakeswap', '0xC697d2898e0D09264376196696c51D7aBbbAA4a9'),
].map((manager) => ({ ...manager, vault: INFINITY_VAULT }))
/** Vaults of both versions: Balancer's deployments, DefiLlama (balancer registry), Dune's list of DEX addresses. */
const BALANCER_V2 = followed('balancer-v2', 'balancer', '0xBA12222222228d8Ba445958a75a0704d566BF2C8')
const BALANCER_V3 = followed('balancer-v3', 'balancer', '0xbA1333333333a1BA1108E8412f11850A5C319bA9')
/**
 * Factories of stable and of crypto pools: Curve's documentation (deployed contracts), DefiLlama (curve). The third of a network
 * is for pools of three coins: Curve's documentation, its registries and frontend.
 */
const curve = (...addresses: string[]): DexFactory[] => followed('curve', 'curve', ...addresses)

const PANCAKE_V3 = v3('pancakeswap', PANCAKE_FEES, '0x0BFbCF9fa4f9C56B0F40a671Ad40E0805A091865')
const UNISWAP_V3 = v3('uniswap', UNISWAP_FEES, '0x1F98431c8aD98523631AE4a59f267346ea31F984')

/** Factories and singletons by network. A pool that none of them announced counts as unregistered. */
export const DEX_FACTORIES = {
  ETH: [
    v2('uniswap', 3_000, '0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f'),
    UNISWAP_V3,
    { address: '0x000000000004444c5dc75cB358380D2e3dE08A90', name: 'uniswap', kind: 'v4' },
    v2('sushiswap', 3_000, '0xC0AEe478e3658e2610c5F7A4A2E1777cE9e4f2Ac'),
    v2('pancakeswap', 2_500, '0x1097053Fd2ea711dad45caCcc45EfF7548fCB362'),
    PANCAKE_V3,
    // DefiLlama (sushiswap-v3), Dune spellbook (dex_mapping).
    v3('sushiswap', UNISWAP_FEES, '0xbACEB8eC6b9355Dfc0269C18bac9d6E2Bdc29C4F'),
    ...curve('0x6A8cbed756804B16E05E741eDaBd5cB544AE21bf', '0x98EE851a00abeE0d95D08cF4CA2BdCE32aeaAF7F'),
    ...curve('0x0c0e5f2fF0ff18a3be9b835635039256dC4B4963'),
    // The previous factories: Curve's documentation, 0x's pool reader and other public clients.
    ...curve('0xB9fC157394Af804a3578134A6585C0dc9cc990d4', '0xF18056Bbd320E96A48e3Fbf8bC061322531aac99'),
    ...BALANCER_V2,
    ...BALANCER_V3,
  ],
  BNB: [
    v2('pancakeswap', 2_500, '0xcA143Ce32Fe78f1f7019d7d551a6402fC5350c73'),
    PANCAKE_V3,
    v2('uniswap', 3_000, '0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6'),
    v3('uniswap', UNISWAP_FEES, '0xdB1d10011AD0Ff90774D0C6Bb92e5C5c8b4461F7'),
    { address: '0x28e2Ea090877bF75740558f6BFB36A5ffeE9e9dF', name: 'uniswap', kind: 'v4' },
    v2('sushiswap', 3_000, '0xc35DADB65012eC5796536bD9864eD8773aBc74C4'),
    v2('biswap', 3_000, '0x858E3312ed3A876947EA49d572A7C42DE08af7EE'),
    // DefiLlama (sushiswap-v3), Dune spellbook (dex_mapping).
    v3('sushiswap', UNISWAP_FEES, '0x126555dd55a39328F69400d6aE4F782Bd4C34ABb'),
    // DefiLlama (uniswapV2 registry), Dune spellbook (dex_mapping).
    { address: '0xAFD89d21BdB66d00817d4153E055830B1c2B3970', name: 'thena', kind: 'solidly', pairs: true },
    // DefiLlama (uniswapV3 registry, thena-v3), THENA's own subgraph.
    algebra('thena', '0x306F06C147f064A010530292A1EB6737c3e378e4'),
    ...PANCAKE_INFINITY,
    ...curve('0xd7E72f3615aa65b92A4DBdC211E296a35512988B', '0x98EE851a00abeE0d95D08cF4CA2BdCE32aeaAF7F'),
    ...curve('0x38f8D93406fA2d9924DcFcB67dB5B0521Fb20F7D'),
  ],
  POLYGON: [
    v2('quickswap', 3_000, '0x5757371414417b8C6CAad45bAeF941aBc7d3Ab32'),
    v2('uniswap', 3_000, '0x9e5A52f57b3038F1B8EeE45F28b3C1967e22799C'),
    UNISWAP_V3,
    { address: '0x67366782805870060151383F4BbFF9daB53e5cD6', name: 'uniswap', kind: 'v4' },
    v2('sushiswap', 3_000, '0xc35DADB65012eC5796536bD9864eD8773aBc74C4'),
    // DefiLlama (sushiswap-v3), Dune spellbook (dex_mapping).
    v3('sushiswap', UNISWAP_FEES, '0x917933899c6a5F8E37F31E19f92CdBFF7e8FF0e2'),
    // QuickSwap's documentation, DefiLlama (quickswap-v3).
    algebra('quickswap', '0x411b0fAcC3489691f28ad58c47006AF5E3Ab3A28'),
    ...curve('0x1764ee18e8B3ccA4787249Ceb249356192594585', '0x98EE851a00abeE0d95D08cF4CA2BdCE32aeaAF7F'),
    ...curve('0xC1b393EfEF38140662b91441C6710Aa704973228'),
    ...BALANCER_V2,
  ],
  BASE: [
    v2('uniswap', 3_000, '0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6'),
    v3('uniswap', UNISWAP_FEES, '0x33128a8fC17869897dcE68Ed026d694621f6FDfD'),
    { address: '0x498581fF718922c3f8e6A244956aF099B2652b2b', name: 'uniswap', kind: 'v4' },
    { address: '0x420DD381b31aEf6683db6B902084cB0FFECe40Da', name: 'aerodrome', kind: 'solidly' },
    slipstream('0x5e7BB104d84c7CB9B682AaC2F3d509f5F406809A'),
    // Later releases: Slipstream's repository (the first), DefiLlama (aerodrome-slipstream, both), public subgraphs.
    slipstream('0xaDe65c38CD4849aDBA595a4323a8C7DdfE89716a'),
    slipstream('0xf8f2eB4940CFE7d13603DDDD87f123820Fc061Ef'),
    v2('sushiswap', 3_000, '0x71524B4f93c58fcbF659783284E38825f0622859'),
    v3('sushiswap', UNISWAP_FEES, '0xc35DADB65012eC5796536bD9864eD8773aBc74C4'),
    v2('pancakeswap', 2_500, '0x02a84c1b3BBD7401a5f7fa98a384EBC70bB5749E'),
    PANCAKE_V3,
    v2('baseswap', 2_500, '0xFDa619b6d20975be80A10332cD39b9a4b0FAa8BB'),
    ...PANCAKE_INFINITY,
    ...curve('0xd2002373543Ce3527023C75e7518C274A51ce712', '0xc9Fe0C63Af9A39402e8a5514f9c43Af0322b665F'),
    ...curve('0xA5961898870943c68037F6848d2D866Ed2016bcB'),
    ...BALANCER_V2,
    ...BALANCER_V3,
  ],
  HAQQ: [v3('sushiswap', UNISWAP_FEES, '0xc35DADB65012eC5796536bD9864eD8773aBc74C4')],
} satisfies Record<string, readonly DexFactory[]>

const UNIVERSAL: DexRouter = {
  address: '0x3fC91A3afd70395Cd496C647d5a6CC9D4B2b7FAD',
  name: 'uniswap',
  kind: 'universal',
}

const AGGREGATORS: readonly DexRouter[] = [
  { address: '0x1111111254EEB25477B68fb85Ed929f73A960582', name: '1inch', kind: 'aggregator' },
  { address: '0x111111125421cA6dc452d289314280a0f8842A65', name: '1inch', kind: 'aggregator' },
  { address: '0xDef1C0ded9bec7F1a1670819833240f027b25EfF', name: '0x', kind: 'aggregator' },
]

const UNISWAP_V3_ROUTERS: readonly DexRouter[] = [
  { address: '0xE592427A0AEce92De3Edee1F18E0157C05861564', name: 'uniswap', kind: 'v3' },
  { address: '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45', name: 'uniswap', kind: 'v3' },
  { address: '0xC36442b4a4522E871399CD717aBDD847Ab11FE88', name: 'uniswap', kind: 'positions' },
  { address: '0xEf1c6E67703c7BD7107eed8303Fbe6EC2554BF6B', name: 'uniswap', kind: 'universal' },
]

const PANCAKE_V3_ROUTERS: readonly DexRouter[] = [
  { address: '0x46A15B0b27311cedF172AB29E4f4766fbE7F4364', name: 'pancakeswap', kind: 'positions' },
  { address: '0x1b81D678ffb9C0263b24A97847620C99d213eB14', name: 'pancakeswap', kind: 'v3' },
]

/** Position manager of Infinity's ranges: PancakeSwap's subgraphs, public indexers and clients, which agree. */
const PANCAKE_INFINITY_POSITIONS: DexRouter = {
  address: '0x55f4c8abA71A1e923edC303eb4fEfF14608cC226',
  name: 'pancakeswap',
  kind: 'positions',
}

/** Position manager of its bins, on both networks: PancakeSwap docs, configuration of infinity-periphery, public clients. */
const PANCAKE_INFINITY_BINS: DexRouter = {
  address: '0x3D311D6283Dd8aB90bb0031835C8e606349e2850',
  name: 'pancakeswap',
  kind: 'bins',
}

/** Routers, aggregators and position managers by network, which traders call instead of pools. */
export const DEX_ROUTERS = {
  ETH: [
    ...AGGREGATORS,
    ...UNISWAP_V3_ROUTERS,
    UNIVERSAL,
    ...PANCAKE_V3_ROUTERS,
    { address: '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D', name: 'uniswap', kind: 'v2' },
    { address: '0x66a9893cC07D91D95644AEDD05D03f95e1dBA8Af', name: 'uniswap', kind: 'universal' },
    { address: '0xbD216513d74C8cf14cf4747E6AaA6420FF64ee9e', name: 'uniswap', kind: 'positions' },
    { address: '0xd9e1cE17f2641f24aE83637ab66a2cca9C378B9F', name: 'sushiswap', kind: 'v2' },
    // PancakeSwap's deployments in two public clients.
    { address: '0xEfF92A263d31888d860bD50809A8D171709b7b1c', name: 'pancakeswap', kind: 'v2' },
  ],
  BNB: [
    ...AGGREGATORS,
    ...PANCAKE_V3_ROUTERS,
    PANCAKE_INFINITY_POSITIONS,
    PANCAKE_INFINITY_BINS,
    { address: '0x10ED43C718714eb63d5aA57B78B54704E256024E', name: 'pancakeswap', kind: 'v2' },
    { address: '0x13f4EA83D0bd40E75C8222255bc855a974568Dd4', name: 'pancakeswap', kind: 'universal' },
    { address: '0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24', name: 'uniswap', kind: 'v2' },
    { address: '0xB971eF87ede563556b2ED4b1C0b0019111Dd85d2', name: 'uniswap', kind: 'v3' },
    { address: '0x7b8A01B39D58278b5DE7e48c8449c9f4F5170613', name: 'uniswap', kind: 'positions' },
    { address: '0x7A4a5c919aE2541AeD11041A1AEeE68f1287f95b', name: 'uniswap', kind: 'positions' },
    { address: '0x1b02dA8Cb0d097eB8D57A175b88c7D8b47997506', name: 'sushiswap', kind: 'v2' },
  ],
  POLYGON: [
    ...AGGREGATORS,
    ...UNISWAP_V3_ROUTERS,
    { address: '0xa5E0829CaCEd8fFDD4De3c43696c57F7D7A678ff', name: 'quickswap', kind: 'v2' },
    { address: '0xedf6066a2b290C185783862C7F4776A2C8077AD1', name: 'uniswap', kind: 'v2' },
    { address: '0x1Ec2eBf4F37E7363FDfe3551602425af0B3ceef9', name: 'uniswap', kind: 'positions' },
    { address: '0x1b02dA8Cb0d097eB8D57A175b88c7D8b47997506', name: 'sushiswap', kind: 'v2' },
  ],
  BASE: [
    ...AGGREGATORS,
    UNIVERSAL,
    ...PANCAKE_V3_ROUTERS,
    PANCAKE_INFINITY_POSITIONS,
    PANCAKE_INFINITY_BINS,
    { address: '0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24', name: 'uniswap', kind: 'v2' },
    { address: '0x2626664c2603336E57B271c5C0b26F421741e481', name: 'uniswap', kind: 'v3' },
    { address: '0x6fF5693b99212Da76ad316178A184AB56D299b43', name: 'uniswap', kind: 'universal' },
    { address: '0x03a520b32C04BF3bEEf7BEb72E919cf822Ed34f1', name: 'uniswap', kind: 'positions' },
    { address: '0x7C5f5A4bBd8fD63184577525326123B519429bDc', name: 'uniswap', kind: 'positions' },
    // PancakeSwap's deployments in several public clients.
    { address: '0x8cFe327CEc66d1C090Dd72bd0FF11d690C33a2Eb', name: 'pancakeswap', kind: 'v2' },
    { address: '0xcF77a3Ba9A5CA399B7c97c74d54e5b1Beb874E43', name: 'aerodrome', kind: 'solidly' },
    { address: '0x827922686190790b37229fd06084350E74485b72', name: 'aerodrome-slipstream', kind: 'positions' },
    { address: '0xBE6D8f0d05cC4be24d5167a3eF062215bE6D18a5', name: 'aerodrome-slipstream', kind: 'v3' },
    // Slipstream's repository (deployment with gauge caps), public lists of Base contracts.
    { address: '0xa990C6a764b73BF43cee5Bb40339c3322FB9D55F', name: 'aerodrome-slipstream', kind: 'positions' },
    { address: '0xe1f8cd9AC4e4A65F54f38a5CdAfCA44f6dD68b53', name: 'aerodrome-slipstream', kind: 'positions' },
    { address: '0xcbBb8035cAc7D4B3Ca7aBb74cF7BdF900215Ce0D', name: 'aerodrome-slipstream', kind: 'v3' },
  ],
} satisfies Record<string, readonly DexRouter[]>
