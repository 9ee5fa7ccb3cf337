/**
 * Ways over a bridge on which what was given can be told from what came out, from the chains alone. `from`: code of the network money
 * comes from; `entry`: who takes it there, the zero address where tokens are burnt; `exit`: who pays it out on the network of the entry,
 * the zero address where it is minted; `asset`: the token on both, empty for
 * the native coin, which it is on both when not given.
 *
 * Base, OP Stack (specs.optimism.io, "Deposits", "Withdrawals", "Standard Bridges"; docs.base.org, contract addresses): the portal mints
 * on L2, to the very address that called it on L1, what it locked; the standard bridge pays out, or mints, as much to whom the depositor
 * named. A deposit is taken up in a block whose origin is the deposit's own block or a later one, within the sequencing window of
 * 3,600 L1 blocks, 12 hours. The way back goes through the standard bridge or the passer of messages. It takes a week at least and is
 * finished whenever somebody proves and finalizes it.
 *
 * Polygon PoS (docs.polygon.technology, "PoS bridge"; addresses of matic.js): the manager hands what it is given to a predicate, which
 * keeps it, and Polygon's validators mint as much to whom the depositor named when the state has arrived, within half an hour usually.
 * On the way back a token is burnt by its owner, and the predicate pays that same owner when he proves it. USDT left the bridge.
 */
export type BridgeRoute = {
  from: string
  entry: string
  exit: string
  withinS: number
  asset?: { from: string; to: string }
}

const SEQUENCING_WINDOW_S = 12 * 3_600
/** Who has not fetched a withdrawal for a year may have forgotten it. */
const FETCHED_WITHIN_S = 365 * 86_400

const PORTAL = '0x49048044D57e1C92A77f79988d21Fa8fAF74E97e'
const ETH_BRIDGE = '0x3154Cf16ccdb4C6d922629664174b904d80F2C35'
const BASE_BRIDGE = '0x4200000000000000000000000000000000000010'
const BASE_PASSER = '0x4200000000000000000000000000000000000016'
const ZERO = '0x0000000000000000000000000000000000000000'

/** Tokens of the registry that the standard bridge of Base locks on Ethereum and mints on Base. */
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

/** Tokens of the registry that the predicate for tokens keeps on Ethereum and that are minted on Polygon. */
const POLYGON_TOKENS = [
  { eth: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', polygon: '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174' },
  { eth: '0x6B175474E89094C44Da98b954EedeAC495271d0F', polygon: '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063' },
  { eth: '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599', polygon: '0x1BFD67037B42Cf73acF2047067bd4F2C47D9BfD6' },
] as const

const toPolygon = { from: 'ETH', exit: ZERO, withinS: STATE_SYNC_S }
const fromPolygon = { from: 'POLYGON', entry: ZERO, withinS: FETCHED_WITHIN_S }

const toBase = { from: 'ETH', withinS: SEQUENCING_WINDOW_S }
const fromBase = { from: 'BASE', withinS: FETCHED_WITHIN_S }

/** Routes by the network at which money arrives; `schema/registry/bridges.ts` makes look-ups of them. */
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
