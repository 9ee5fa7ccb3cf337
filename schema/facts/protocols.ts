/**
 * Protocols wallets deal with, by contract: what a call to it, or value moved with it, says about the caller. Lines name
 * the protocol as records do (lower-case) and what its contracts are for; exchanges come from `dexes.ts`, tokens from
 * `assets.ts`. Sources: the projects' deployment pages (Aave address book, Compound and Maker changelogs, Lido, Rocket
 * Pool, Curve, Balancer, ENS, Across, Stargate, Optimism, Arbitrum, Polygon, Linea, Scroll), Etherscan and BscScan name tags.
 * Solana's programs are in `solana-programs.ts`.
 */
import { type InstructionTable, SOLANA_PROGRAMS } from './solana-programs.ts'

/** What a contract is for. `token` and `wrapped` are the assets themselves; `cdp` mints a coin against collateral. */
export type ProtocolKind =
  | 'exchange'
  | 'liquidity'
  | 'lending'
  | 'cdp'
  | 'savings'
  | 'liquid-staking'
  | 'staking'
  | 'farm'
  | 'vault'
  | 'perpetuals'
  | 'nft'
  | 'bridge'
  | 'rollup'
  | 'system'
  | 'deposit'
  | 'names'
  | 'payments'
  | 'game'
  | 'gambling'
  | 'wrapped'
  | 'token'

export type Protocol = {
  address: string
  protocol: string
  kind: ProtocolKind
  /** What calls of it do, where its instructions are known by themselves: Solana's programs. */
  instructions?: InstructionTable
}

type Line = readonly [protocol: string, kind: ProtocolKind, ...addresses: string[]]

const EVERYWHERE: readonly Line[] = [
  ['lifi', 'bridge', '0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE'],
  ['kyberswap', 'exchange', '0x6131B5fae19EA4f9D964eAc0408E4408b66337b5'],
  ['paraswap', 'exchange', '0x6A000F20005980200259B80c5102003040001068'],
  ['disperse', 'payments', '0xD152f549545093347A162Dce210e7293f1452150'],
  [
    'opensea',
    'nft',
    '0x00000000006c3852cbEf3e08E8dF289169EdE581',
    '0x00000000000001ad428e4906aE43D8F9852d0dD6',
    '0x00000000000000ADc04C56Bf30aC9d3c0aAF14dC',
    '0x0000000000000068F116a894984e2DB1123eB395',
  ],
]

/** Vault of the third version: Balancer's deployments, DefiLlama (balancer registry). */
const BALANCER_V3 = '0xbA1333333333a1BA1108E8412f11850A5C319bA9'

/** Vault and both pool managers: DefiLlama (pancakeswap-infinity), PancakeSwap's own agent skills and subgraph. */
const PANCAKE_INFINITY = [
  '0x238a358808379702088667322f80aC48bAd5e6c4',
  '0xa0FfB9c1CE1Fe56963B0321B32E7A0302114058b',
  '0xC697d2898e0D09264376196696c51D7aBbbAA4a9',
] as const

/** deBridge's order book, source and destination: public clients of DLN and Dune's list of bridges. */
const DEBRIDGE: Line = [
  'debridge',
  'bridge',
  '0xeF4fB24aD0916217251F553c0596F8Edc630EB66',
  '0xE7351Fd770A37282b91D153Ee690B63579D6dd7f',
]

const protocols = (...lines: Line[]): Protocol[] =>
  lines.flatMap(([protocol, kind, ...addresses]) => addresses.map((address) => ({ address, protocol, kind })))

