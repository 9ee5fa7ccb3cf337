/**
 * Bridge routes on which a deposit can be matched with its payout from chain data alone. `from`: network that money comes from;
 * `entry`: address that takes it there, the zero address if tokens are burnt; `exit`: address that pays it out on the other
 * network, the zero address if it is minted; `asset`: the token on both networks, the native coin of both if absent.
 *
 * Base, OP Stack (specs.optimism.io, "Deposits", "Withdrawals", "Standard Bridges"; docs.base.org, contract addresses): the
 * portal mints on L2 what it locked, for the address that called it on L1. The standard bridge pays out or mints the amount
 * to the address named by the depositor. A deposit is included in a block whose L1 origin is the deposit's own block or a
 * later one, within the sequencing window of 3,600 L1 blocks (12 hours). Withdrawals go through the standard bridge or the
 * message passer. They take at least a week and complete once somebody proves and finalizes them.
 *
 * Polygon PoS (docs.polygon.technology, "PoS bridge"; addresses of matic.js): the manager passes deposits to a predicate,
 * which keeps them. Polygon's validators mint the amount for the address named by the depositor once the state has arrived,
 * usually within half an hour. For a withdrawal, the owner burns the token and the predicate pays the same owner once they
 * prove it. USDT left the bridge.
 */
export type BridgeRoute = {
  from: string
  entry: string
  exit: string
  withinS: number
  asset?: { from: string; to: string }
}

const SEQUENCING_WINDOW_S = 12 * 3_600
/** A withdrawal not collected within a year may be forgotten. */
const FETCHED_WITHIN_S = 365 * 86_400

const PORTAL = '0x49048044D57e1C92A77f79988d21Fa8fAF74E97e'
const ETH_BRIDGE = '0x3154Cf16ccdb4C6d922629664174b904d80F2C35'
const BASE_BRIDGE = '0x4200000000000000000000000000000000000010'
const BASE_PASSER = '0x4200000000000000000000000000000000000016'
const ZERO = '0x0000000000000000000000000000000000000000'

/** Registered tokens that the standard bridge of Base locks on Ethereum and mints on Base. */
const BASE_TOKENS = [
  { eth: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', base: '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA' },
  { eth: '0x6B175474E89094C44Da98b954EedeAC495271d0F', base: '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb' },
  { eth: '0xBe9895146f7AF43049ca1c1AE358B0541Ea49704', base: '0x2Ae3F1Ec7F1F5012CFEab0185bfc7aa3cf0DEc22' },
] as const

const STATE_SYNC_S = 86_400
const POLYGON_MANAGER = '0xA0c68C638235ee32657e8f720a23ceC1bFc77C77'
const POLYGON_ETHER = '0x8484Ef722627bf18ca5Ae6BcF031c23E6e922B30'
const POLYGON_TOKEN = '0x40ec5B33f54e0E8A33A975908C5BA1c14e5BbbDf'
const POLYGON_WETH = '0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619'

/** Registered tokens that the ERC-20 predicate keeps on Ethereum, and that are minted on Polygon. */
const POLYGON_TOKENS = [
  { eth: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', polygon: '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174' },
  { eth: '0x6B175474E89094C44Da98b954EedeAC495271d0F', polygon: '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063' },
  { eth: '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599', polygon: '0x1BFD67037B42Cf73acF2047067bd4F2C47D9BfD6' },
] as const

const toPolygon = { from: 'ETH', exit: ZERO, withinS: STATE_SYNC_S }
const fromPolygon = { from: 'POLYGON', entry: ZERO, withinS: FETCHED_WITHIN_S }

const toBase = { from: 'ETH', withinS: SEQUENCING_WINDOW_S }
const fromBase = { from: 'BASE', withinS: FETCHED_WITHIN_S }

/** Routes by receiving network; `schema/registry/bridges.ts` builds look-ups from them. */
export const BRIDGE_ROUTES = {
  BASE: [
    { ...toBase, entry: PORTAL, exit: ZERO },
    { ...toBase, entry: ETH_BRIDGE, exit: BASE_BRIDGE },
    ...BASE_TOKENS.map(({ eth, base }) => ({
      ...toBase,
      entry: ETH_BRIDGE,
      exit: ZERO,
      asset: { from: eth, to: base },
    })),
  ],
  ETH: [
    { ...fromBase, entry: BASE_BRIDGE, exit: ETH_BRIDGE },
    { ...fromBase, entry: BASE_PASSER, exit: PORTAL },
    ...BASE_TOKENS.map(({ eth, base }) => ({
      ...fromBase,
      entry: ZERO,
      exit: ETH_BRIDGE,
      asset: { from: base, to: eth },
    })),
    { ...fromPolygon, exit: POLYGON_ETHER, asset: { from: POLYGON_WETH, to: '' } },
    ...POLYGON_TOKENS.map(({ eth, polygon }) => ({
      ...fromPolygon,
      exit: POLYGON_TOKEN,
      asset: { from: polygon, to: eth },
    })),
  ],
  POLYGON: [
    { ...toPolygon, entry: POLYGON_MANAGER, asset: { from: '', to: POLYGON_WETH } },
    ...POLYGON_TOKENS.map(({ eth, polygon }) => ({
      ...toPolygon,
      entry: POLYGON_TOKEN,
      asset: { from: eth, to: polygon },
    })),
  ],
} satisfies Record<string, readonly BridgeRoute[]>
