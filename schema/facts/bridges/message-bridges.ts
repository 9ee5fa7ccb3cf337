/**
 * Bridges whose events name, on both networks, the receiver, the amount and the message. Only events of the contracts listed
 * here count.
 *
 * - `across`: the spoke pool announces deposits and fills, each with the deposit's number, receiver, token and amount
 *   (across-protocol/contracts, docs.across.to). Fillers pay from their own money, and anybody can fill a deposit that does
 *   not exist, so a fill only counts with the deposit of the same number.
 * - `cctp`: the messenger burns USDC through its minter and names receiver and nonce; the transmitter of the other network
 *   receives the message with both (circlefin/evm-cctp-contracts, developers.circle.com). Anybody can send other messages
 *   through the transmitter, so only messages of the network's messenger count.
 * - `cctp-v2`: the same with fees. The nonce is assigned off chain and only known on the receiving side; the message has
 *   the burner, amount and receiver.
 *
 * `role`: `pool` takes, pays and announces; `messenger` announces burns; `minter` takes and burns; `transmitter` announces
 * receipts.
 */
export type MessageBridgeName = 'across' | 'cctp' | 'cctp-v2'

/** One contract of a message bridge. `role` determines which events are read, and whether it takes the money. */
export type MessageBridge = {
  address: string
  bridge: MessageBridgeName
  role: 'pool' | 'messenger' | 'minter' | 'transmitter'
}

/** Circle's domain numbers of networks (developers.circle.com, "Supported chains and domains"). */
export const CCTP_DOMAINS: Readonly<Record<string, number>> = { ETH: 0, BASE: 6, POLYGON: 7 }

const across = (address: string): MessageBridge => ({ address, bridge: 'across', role: 'pool' })

const cctp = (bridge: 'cctp' | 'cctp-v2', messenger: string, transmitter: string, minter: string): MessageBridge[] => [
  { address: messenger, bridge, role: 'messenger' },
  { address: transmitter, bridge, role: 'transmitter' },
  { address: minter, bridge, role: 'minter' },
]

/** The second version has the same addresses on all EVM networks. */
const CCTP_V2 = cctp(
  'cctp-v2',
  '0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d',
  '0x81D40F21F12A8F0E3252Bccb954D722d4c464B64',
  '0xfd78EE919681417d192449715b2594ab58f5D002',
)

/** Contracts of message bridges by network. Addresses may be in mixed case; the registry makes them canonical. */
export const MESSAGE_BRIDGES = {
  ETH: [
    across('0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5'),
    ...cctp(
      'cctp',
      '0xBd3fa81B58Ba92a82136038B25aDec7066af3155',
      '0x0a992d191DEeC32aFe36203Ad87D7d289a738F81',
      '0xc4922d64a24675E16e1586e3e3Aa56C06fABe907',
    ),
    ...CCTP_V2,
  ],
  BNB: [across('0x4e8E101924eDE233C13e2D8622DC8aED2872d505')],
  POLYGON: [
    across('0x9295ee1d8C5b022Be115A2AD3c30C72E34e7F096'),
    ...cctp(
      'cctp',
      '0x9daF8c91AEFAE50b9c0E69629D3F6Ca40cA3B3FE',
      '0xF3be9355363857F3e001be68856A2f96b4C39Ba9',
      '0x10f7835F827D6Cf035115E10c50A853d7FB2D2EC',
    ),
    ...CCTP_V2,
  ],
  BASE: [
    across('0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64'),
    ...cctp(
      'cctp',
      '0x1682Ae6375C4E4A97e4B583BC394c861A46D8962',
      '0xAD09780d193884d503182aD4588450C416D6F9D4',
      '0xe45B133ddc64bE80252b0e9c75A8E74EF280eEd6',
    ),
    ...CCTP_V2,
  ],
} satisfies Record<string, readonly MessageBridge[]>