export const PROTOCOLS = {
  ETH: protocols(
    ...EVERYWHERE,
    [
      'aave',
      'lending',
      '0x398eC7346DcD622eDc5ae82352F02bE94C62d119',
      '0x7d2768dE32b0b80b7a3454c06BdAc94A69DDc7A9',
      '0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2',
      '0xcc9a0B7c43DC2a5F023Bb9b738E45B0Ef6B06E04',
      '0xEFFC18fC3b7eb8E676dac549E0c693ad50D1Ce31',
      '0xD322A49006FC828F9B5B37Ab215F99B4E5caB19C',
      '0x893411580e590D62dDBca8a703d61Cc4A8c7b2b9',
    ],
    ['aave', 'staking', '0x4da27a545c0c5B758a6BA100e3a049001de870f5'],
    [
      'compound',
      'lending',
      '0x3d9819210A31b4961b30EF54bE2aeD79B9c9Cd3B',
      '0x4Ddc2D193948926D02f9B1fE9e1daa0718270ED5',
      '0x5d3a536E4D6DbD6114cc1Ead35777bAB948E3643',
      '0x39AA39c021dfbaE8faC545936693aC917d5E7563',
      '0xf650C3d88D12dB855b8bf7D11Be6C55A4e07dCC9',
      '0xC11b1268C1A384e55C48c2391d8d480264A3A7F4',
      '0xccF4429DB6322D5C611ee964527D42E5d685DD6a',
      '0x35A18000230DA775CAc24873d00Ff85BccdeD550',
      '0x70e36f6BF80a52b3B46b3aF8e106CC0ed743E8e4',
      '0xFAce851a4921ce59e912d19329929CE6da6EB0c7',
      '0x6C8c6b02E7b2BE14d4fA6022Dfd6d75921D90E4E',
      '0xB3319f5D18Bc0D84dD1b4825Dcde5d5f7266d407',
      '0x158079Ee67Fce2f58472A96584A73C7Ab9AC95c1',
      '0xF5DCe57282A584D2746FaF1593d3121Fcac444dC',
      '0xc3d688B66703497DAA19211EEdff47f25384cdc3',
      '0xA17581A9E3356d9A858b789D68B4d866e593aE94',
      '0x3Afdc9BCA9213A35503b077a6072F3D0d5AB0840',
      '0xa397a8C2086C554B531c02E29f3291c9704B00c7',
    ],
    [
      'makerdao',
      'cdp',
      '0x448a5065aeBB8E423F0896E6c5D525C040f59af3',
      '0x82ecD135Dce65Fbc6DbdD0e4237E0AF93FFD5038',
      '0x5ef30b9986345249bc32d8928B7ee64DE9435E39',
      '0x35D1b3F3D7966A1DFe207aa4514C12a259A0492B',
      '0x9759A6Ac90977b93B58547b4A71c78317f391A28',
      '0x2F0b23f53734252Bda2277357e97e1517d6B042A',
    ],
    [
      'makerdao',
      'savings',
      '0x07ee93aEEa0a36FfF2A9B95dd22Bd6049EE54f26',
      '0x373238337Bfe1146fb49989fc222523f83081dDb',
      '0x197E90f9FAD81970bA7976f33CbD77088E5D7cf7',
      '0x83F20F44975D03b1b09e64809B757c47f942BEeA',
    ],
    ['liquity', 'cdp', '0x24179CD81c9e782A4096035f7eC97fB8B783e007'],
    ['liquity', 'staking', '0x66017D22b0f8556afDd19FC67041899Eb65a21bb'],
    [
      'lido',
      'liquid-staking',
      '0xae7ab96520DE3A18E5e111B5EaAb095312D7fE84',
      '0x7f39C581F595B53c5cb19bD0b3f8dA6c935E2Ca0',
      '0x889edC2eDab5f40e902b864aD4d7AdE8E412F9B1',
    ],
    [
      'rocket pool',
      'liquid-staking',
      '0xae78736Cd615f374D3085123A210448E74Fc6393',
      '0x2cac916b2A963Bf162f076C0a8a4a8200BCFBfb4',
      '0x4D05E3d48a938db4b7a9A59A802D5b45011BDe58',
      '0xDD3f50F8A6CafbE9b31a427582963f465E745AF8',
    ],
    [
      'ether.fi',
      'liquid-staking',
      '0x308861A430be4cce5502d0A12724771Fc6DaF216',
      '0xCd5fE23C85820F7B72D0926FC9b05b43E359b7ee',
    ],
    ['coinbase staking', 'liquid-staking', '0xBe9895146f7AF43049ca1c1AE358B0541Ea49704'],
    ['beacon deposit', 'deposit', '0x00000000219ab540356cBB839Cbe05303d7705Fa'],
    ['eigenlayer', 'staking', '0x858646372CC42E1A627fcE94aa7A7033e7CF075A'],
    [
      'curve',
      'exchange',
      '0xbEbc44782C7dB0a1A60Cb6fe97d0b483032FF1C7',
      '0xDC24316b9AE028F1497c275EB9192a3Ea0f67022',
      '0xA5407eAE9Ba41422680e2e00537571bcC53efBfD',
      '0x45F783CCE6B7FF23B2ab2D70e416cdb7D6055f51',
      '0xA2B47E3D5c44877cca798226B7B8118F9BFb7A56',
      '0xD51a44d3FaE010294C616388b506AcdA1bfAAE46',
      '0xDcEF968d416a41Cdac0ED8702fAC8128A64241A2',
      '0x93054188d876f558f4a66B2EF1d97d16eDf0895B',
      '0x99a58482BD75cbab83b27EC03CA68fF489b5788f',
      '0x16C6521Dff6baB339122a0FE25a9116693265353',
    ],
    ['curve', 'staking', '0x5f3b5DfEb7B28CDbD7FAba78963EE202a494e2A2'],
    ['curve', 'farm', '0xd061D61a4d941c39E5453435B6345Dc261C2fcE0'],
    ['convex', 'farm', '0xF403C135812408BFbE8713b5A23a04b3D48AAE31'],
    ['convex', 'staking', '0x3Fe65692bfCD0e6CF84cB1E7d24108E434A7587e'],
    [
      'balancer',
      'exchange',
      '0xBA12222222228d8Ba445958a75a0704d566BF2C8',
      '0x3E66B66Fd1d0b02fDa6C811Da9E0547970DB2f21',
      BALANCER_V3,
    ],
    ['1inch', 'exchange', '0x11111112542D85B3EF69AE05771c2dCCff4fAa26', '0x1111111254fb6c44bAC0beD2854e76F90643097d'],
    ['uniswap', 'exchange', '0xf164fC0Ec4E93095b804a4795bBe1e041497b92a', '0x6000da47483062A0D734Ba3dc7576Ce6A0B645C4'],
    ['paraswap', 'exchange', '0xDEF171Fe48CF0115B1d80b88dc8eAB59176FEe57'],
    ['kyberswap', 'exchange', '0x818E6FECD516Ecc3849DAf6845e3EC868087B755'],
    [
      'cow protocol',
      'exchange',
      '0x9008D19f58AAbD9eD0D60971565AA8510560ab41',
      '0x40A50cf069e992AA4536211B23F286eF88752187',
    ],
    ['metamask swaps', 'exchange', '0x881D40237659C251811CEC9c364ef91dC08D300C'],
    ['bancor', 'exchange', '0xeEF417e1D5CC832e619ae18D2F140De2999dD4fB'],
    ['sushiswap', 'farm', '0xc2EdaD668740f1aA35E4D8f227fB8E17dcA888Cd', '0xEF0881eC094552b2e128Cf945EF17a6752B4Ec5d'],
    ['sushiswap', 'staking', '0x8798249c2E607446EfB7Ad49eC89dD1865Ff4272'],
    [
      'yearn',
      'vault',
      '0xa354F35829Ae975e850e23e9615b11Da1B3dC4DE',
      '0xdA816459F1AB5631232FE5e97a05BBBb94970c95',
      '0xa258C4606Ca8206D8aA700cE2143D7db854D168c',
    ],
    ['dydx', 'perpetuals', '0x1E0447b19BB6EcFdAe1e4AE1694b0C3659614e4e', '0xD54f502e184B6B739d7D27a6410a67dc462D69c8'],
    [
      'opensea',
      'nft',
      '0x00000000006CEE72100D161c57ADA5Bb2be1CA79',
      '0x7Be8076f4EA4A4AD08075C2508e481d6C946D12b',
      '0x7f268357A8c2552623316e2562D90e642bB538E5',
    ],
    [
      'blur',
      'nft',
      '0x000000000000Ad05Ccc4F10045630fb830B95127',
      '0xb2ecfE4E4D61f8790bbb9DE2D1259B9e2410CEA5',
      '0x0000000000A39bb272e79075ade125fd351887Ac',
      '0x29469395eAf6f95920E59F858042f0e28D98a20B',
    ],
    ['looksrare', 'nft', '0x59728544B08AB483533076417FbBB2fD0B17CE3a', '0x0000000000E655fAe4d56241588680F86E3b2377'],
    ['x2y2', 'nft', '0x74312363e45DCaBA76c59ec49a7Aa8A65a67EeD3'],
    ['rarible', 'nft', '0x9757F2d2b135150BBeb65308D4a91804107cd8D6'],
    ['foundation', 'nft', '0xcDA72070E455bb31C7690a170224Ce43623d0B6f'],
    ['cryptopunks', 'nft', '0xb47e3cd837dDF8e4c57F05d70Ab865de6e193BBB'],
    [
      'ens',
      'names',
      '0x283Af0B28c62C092C9727F1Ee09c02CA627EB7F5',
      '0x253553366Da8546fC250F225fe3d25d0C782303b',
      '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e',
      '0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85',
      '0xa58E81fe9b61B5c3fE2AFD33CF304c454AbFc7Cb',
      '0xD4416b13d2b3a9aBae7AcD5D6C2BbDBE25686401',
      '0x4976fb03C32e5B8cfe2b6cCB31c09Ba78EBaBa41',
    ],
    ['base', 'rollup', '0x49048044D57e1C92A77f79988d21Fa8fAF74E97e', '0x3154Cf16ccdb4C6d922629664174b904d80F2C35'],
    ['optimism', 'rollup', '0x99C9fc46f92E8a1c0deC1b1747d010903E884bE1', '0xbEb5Fc579115071764c7423A4f12eDde41f106Ed'],
    [
      'arbitrum',
      'rollup',
      '0x8315177aB297bA92A06054cE80a67Ed4DBd7ed3a',
      '0x4Dbd4fc535Ac27206064B68FfCf827b0A60BAB3f',
      '0x72Ce9c846789fdB6fC1f34aC4AD25Dd9ef7031ef',
      '0xa3A7B6F88361F48403514059F1F16C8E78d60EeC',
    ],
    [
      'polygon',
      'rollup',
      '0x40ec5B33f54e0E8A33A975908C5BA1c14e5BbbDf',
      '0xA0c68C638235ee32657e8f720a23ceC1bFc77C77',
      '0x401F6c983eA34274ec46f84D70b31C151321188b',
      '0x8484Ef722627bf18ca5Ae6BcF031c23E6e922B30',
    ],
    ['zksync', 'rollup', '0xaBEA9132b05A70803a4E85094fD0e1800777fBEF', '0x32400084C286CF3E17e7B677ea9583e60a000324'],
    ['starknet', 'rollup', '0xae0Ee0A63A2cE6BaeEFFE56e7714FB4EFE48D419'],
    ['linea', 'rollup', '0xd19d4B5d358258f05D7B411E21A1460D11B0876F'],
    ['scroll', 'rollup', '0xF8B1378579659D8F7EE5f3C929c2f3E332E41Fd6'],
    ['gnosis', 'bridge', '0x4aa42145Aa6Ebf72e164C9bBC74fbD3788045016'],
    ['ronin', 'bridge', '0x64192819Ac13Ef72bF6b5AE239AC672B43a9AF08'],
    ['stargate', 'bridge', '0x8731d54E9D02c286767d56ac03e8037C07e01e98', '0x150f94B44927F078737562f0fcF3C95c01Cc2376'],
    ['across', 'bridge', '0x4D9079Bb4165aeb4084c526a32695dCfd2F77381', '0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5'],
    ['hop', 'bridge', '0xb8901acB165ed027E32754E0FFe830802919727f'],
    ['wormhole', 'bridge', '0x3ee18B2214AFF97000D974cf647E7C347E8fa585'],
    ['synapse', 'bridge', '0x2796317b0fF8538F253012862c06787Adfb8cEb6'],
    ['celer', 'bridge', '0x5427FEFA711Eff984124bFBB1AB6fbf5E3DA1820'],
    DEBRIDGE,
    ['decentraland', 'game', '0x8e5660b4Ab70168b5a6fEeA0e0315cb49c8Cd539'],
    [
      'cryptokitties',
      'game',
      '0x06012c8cf97BEaD5deAe237070F9587f8E7A266d',
      '0xb1690C08E213a35Ed9bAb7B318DE14420FB57d8C',
    ],
  ),
  BNB: protocols(
    ...EVERYWHERE,
    ['aave', 'lending', '0x6807dc923806fE8Fd134338EABCA509979a7e0cB'],
    [
      'venus',
      'lending',
      '0xfD36E2c2a6789Db23113685031d7F16329158384',
      '0xA07c5b74C9B40447a954e1466938b865b6BBea36',
      '0xfD5840Cd36d94D7229439859C0112a4185BC0255',
      '0x95c78222B3D6e262426483D42CfA53685A67Ab9D',
      '0xecA88125a5ADbe82614ffC12D0DB554E2e2867C8',
      '0x882C173bC7Ff3b7786CA16dfeD3DFFfb9Ee7847B',
      '0xf508fCD89b8bd15579dc79A6827cB4686A3592c8',
    ],
    ['pancakeswap', 'exchange', '0x05fF2B0DB69458A0750badebc4f9e13aDd608C7F', ...PANCAKE_INFINITY],
    // THENA's contracts as its subgraph and two public launchpads name them.
    ['thena', 'exchange', '0x327Dd3208f0bCF590A66110aCB6e5e6941A4EfA0'],
    ['thena', 'liquidity', '0xa51ADb08Cbe6Ae398046A23bec013979816B77Ab'],
    // The launchpad's token manager: DefiLlama (four-meme fees), Bitquery's documentation.
    ['four.meme', 'exchange', '0x5c952063c7fc8610FFDB798152D69F0B9550762b'],
    [
      'pancakeswap',
      'farm',
      '0x73feaa1eE314F8c655E354234017bE2193C9E24E',
      '0xa5f8C5Dbd5F286960b9d90548680aE5ebFf07652',
      '0x556B9306565093C855AEA9AE92A594704c2Cd59e',
    ],
    ['pancakeswap', 'staking', '0x45c54210128a065de780C4B0Df3d16664f7f859e'],
    [
      'pancakeswap',
      'gambling',
      '0x18B2A687610328590Bc8F2e5fEdDe3b582A49cdA',
      '0x5aF6D33DE2ccEC94efb1bDF8f92Bd58085432d2c',
    ],
    ['pancakeswap', 'nft', '0x17539cCa21C7933Df5c980172d22659B8C345C5A'],
    ['biswap', 'exchange', '0x3a6d8cA21D1CF76F653A67577FA0D27453350dD8'],
    ['apeswap', 'exchange', '0xcF0feBd3f17CEf5b47b0cD257aCf6025c5BFf3b7'],
    ['paraswap', 'exchange', '0xDEF171Fe48CF0115B1d80b88dc8eAB59176FEe57'],
    ['stargate', 'bridge', '0x4a364f8c717cAAD9A442737Eb7b8A55cc6cf18D8'],
    ['wormhole', 'bridge', '0xB6F6D86a8f9879A9c87f643768d9efc38c1Da6E7'],
    ['celer', 'bridge', '0xdd90E5E87A2081Dcf0391920868eBc2FFB81a1aF'],
    ['synapse', 'bridge', '0xd123f70AE324d34A9E76b67a27bf77593bA8749f'],
    DEBRIDGE,
    ['bnb beacon chain', 'bridge', '0x0000000000000000000000000000000000001004'],
  ),
  POLYGON: protocols(
    ...EVERYWHERE,
    // Balancer's deployments, DefiLlama (balancer registry).
    ['balancer', 'exchange', '0xBA12222222228d8Ba445958a75a0704d566BF2C8'],
    // QuickSwap's documentation, ParaSwap's configuration.
    ['quickswap', 'exchange', '0xf5b509bB0909a69B1c207E495f687a596C168E12'],
    // Across' deployments in several public clients.
    ['across', 'bridge', '0x9295ee1d8C5b022Be115A2AD3c30C72E34e7F096'],
    DEBRIDGE,
  ),
  BASE: protocols(
    ...EVERYWHERE,
    ['aave', 'lending', '0xA238Dd80C259a72e81d7e4664a9801593F98d1c5'],
    [
      'compound',
      'lending',
      '0xb125E6687d4313864e53df431d5425969c15Eb2F',
      '0x46e6b214b524310239732D51387075E0e70970bf',
      '0x9c4ec768c28520B50860ea7a15bd7213a9fF58bf',
    ],
    ['morpho', 'lending', '0xBBBBBbbBBb9cC5e90e3b3Af64bdAF62C37EEFFCb'],
    [
      'moonwell',
      'lending',
      '0xfBb21d0380beE3312B33c4353c8936a0F13EF26C',
      '0xEdc817A28E8B93B03976FBd4a3dDBc9f7D176c22',
      '0x628ff693426583D9a7FB391E54366292F509D457',
    ],
    ['balancer', 'exchange', '0xBA12222222228d8Ba445958a75a0704d566BF2C8', BALANCER_V3],
    ['pancakeswap', 'exchange', ...PANCAKE_INFINITY],
    // Factory of curves (DefiLlama, virtuals-protocol) and the contract that trades on them (public clients).
    [
      'virtuals protocol',
      'exchange',
      '0xD7D3C85B4f2e9bee1998cD2E98820e647792d284',
      '0xF66DeA7b3e897cD44A5a231c61B6B4423d613259',
    ],
    DEBRIDGE,
    ['cow protocol', 'exchange', '0x9008D19f58AAbD9eD0D60971565AA8510560ab41'],
    ['aerodrome', 'farm', '0x16613524e02ad97eDfeF371bC883F2F5d6C480A5'],
    ['aerodrome', 'staking', '0xeBf418Fe2512e7E6bd9b87a8F0f294aCDC67e6B4'],
    ['coinbase staking', 'liquid-staking', '0x2Ae3F1Ec7F1F5012CFEab0185bfc7aa3cf0DEc22'],
    ['lido', 'liquid-staking', '0xc1CBa3fCea344f92D9239c08C0568f6F2F0ee452'],
    ['ether.fi', 'liquid-staking', '0x04C0599Ae5A44757c0af6F9eC3b93da8976c150A'],
    [
      'base',
      'rollup',
      '0x4200000000000000000000000000000000000010',
      '0x4200000000000000000000000000000000000016',
      '0x4200000000000000000000000000000000000007',
    ],
    ['basenames', 'names', '0x4cCb0BB02FCABA27e82a56646E81d8c5bC4119a5'],
    ['stargate', 'bridge', '0x45f1A95A4D3f3836523F5c83673c797f4d4d263B'],
    ['across', 'bridge', '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64'],
    ['wormhole', 'bridge', '0x8d2de8d2f73F1F4cAB472AC9A881C9b123C79627'],
  ),
  SOLANA: SOLANA_PROGRAMS,
}
