/**
 * Tokens that gas can be turned into: gas tokens, which store it for a refund, and XEN, which rewards calls. Sources: the 1inch
 * CHI and gastoken.io deployments, and the contracts page of XEN Crypto.
 */
export type GasToken = { address: string; symbol: string }

const CHI: GasToken = { address: '0x0000000000004946c0e9F43F4Dee607b0eF1fA1c', symbol: 'CHI' }
const xen = (address: string): GasToken => ({ address, symbol: 'XEN' })

/** Gas tokens by network. A contract whose code names one presumably turns its callers' gas into it. */
export const GAS_TOKENS = {
  ETH: [
    CHI,
    { address: '0x88d60255F917e3eb94eaE199d827DAd837fac4cB', symbol: 'GST1' },
    { address: '0x0000000000b3F879cb30FE243b4Dfee438691c04', symbol: 'GST2' },
    xen('0x06450dEe7FD2Fb8E39061434BAbCFC05599a6Fb8'),
  ],
  BNB: [CHI, xen('0x2AB0e9e4eE70FFf1fB9D67031E44F6410170d00e')],
  POLYGON: [xen('0x2AB0e9e4eE70FFf1fB9D67031E44F6410170d00e')],
  BASE: [xen('0xffcbF84650cE02DaFE96926B37a0ac5E34932fa5')],
}
