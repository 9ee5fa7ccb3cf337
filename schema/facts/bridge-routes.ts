/**
 * Ways over a bridge on which a deposit can be told from the chains alone. `from`: code of the network money comes from; `entry`: the
 * contract there that takes coins in; `exit`: who pays them out on the network of the entry, the zero address where they are minted.
 *
 * Base, OP Stack (specs.optimism.io, "Deposits"; docs.base.org, contract addresses): the portal mints on L2, to the very address that
 * called it on L1, what it locked; the standard bridge pays out as much to whom the depositor named. A deposit is taken up in a
 * block whose origin is the deposit's own block or a later one, within the sequencing window of 3,600 L1 blocks, 12 hours.
 */
export type BridgeRoute = { from: string; entry: string; exit: string; withinS: number }

const SEQUENCING_WINDOW_S = 12 * 3_600

export const BRIDGE_ROUTES = {
  BASE: [
    {
      from: 'ETH',
      entry: '0x49048044D57e1C92A77f79988d21Fa8fAF74E97e',
      exit: '0x0000000000000000000000000000000000000000',
      withinS: SEQUENCING_WINDOW_S,
    },
    {
      from: 'ETH',
      entry: '0x3154Cf16ccdb4C6d922629664174b904d80F2C35',
      exit: '0x4200000000000000000000000000000000000010',
      withinS: SEQUENCING_WINDOW_S,
    },
  ],
} satisfies Record<string, readonly BridgeRoute[]>
