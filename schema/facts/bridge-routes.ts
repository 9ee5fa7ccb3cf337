/**
 * Ways over a bridge on which what was given can be told from what came out, from the chains alone. `from`: code of the network money
 * comes from; `entry`: who takes it there, the zero address where tokens are burnt; `exit`: who pays it out on the network of the entry,
 * the zero address where it is minted; `asset`: the token on both, the native coin of both when not given.
 *
 * Base, OP Stack (specs.optimism.io, "Deposits", "Withdrawals", "Standard Bridges"; docs.base.org, contract addresses): the portal mints
 * on L2, to the very address that called it on L1, what it locked; the standard bridge pays out, or mints, as much to whom the depositor
 * named. A deposit is taken up in a block whose origin is the deposit's own block or a later one, within the sequencing window of
 * 3,600 L1 blocks, 12 hours. The way back goes through the standard bridge or the passer of messages. It takes a week at least and is
 * finished whenever somebody proves and finalizes it.
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

const toBase = { from: 'ETH', withinS: SEQUENCING_WINDOW_S }
const fromBase = { from: 'BASE', withinS: FETCHED_WITHIN_S }

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
  ],
} satisfies Record<string, readonly BridgeRoute[]>
