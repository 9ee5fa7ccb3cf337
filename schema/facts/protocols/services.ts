/**
 * Public infrastructure: contracts that everyone uses, so that sharing one does not connect two users. Detectors stop here;
 * creations by a `factory` or a `launchpad` are attributed to the transaction's sender. A `voter` knows the gauge of each pool.
 * Sources: Permit2, Multicall3, ERC-4337 releases, Seaport deployments, Arachnid's deterministic deployer, CreateX, Safe
 * deployments, EIP-1820, the bridges' own documentation. Launchpads: clanker-sdk and the contracts' repositories, four.meme's
 * and Flap's public clients, Zora's repository, releases of Flaunch's contracts and public indexers of them; each in several.
 * Voters: Aerodrome's and THENA's repositories. Assay cannot read or trade in the pools of an `unread-exchange`. Those of
 * Liquidity Book: Trader Joe's SDK (@traderjoe-xyz/sdk-v2), DefiLlama (joe-v2, traderjoe-lb), ParaSwap's and other public
 * clients. A `vault-owner` owns the vaults of all pools of an exchange on Solana: each is the program's derived address of a
 * fixed seed, which the registry's test derives again (seeds: Raydium's and Meteora's published interfaces).
 */
export type ServiceKind =
  | 'approvals'
  | 'multicall'
  | 'entry-point'
  | 'marketplace'
  | 'factory'
  | 'launchpad'
  | 'voter'
  | 'unread-exchange'
  | 'registry'
  | 'bridge'
  | 'staking'
  | 'disperse'
  | 'vault-owner'
/**
 * Launchpad designs whose bonding curves Assay reads and trades on. four.meme's managers (the first one has tokens created before
 * September 2024): its published interfaces (four-meme-community/fourmeme-docs), in several public clients. Flap's portal: its
 * documentation (`getTokenV8Safe`, `swapExactInput`), KyberSwap's library of exchanges and public clients, which also show
 * that it rejects queries about foreign tokens. Virtuals: `Bonding`, `FRouter` and `FPair` of its repository, and KyberSwap's
 * library of exchanges. `virtuals-2`: `BondingV2` to `BondingV5` of the same repository, whose trades have a minimum amount
 * and a deadline.
 */
export type CurveDesign = 'four-meme-1' | 'four-meme' | 'flap' | 'virtuals' | 'virtuals-2'
/** A contract of public infrastructure. `curve` is the design of a launchpad's bonding curve, if it has one. */
export type Service = { address: string; name: string; kind: ServiceKind; curve?: CurveDesign }

/** Same address on every EVM network (Permit2 deployments). */
export const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'

const service = (kind: ServiceKind, name: string, ...addresses: string[]): Service[] =>
  addresses.map((address) => ({ address, name, kind }))

const curved = (curve: CurveDesign, name: string, ...addresses: string[]): Service[] =>
  service('launchpad', name, ...addresses).map((entry) => ({ ...entry, curve }))

/** Same address on every EVM network. */
const EVERYWHERE: readonly Service[] = [
  ...service('approvals', 'Permit2', PERMIT2),
  ...service('multicall', 'Multicall3', '0xcA11bde05977b3631167028862bE2a173976CA11'),
  ...service('entry-point', 'ERC-4337 EntryPoint 0.6', '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789'),
  ...service('entry-point', 'ERC-4337 EntryPoint 0.7', '0x0000000071727De22E5E9d8BAf0edAc6f37da032'),
  ...service('entry-point', 'ERC-4337 EntryPoint 0.8', '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108'),
  ...service(
    'marketplace',
    'Seaport',
    '0x00000000006c3852cbEf3e08E8dF289169EdE581',
    '0x00000000000001ad428e4906aE43D8F9852d0dD6',
    '0x00000000000000ADc04C56Bf30aC9d3c0aAF14dC',
    '0x0000000000000068F116a894984e2DB1123eB395',
  ),
  ...service('factory', 'Deterministic deployer', '0x4e59b44847b379578588920cA78FbF26c0B4956C'),
  ...service('factory', 'CreateX', '0xba5Ed099633D3B313e4D5F7bdc1305d3c28ba5Ed'),
  ...service('factory', 'Safe singleton factory', '0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7'),
  ...service(
    'factory',
    'Safe proxy factory',
    '0x76E2cFc1F5Fa8F6a5b3fC4c8F4788F0116861F9B',
    '0xa6B71E26C5e0845f74c812102Ca7114b6a896AB2',
    '0xC22834581EbC8527d974F8a1c97E1bEA4EF910BC',
    '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67',
  ),
  ...service('registry', 'ERC-1820 registry', '0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24'),
  ...service('disperse', 'Disperse.app', '0xD152f549545093347A162Dce210e7293f1452150'),
]

