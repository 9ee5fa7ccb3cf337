/**
 * Well-known assets: the originals that counterfeits are compared with, the coins that pools are priced in, and each network's
 * wrapped native coin. Sources: Uniswap default token list, issuers' deployment pages, Solana and TRON token lists. Rows:
 * symbol, name, decimals, address, flags.
 */
/**
 * `stable`: pegged to the dollar. `wrapped`: the wrapped native coin. `base`: exchanges of EVM networks are asked for a token's
 * pools with it. `meme`: a meme coin by market convention.
 */
export type AssetFlag = 'stable' | 'wrapped' | 'base' | 'meme'
/** A genuine asset: other tokens with its symbol or name are counterfeits, unless they are in `bridged.ts`. */
export type CanonicalAsset = {
  address: string
  symbol: string
  name: string
  decimals: number
  flags: readonly AssetFlag[]
}

type AssetLine = readonly [symbol: string, name: string, decimals: number, address: string, ...flags: AssetFlag[]]

const assets = (...lines: AssetLine[]): CanonicalAsset[] =>
  lines.map(([symbol, name, decimals, address, ...flags]) => ({ address, symbol, name, decimals, flags }))

/** Canonical assets by network, including the wrapped native coin. */
export const ASSETS = {
  ETH: assets(
    ['WETH', 'Wrapped Ether', 18, '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', 'wrapped', 'base'],
    ['USDT', 'Tether USD', 6, '0xdAC17F958D2ee523a2206206994597C13D831ec7', 'stable', 'base'],
    ['USDC', 'USD Coin', 6, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'stable', 'base'],
    ['DAI', 'Dai Stablecoin', 18, '0x6B175474E89094C44Da98b954EedeAC495271d0F', 'stable', 'base'],
    ['WBTC', 'Wrapped BTC', 8, '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599', 'base'],
    ['BUSD', 'BUSD', 18, '0x4Fabb145d64652a948d72533023f6E7A623C7C53', 'stable'],
    ['TUSD', 'TrueUSD', 18, '0x0000000000085d4780B73119b644AE5ecd22b376', 'stable', 'base'],
    ['USDP', 'Pax Dollar', 18, '0x8E870D67F660D95d5be530380D0eC0bd388289E1', 'stable'],
    ['PYUSD', 'PayPal USD', 6, '0x6c3ea9036406852006290770BEdFcAbA0e23A0e8', 'stable'],
    ['FRAX', 'Frax', 18, '0x853d955aCEf822Db058eb8505911ED77F175b99e', 'stable'],
    ['LUSD', 'LUSD Stablecoin', 18, '0x5f98805A4E8be255a32880FDeC7F6728C6568bA0', 'stable'],
    ['USDe', 'USDe', 18, '0x4c9EDD5852cd905f086C759E8383e09bff1E68B3', 'stable'],
    ['sUSDe', 'Staked USDe', 18, '0x9D39A5DE30e57443BfF2A8307A4256c8797A3497'],
    ['crvUSD', 'Curve.Fi USD Stablecoin', 18, '0xf939E0A03FB07F59A73314E73794Be0E57ac1b4E', 'stable'],
    ['GHO', 'Gho Token', 18, '0x40D16FC0246aD3160Ccc09B8D0D3A2cD28aE6C2f', 'stable'],
    ['USDS', 'USDS Stablecoin', 18, '0xdC035D45d973E3EC169d2276DDab16f1e407384F', 'stable'],
    ['FDUSD', 'First Digital USD', 18, '0xc5f0f7b66764F6ec8C8Dff7BA683102295E16409', 'stable'],
    ['GUSD', 'Gemini dollar', 2, '0x056Fd409E1d7A124BD7017459dFEa2F387b6d5Cd', 'stable'],
    ['stETH', 'Liquid staked Ether 2.0', 18, '0xae7ab96520DE3A18E5e111B5EaAb095312D7fE84'],
    ['wstETH', 'Wrapped liquid staked Ether 2.0', 18, '0x7f39C581F595B53c5cb19bD0b3f8dA6c935E2Ca0', 'base'],
    ['rETH', 'Rocket Pool ETH', 18, '0xae78736Cd615f374D3085123A210448E74Fc6393'],
    ['cbETH', 'Coinbase Wrapped Staked ETH', 18, '0xBe9895146f7AF43049ca1c1AE358B0541Ea49704'],
    ['weETH', 'Wrapped eETH', 18, '0xCd5fE23C85820F7B72D0926FC9b05b43E359b7ee'],
    ['cbBTC', 'Coinbase Wrapped BTC', 8, '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf'],
    ['LINK', 'ChainLink Token', 18, '0x514910771AF9Ca656af840dff83E8264EcF986CA'],
    ['UNI', 'Uniswap', 18, '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984'],
    ['AAVE', 'Aave Token', 18, '0x7Fc66500c84A76Ad7e9c93437bFc5Ac33E2DDaE9'],
    ['MKR', 'Maker', 18, '0x9f8F72aA9304c8B593d555F12eF6589cC3A579A2'],
    ['LDO', 'Lido DAO Token', 18, '0x5A98FcBEA516Cf06857215779Fd812CA3beF1B32'],
    ['CRV', 'Curve DAO Token', 18, '0xD533a949740bb3306d119CC777fa900bA034cd52'],
    ['COMP', 'Compound', 18, '0xc00e94Cb662C3520282E6f5717214004A7f26888'],
    ['SNX', 'Synthetix Network Token', 18, '0xC011a73ee8576Fb46F5E1c5751cA3B9Fe0af2a6F'],
    ['SUSHI', 'SushiToken', 18, '0x6B3595068778DD592e39A122f4f5a5cF09C90fE2'],
    ['1INCH', '1INCH Token', 18, '0x111111111117dC0aa78b770fA6A738034120C302'],
    ['GRT', 'Graph Token', 18, '0xc944E90C64B2c07662A292be6244BDf05Cda44a7'],
    ['ENS', 'Ethereum Name Service', 18, '0xC18360217D8F7Ab5e7c516566761Ea12Ce7F9D72'],
    ['APE', 'ApeCoin', 18, '0x4d224452801ACEd8B2F0aebE155379bb5D594381'],
    ['MATIC', 'Matic Token', 18, '0x7D1AfA7B718fb893dB30A3aBc0Cfc608AaCfeBB0'],
    ['POL', 'Polygon Ecosystem Token', 18, '0x455e53CBB86018Ac2B8092FdCd39d8444aFFC3F6'],
    ['ARB', 'Arbitrum', 18, '0xB50721BCf8d664c30412Cfbc6cf7a15145234ad1'],
    ['ONDO', 'Ondo', 18, '0xfAbA6f8e4a5E8Ab82F62fe7C39859FA577269BE3'],
    ['BNB', 'BNB', 18, '0xB8c77482e45F1F44dE1745F52C74426C631bDD52'],
    ['LEO', 'Bitfinex LEO Token', 18, '0x2AF5D2aD76741191D15Dfe7bF6aC92d4Bd912Ca3'],
    ['CRO', 'CRO', 8, '0xA0b73E1Ff0B80914AB6fe0444E65848C4C34450b'],
    ['QNT', 'Quant', 18, '0x4a220E6096B25EADb88358cb44068A3248254675'],
    ['MANA', 'Decentraland MANA', 18, '0x0F5D2fB29fb7d3CFeE444a200298f468908cC942'],
    ['SAND', 'SAND', 18, '0x3845badAde8e6dFF049820680d1F14bD3903a5d0'],
    ['AXS', 'Axie Infinity Shard', 18, '0xBB0E17EF65F82Ab018d8EDd776e8DD940327B28b'],
    ['RPL', 'Rocket Pool Protocol', 18, '0xD33526068D116cE69F19A9ee46F0bd304F21A51f'],
    ['BAT', 'Basic Attention Token', 18, '0x0D8775F648430679A709E98d2b0Cb6250d2887EF'],
    ['YFI', 'yearn.finance', 18, '0x0bc529c00C6401aEF6D220BE8C6Ea1667F6Ad93e'],
    ['HEX', 'HEX', 8, '0x2b591e99afE9f32eAA6214f7B7629768c40Eeb39'],
    ['PAXG', 'Paxos Gold', 18, '0x45804880De22913dAFE09f4980848ECE6EcbAf78'],
    ['XAUT', 'Tether Gold', 6, '0x68749665FF8D2d112Fa859AA293F07A622782F38'],
    ['EURC', 'Euro Coin', 6, '0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c'],
    ['SHIB', 'SHIBA INU', 18, '0x95aD61b0a150d79219dCF64E1E6Cc01f0B64C4cE', 'meme'],
    ['PEPE', 'Pepe', 18, '0x6982508145454Ce325dDbE47a25d4ec3d2311933', 'meme'],
    ['FLOKI', 'FLOKI', 9, '0xcf0C122c6b73ff809C693DB761e7BaeBe62b6a2E', 'meme'],
  ),
  BNB: assets(
    ['WBNB', 'Wrapped BNB', 18, '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c', 'wrapped', 'base'],
    ['USDT', 'Tether USD', 18, '0x55d398326f99059fF775485246999027B3197955', 'stable', 'base'],
    ['USDC', 'USD Coin', 18, '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', 'stable', 'base'],
    ['BUSD', 'BUSD Token', 18, '0xe9e7CEA3DedcA5984780Bafc599bD69ADd087D56', 'stable', 'base'],
    ['DAI', 'Dai Token', 18, '0x1AF3F329e8BE154074D8769D1FFa4eE058B1DBc3', 'stable'],
    ['FDUSD', 'First Digital USD', 18, '0xc5f0f7b66764F6ec8C8Dff7BA683102295E16409', 'stable', 'base'],
    ['TUSD', 'TrueUSD', 18, '0x40af3827F39D0EAcBF4A168f8D4ee67c121D11c9', 'stable'],
    ['USD1', 'World Liberty Financial USD', 18, '0x8d0D000Ee44948FC98c9B98A4FA4921476f08B0d', 'stable', 'base'],
    ['BTCB', 'BTCB Token', 18, '0x7130d2A12B9BCbFAe4f2634d864A1Ee1Ce3Ead9c', 'base'],
    ['ETH', 'Ethereum Token', 18, '0x2170Ed0880ac9A755fd29B2688956BD959F933F8', 'base'],
    ['CAKE', 'PancakeSwap Token', 18, '0x0E09FaBB73Bd3Ade0a17ECC321fD13a19e81cE82', 'base'],
    ['XRP', 'XRP Token', 18, '0x1D2F0da169ceB9fC7B3144628dB156f3F6c60dBE'],
    ['ADA', 'Cardano Token', 18, '0x3EE2200Efb3400fAbB9AacF31297cBdD1d435D47'],
    ['LINK', 'ChainLink Token', 18, '0xF8A0BF9cF54Bb92F17374d9e9A321E6a111a51bD'],
    ['DOT', 'Polkadot Token', 18, '0x7083609fCE4d1d8Dc0C979AAb8c869Ea2C873402'],
    ['UNI', 'Uniswap', 18, '0xBf5140A22578168FD562DCcF235E5D43A02ce9B1'],
    ['LTC', 'Litecoin Token', 18, '0x4338665CBB7B2485A8855A139b75D5e34AB0DB94'],
    ['DOGE', 'Dogecoin', 8, '0xbA2aE424d960c26247Dd6c32edC70B295c744C43', 'meme'],
  ),
  POLYGON: assets(
    ['WPOL', 'Wrapped Polygon Ecosystem Token', 18, '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270', 'wrapped', 'base'],
    ['USDC', 'USD Coin', 6, '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', 'stable', 'base'],
    ['USDC.e', 'USD Coin (PoS)', 6, '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174', 'stable', 'base'],
    ['USDT', 'Tether USD', 6, '0xc2132D05D31c914a87C6611C10748AEb04B58e8F', 'stable', 'base'],
    ['DAI', 'Dai Stablecoin', 18, '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063', 'stable'],
    ['FRAX', 'Frax', 18, '0x45c32fA6DF82ead1e2EF74d17b76547EDdFaFF89', 'stable'],
    ['WETH', 'Wrapped Ether', 18, '0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619'],
    ['WBTC', 'Wrapped BTC', 8, '0x1BFD67037B42Cf73acF2047067bd4F2C47D9BfD6'],
    ['LINK', 'ChainLink Token', 18, '0x53E0bca35eC356BD5ddDFebbD1Fc0fD03FaBad39'],
    ['AAVE', 'Aave', 18, '0xD6DF932A45C0f255f85145f286eA0b292B21C90B'],
    ['QUICK', 'QuickSwap', 18, '0xB5C064F955D8e7F38fE0460C556a72987494eE17'],
    ['wstETH', 'Wrapped liquid staked Ether 2.0', 18, '0x03b54A6e9a984069379fae1a4fC4dBAE93B3bCCD'],
    ['stMATIC', 'Staked MATIC', 18, '0x3A58a54C066FdC0f2D55FC9C89F0415C92eBf3C4'],
  ),
  BASE: assets(
    ['WETH', 'Wrapped Ether', 18, '0x4200000000000000000000000000000000000006', 'wrapped', 'base'],
    ['USDC', 'USD Coin', 6, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 'stable', 'base'],
    ['USDbC', 'USD Base Coin', 6, '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA', 'stable', 'base'],
    ['USDT', 'Tether USD', 6, '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2', 'stable', 'base'],
    ['DAI', 'Dai Stablecoin', 18, '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb', 'stable'],
    ['USDS', 'USDS Stablecoin', 18, '0x820C137fa70C8691f0e44Dc420a5e53c168921Dc', 'stable'],
    ['EURC', 'EURC', 6, '0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42'],
    ['cbETH', 'Coinbase Wrapped Staked ETH', 18, '0x2Ae3F1Ec7F1F5012CFEab0185bfc7aa3cf0DEc22'],
    ['cbBTC', 'Coinbase Wrapped BTC', 8, '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf', 'base'],
    ['wstETH', 'Wrapped liquid staked Ether 2.0', 18, '0xc1CBa3fCea344f92D9239c08C0568f6F2F0ee452'],
    ['weETH', 'Wrapped eETH', 18, '0x04C0599Ae5A44757c0af6F9eC3b93da8976c150A'],
    ['AERO', 'Aerodrome', 18, '0x940181a94A35A4569E4529A3CDfB74e38FD98631', 'base'],
    ['VIRTUAL', 'Virtual Protocol', 18, '0x0b3e328455c4059EEb9e3f84b5543F74E24e7E1b', 'base'],
    ['DEGEN', 'Degen', 18, '0x4ed4E862860beD51a9570b96d89aF5E1B0Efefed', 'meme'],
    ['BRETT', 'Brett', 18, '0x532f27101965dd16442E59d40670FaF5eBB142E4', 'meme'],
    ['TOSHI', 'Toshi', 18, '0xAC1Bd2486aAf3B5C0fc3Fd868558b082a531B2B4', 'meme'],
  ),
  HAQQ: assets(['WISLM', 'Wrapped ISLM', 18, '0xeC8CC083787c6e5218D86f9FF5f28d4cC377Ac54', 'wrapped', 'base']),
  TRON: assets(
    ['WTRX', 'Wrapped TRX', 6, 'TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR', 'wrapped', 'base'],
    ['USDT', 'Tether USD', 6, 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'stable', 'base'],
    ['USDC', 'USD Coin', 6, 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8', 'stable'],
    ['USDD', 'Decentralized USD', 18, 'TPYmHEhy5n8TCEfYGqW2rPxsghSfzghPDn', 'stable'],
    ['TUSD', 'TrueUSD', 18, 'TUpMhErZL2fhh4sVNULAbNKLokS4GjC1F4', 'stable'],
    ['SUN', 'SUN', 18, 'TSSMHYeV2uE9qYH95DqyoCuNCzEL1NvU3S'],
    ['JST', 'JUST GOV', 18, 'TCFLL5dx5ZJdKnWuesXxi1VPwjLVmWZZy9'],
    ['BTT', 'BitTorrent', 18, 'TAFjULxiVgT4qWk6UZwjqwZXTSaGaqnVp4'],
    ['WIN', 'WINkLink', 6, 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7'],
  ),
  TON: assets(['USDT', 'Tether USD', 6, 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs', 'stable', 'base']),
  SOLANA: assets(
    ['WSOL', 'Wrapped SOL', 9, 'So11111111111111111111111111111111111111112', 'wrapped', 'base'],
    ['USDC', 'USD Coin', 6, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'stable', 'base'],
    ['USDT', 'USDT', 6, 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', 'stable', 'base'],
    ['PYUSD', 'PayPal USD', 6, '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo', 'stable'],
    ['JUP', 'Jupiter', 6, 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'],
    ['RAY', 'Raydium', 6, '4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R'],
    ['mSOL', 'Marinade staked SOL', 9, 'mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So'],
    ['JitoSOL', 'Jito Staked SOL', 9, 'J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn'],
    ['BONK', 'Bonk', 5, 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263', 'meme'],
    ['WIF', 'dogwifhat', 6, 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm', 'meme'],
  ),
}
