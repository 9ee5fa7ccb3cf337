/**
 * What the contract analysis has to know of each network: exchanges, base assets, lockers, public factories.
 * Addresses lower-case. Sources: the projects' published deployments (Uniswap, PancakeSwap, Aerodrome, SushiSwap,
 * UNCX, Team Finance, PinkSale).
 */
import type { Network } from '../../schema/networks.ts'

export type BaseAsset = {
  address: string
  symbol: string
  decimals: number
  /** Worth one US dollar by design. */
  stable: boolean
}
export type Exchange =
  /** `fee` in hundredths of a basis point. */
  | { kind: 'v2'; factory: string; router: string; fee: number }
  | { kind: 'v3'; factory: string; fees: readonly number[] }
  | { kind: 'solidly'; factory: string }
  | { kind: 'v4'; manager: string; stateView: string }
export type LockerKind = 'uncx-v2' | 'team-finance' | 'pinklock'
export type ContractRegistry = {
  wrappedNative: string
  /** The wrapped native coin first. */
  bases: readonly BaseAsset[]
  exchanges: readonly Exchange[]
  lockers: readonly { address: string; kind: LockerKind }[]
  /** Contracts that deploy for anyone: a creation through them goes back to the transaction's sender openly. */
  publicFactories: readonly string[]
  /** Issuer tokens everyone knows: their risk score is capped at Low. */
  canonical: readonly string[]
}

const PUBLIC_FACTORIES = [
  '0x4e59b44847b379578588920ca78fbf26c0b4956c',
  '0xba5ed099633d3b313e4d5f7bdc1305d3c28ba5ed',
  '0x914d7fec6aac8cd542e72bca78b30650d45643d7',
]

const asset = (address: string, symbol: string, decimals: number, stable: boolean): BaseAsset => ({
  address: address.toLowerCase(),
  symbol,
  decimals,
  stable,
})
const locker = (kind: LockerKind, addresses: string[]) =>
  addresses.map((address) => ({ address: address.toLowerCase(), kind }))

const V3_FEES = [100, 500, 3000, 10_000] as const