/** Public infrastructure by network. Detectors never flag it and taint never passes it. */
export const SERVICES = {
  /** Infrastructure of EVM networks without other entries. */
  EVM: EVERYWHERE,
  ETH: [
    ...EVERYWHERE,
    ...service('staking', 'Beacon deposit contract', '0x00000000219ab540356cBB839Cbe05303d7705Fa'),
    ...service('bridge', 'Base portal', '0x49048044D57e1C92A77f79988d21Fa8fAF74E97e'),
    ...service('bridge', 'Base standard bridge', '0x3154Cf16ccdb4C6d922629664174b904d80F2C35'),
    ...service('bridge', 'Optimism standard bridge', '0x99C9fc46f92E8a1c0deC1b1747d010903E884bE1'),
    ...service('bridge', 'Arbitrum bridge', '0x8315177aB297bA92A06054cE80a67Ed4DBd7ed3a'),
    ...service('bridge', 'Polygon ERC-20 bridge', '0x40ec5B33f54e0E8A33A975908C5BA1c14e5BbbDf'),
    ...service('launchpad', 'Clanker', '0x6C8599779B03B00AAaE63C6378830919Abb75473'),
    ...service('unread-exchange', 'LFJ Liquidity Book', '0xDC8d77b69155c7E68A95a4fb0f06a71FF90B943a'),
  ],
  BNB: [
    ...EVERYWHERE,
    ...curved('four-meme-1', 'four.meme', '0xEC4549caDcE5DA21Df6E6422d448034B5233bFbC'),
    ...curved('four-meme', 'four.meme', '0x5c952063c7fc8610FFDB798152D69F0B9550762b'),
    // Clanker's SDK and documentation.
    ...service('launchpad', 'Clanker', '0xea30438E0B5f99096cb05A8Da63be55A6A298F6a'),
    ...curved('flap', 'Flap', '0xe2cE6ab80874Fa9Fa2aAE65D277Dd6B8e65C9De0'),
    ...service('voter', 'THENA voter', '0x3A1D0952809F4948d15EBCe8d345962A282C4fCb'),
    ...service(
      'unread-exchange',
      'LFJ Liquidity Book',
      '0x43646A8e839B2f2766392C1BF8f60F6e587B6960',
      '0x8e42f2F4101563bF679975178e880FD87d3eFd4e',
    ),
  ],
  BASE: [
    ...EVERYWHERE,
    ...service('bridge', 'Base L2 standard bridge', '0x4200000000000000000000000000000000000010'),
    ...service(
      'launchpad',
      'Clanker',
      '0x250c9FB2b411B48273f69879007803790A6AeA47',
      '0x9B84fcE5Dcd9a38d2D01d5D72373F6b6b067c3e1',
      '0x732560fa1d1A76350b1A500155BA978031B53833',
      '0x375C15db32D28cEcdcAB5C03Ab889bf15cbD2c5E',
      '0x2A787b2362021cC3eEa3C24C4748a6cD5B687382',
      '0xE85A59c628F7d27878ACeB4bf3b35733630083a9',
    ),
    ...curved('virtuals', 'Virtuals', '0xF66DeA7b3e897cD44A5a231c61B6B4423d613259'),
    // BondingV2, V3, V4 and V5: proxies in Virtuals' own list of deployments (its repository, `.openzeppelin/base.json`), named
    // by public inventories of verified contracts and by clients that trade there.
    ...curved(
      'virtuals-2',
      'Virtuals',
      '0xc3538DdD84619e761b4c03cAf2F785f79889958d',
      '0xAcb04AB3A1076f4e38de1bAC1E19E1C60fF343Aa',
      '0xA31bD6A0EdBC4Da307b8FA92bD6Cf39E0faE262c',
      '0x1A540088125d00dD3990f9dA45CA0859af4d3B01',
    ),
    ...service(
      'launchpad',
      'Flaunch',
      '0x6A53F8b799bE11a2A3264eF0bfF183dCB12d9571',
      '0xb4512bf57d50fbcb64a3adf8b17a79b2a204c18c',
      '0x0cf6bdf0a85a9d6763361037985b76c8893553af',
      '0x516af52d0c629b5e378da4dc64ecb0744ce10109',
    ),
    ...service('launchpad', 'Zora', '0x777777751622c0d3258f214F9DF38E35BF45baF3'),
    ...service('voter', 'Aerodrome voter', '0x16613524e02ad97eDfeF371bC883F2F5d6C480A5'),
  ],
  SOLANA: [
    ...service(
      'vault-owner',
      'Raydium',
      '5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1',
      'GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL',
      'WLHv2UAZm6z4KyaaELi5pjdbJh6RESMva1Rnn8pJVVh',
    ),
    ...service(
      'vault-owner',
      'Meteora',
      'HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC',
      'FhVo3mqL8PW5pH5U2CN4XE33DokiyZnUwuGpH2hmHLuM',
    ),
  ],
}
