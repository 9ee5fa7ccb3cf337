/**
 * Contracts whose events are evidence by themselves: sanctions oracles and stablecoin issuers.
 * Sources: Chainalysis sanctions-oracle documentation; token contracts' verified sources, including Stablecoin and
 * StablecoinV2 (worldliberty/usd1-smart-contracts), TrueCurrency (TrueUSD), UChildAdministrableERC20 (USDC.e on Polygon) and
 * Coinbase's wrapped tokens, which are Circle's FiatToken (coinbase/wrapped-tokens-os). The events of FDUSD, USD1 and TUSD:
 * the public tracker Pharos's survey of freezable coins, from the interfaces of the verified contracts.
 *
 * Coins of `assets.ts` that are missing here have no source that their issuer can freeze an account, for example the pegged
 * coins of BNB, and bridged coins on Base.
 */
import type { Created } from '../created.ts'

/** A contract whose events list and unlist sanctioned addresses. */
export type SanctionsOracle = Created & { address: string; name: string }

/** Family of freeze events that an issuer's contract emits; the decoder reads any of them from any issuer. */
export type IssuerFamily = 'tether' | 'tether-blocklist' | 'circle' | 'paxos' | 'first-digital' | 'trueusd'
/** A token contract whose issuer can freeze addresses. `family` determines its events. */
export type Issuer = Created & { address: string; symbol: string; family: IssuerFamily }

const chainalysis = (address: string, created: Created = {}): SanctionsOracle => ({
  address,
  name: 'Chainalysis sanctions oracle',
  ...created,
})

const SHARED_ORACLE = '0x40C57923924B5c5c5455c48D93317139ADDaC8fb'

/** Sanctions oracles by network. Logs are read from block `since`, which is no later than their creation. */
export const SANCTIONS_ORACLES = {
  // Two public clients of the oracle have 14,356,508; one begins ten blocks earlier to be safe, and so does this entry.
  ETH: [chainalysis(SHARED_ORACLE, { since: 14_356_498 })],
  BNB: [chainalysis(SHARED_ORACLE)],
  POLYGON: [chainalysis(SHARED_ORACLE)],
  BASE: [chainalysis('0x3A91A31cB3dC49b4db9Ce721F50a9D076c8D739B')],
}

/** Tokens with a freeze list by network. Logs are read from block `since`, which is no later than their creation. */
export const ISSUERS = {
  ETH: [
    // Creation blocks of USDT and USDC: start blocks of public subgraphs, which agree.
    { address: '0xdAC17F958D2ee523a2206206994597C13D831ec7', symbol: 'USDT', family: 'tether', since: 4_634_748 },
    { address: '0x68749665FF8D2d112Fa859AA293F07A622782F38', symbol: 'XAUT', family: 'tether-blocklist' },
    { address: '0xC581b735A1688071A1746c968e0798D642EDE491', symbol: 'EURT', family: 'tether-blocklist' },
    { address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', symbol: 'USDC', family: 'circle', since: 6_082_465 },
    { address: '0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c', symbol: 'EURC', family: 'circle' },
    { address: '0x4Fabb145d64652a948d72533023f6E7A623C7C53', symbol: 'BUSD', family: 'paxos' },
    { address: '0x8E870D67F660D95d5be530380D0eC0bd388289E1', symbol: 'USDP', family: 'paxos' },
    { address: '0x6c3ea9036406852006290770BEdFcAbA0e23A0e8', symbol: 'PYUSD', family: 'paxos' },
    { address: '0x45804880De22913dAFE09f4980848ECE6EcbAf78', symbol: 'PAXG', family: 'paxos' },
    { address: '0x0000000000085d4780B73119b644AE5ecd22b376', symbol: 'TUSD', family: 'trueusd' },
    { address: '0xc5f0f7b66764F6ec8C8Dff7BA683102295E16409', symbol: 'FDUSD', family: 'first-digital' },
    // Creation blocks of USD1 here and on BNB: two public lists of stablecoins, which agree.
    {
      address: '0x8d0D000Ee44948FC98c9B98A4FA4921476f08B0d',
      symbol: 'USD1',
      family: 'first-digital',
      since: 21_720_503,
    },
    { address: '0xBe9895146f7AF43049ca1c1AE358B0541Ea49704', symbol: 'cbETH', family: 'circle' },
    { address: '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf', symbol: 'cbBTC', family: 'circle' },
  ],
  BNB: [
    { address: '0xc5f0f7b66764F6ec8C8Dff7BA683102295E16409', symbol: 'FDUSD', family: 'first-digital' },
    {
      address: '0x8d0D000Ee44948FC98c9B98A4FA4921476f08B0d',
      symbol: 'USD1',
      family: 'first-digital',
      since: 46_151_905,
    },
    { address: '0x40af3827F39D0EAcBF4A168f8D4ee67c121D11c9', symbol: 'TUSD', family: 'trueusd' },
  ],
  POLYGON: [
    { address: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F', symbol: 'USDT', family: 'tether-blocklist' },
    { address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', symbol: 'USDC', family: 'circle' },
    { address: '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174', symbol: 'USDC.e', family: 'circle' },
  ],
  BASE: [
    { address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', symbol: 'USDC', family: 'circle' },
    { address: '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA', symbol: 'USDbC', family: 'circle' },
    { address: '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42', symbol: 'EURC', family: 'circle' },
    { address: '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf', symbol: 'cbBTC', family: 'circle' },
  ],
  TRON: [{ address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', symbol: 'USDT', family: 'tether' }],
} satisfies Record<string, readonly Issuer[]>