const REGISTRY: Partial<Record<Network, ContractRegistry>> = {
  ETH: {
    wrappedNative: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
    bases: [
      asset('0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', 'weth', 18, false),
      asset('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'usdc', 6, true),
      asset('0xdAC17F958D2ee523a2206206994597C13D831ec7', 'usdt', 6, true),
      asset('0x6B175474E89094C44Da98b954EedeAC495271d0F', 'dai', 18, true),
    ],
    exchanges: [
      {
        kind: 'v2',
        factory: '0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f',
        router: '0x7a250d5630b4cf539739df2c5dacb4c659f2488d',
        fee: 3000,
      },
      {
        kind: 'v2',
        factory: '0xc0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac',
        router: '0xd9e1ce17f2641f24ae83637ab66a2cca9c378b9f',
        fee: 3000,
      },
      { kind: 'v3', factory: '0x1f98431c8ad98523631ae4a59f267346ea31f984', fees: V3_FEES },
      {
        kind: 'v4',
        manager: '0x000000000004444c5dc75cb358380d2e3de08a90',
        stateView: '0x7ffe42c4a5deea5b0fec41c94c136cf115597227',
      },
    ],
    lockers: [
      ...locker('uncx-v2', [
        '0x663A5C229c09b049E36dCc11a9B0d4a8Eb9db214',
        '0x59d7D55DdC58494FbBbca29904f108ece82Ac7FB',
        '0xED9180976c2a4742C7A57354FD39d8BEc6cbd8AB',
      ]),
      ...locker('team-finance', ['0xe2fe530c047f2d85298b07d9333c05737f1435fb']),
      ...locker('pinklock', [
        '0x33d4cC8716Beb13F814F538Ad3b2de3b036f5e2A',
        '0x71B5759d73262FBb223956913ecF4ecC51057641',
      ]),
    ],
    publicFactories: PUBLIC_FACTORIES,
    canonical: [
      '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
      '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
      '0xdac17f958d2ee523a2206206994597c13d831ec7',
      '0x6b175474e89094c44da98b954eedeac495271d0f',
      '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599',
    ],
  },
  BNB: {
    wrappedNative: '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c',
    bases: [
      asset('0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c', 'wbnb', 18, false),
      asset('0x55d398326f99059fF775485246999027B3197955', 'usdt', 18, true),
      asset('0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', 'usdc', 18, true),
      asset('0xe9e7CEA3DedcA5984780Bafc599bD69ADd087D56', 'busd', 18, true),
    ],
    exchanges: [
      {
        kind: 'v2',
        factory: '0xca143ce32fe78f1f7019d7d551a6402fc5350c73',
        router: '0x10ed43c718714eb63d5aa57b78b54704e256024e',
        fee: 2500,
      },
      {
        kind: 'v2',
        factory: '0x8909dc15e40173ff4699343b6eb8132c65e18ec6',
        router: '0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24',
        fee: 3000,
      },
      { kind: 'v3', factory: '0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865', fees: [100, 500, 2500, 10_000] },
    ],
    lockers: [
      ...locker('uncx-v2', [
        '0xC765bddB93b0D1c1A88282BA0fa6B2d00E3e0c83',
        '0xc8B839b9226965caf1d9fC1551588AaF553a7BE6',
        '0x7229247bD5cf29FA9B0764Aa1568732be024084b',
        '0x74dEE1a3E2b83e1D1F144Af2B741bbAFfD7305e1',
      ]),
      ...locker('team-finance', ['0x0c89c0407775dd89b12918b9c0aa42bf96518820']),
      ...locker('pinklock', [
        '0x7ee058420e5937496F5a2096f04caA7721cF70cc',
        '0x407993575c91ce7643a4d4cCACc9A98c36eE1BBE',
      ]),
    ],
    publicFactories: PUBLIC_FACTORIES,
    canonical: [
      '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c',
      '0x55d398326f99059ff775485246999027b3197955',
      '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d',
    ],
  },
  BASE: {
    wrappedNative: '0x4200000000000000000000000000000000000006',
    bases: [
      asset('0x4200000000000000000000000000000000000006', 'weth', 18, false),
      asset('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 'usdc', 6, true),
    ],
    exchanges: [
      {
        kind: 'v2',
        factory: '0x8909dc15e40173ff4699343b6eb8132c65e18ec6',
        router: '0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24',
        fee: 3000,
      },
      { kind: 'v3', factory: '0x33128a8fc17869897dce68ed026d694621f6fdfd', fees: V3_FEES },
      { kind: 'solidly', factory: '0x420dd381b31aef6683db6b902084cb0ffece40da' },
      {
        kind: 'v4',
        manager: '0x498581ff718922c3f8e6a244956af099b2652b2b',
        stateView: '0xa3c0c9b65bad0b08107aa264b0f3db444b867a71',
      },
    ],
    lockers: [
      ...locker('uncx-v2', [
        '0xc4E637D37113192F4F1F060DaEbD7758De7F4131',
        '0xBeddF48499788607B4c2e704e9099561ab38Aae8',
      ]),
      ...locker('team-finance', ['0x4f0fd563be89ec8c3e7d595bf3639128c0a7c33a']),
    ],
    publicFactories: PUBLIC_FACTORIES,
    canonical: ['0x4200000000000000000000000000000000000006', '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'],
  },
  HAQQ: {
    wrappedNative: '0xec8cc083787c6e5218d86f9ff5f28d4cc377ac54',
    bases: [asset('0xeC8CC083787c6e5218D86f9FF5f28d4cC377Ac54', 'wislm', 18, false)],
    exchanges: [{ kind: 'v3', factory: '0xc35dadb65012ec5796536bd9864ed8773abc74c4', fees: V3_FEES }],
    lockers: [],
    publicFactories: PUBLIC_FACTORIES,
    canonical: ['0xec8cc083787c6e5218d86f9ff5f28d4cc377ac54'],
  },
}

/** The network's entry; `undefined` where contracts are not analysed. */
export const contractRegistry = (network: Network): ContractRegistry | undefined => REGISTRY[network]
