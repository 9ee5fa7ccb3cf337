/**
 * Contracts that hold liquidity positions until a date. Only these count as locks, because an unknown time-lock may have a
 * back door. Sources: UNCX repositories, DefiLlama adapters (unicrypt, unicrypt-v3, team-finance, pinksale). Each address is
 * confirmed by a second public source: UNCX's and Team Finance's documentation, or public clients of these lockers. GoPlus:
 * its SafeToken-Protocol repository and the published source of its V4 locker; DefiLlama adapters and public lists of
 * lockers. UNCX V4: DefiLlama (unicrypt-v4, with the event and the layout of a lock), and a second public source each: UNCX's
 * client, another client of locks, and the page of a project that names its lock. Not listed, because only DefiLlama has them:
 * 0xa55d5ce984e9e933732cdf51095af8f3fb374ac8 (BNB), 0x5cff5c8e4ab3ef911dbcfc6698663f5f471899d1 (POLYGON),
 * 0x1da374c9fa108e1f9d3c50e8e2ef2113eefae617 and 0xd0cbff53620a345205750a14f03739806cffbd67 (BASE).
 */
/**
 * `v2` locks pair tokens, `v3` and `v4` lock position NFTs. `forever`: its code has no way to release a position. `makes`: a
 * factory, which announces a separate contract per lock.
 */
export type Locker = { address: string; name: string; kind: 'v2' | 'v3' | 'v4'; forever?: true; makes?: true }

const v2 = (name: string, ...addresses: string[]): Locker[] =>
  addresses.map((address) => ({ address, name, kind: 'v2' }))
const v3 = (name: string, ...addresses: string[]): Locker[] =>
  addresses.map((address) => ({ address, name, kind: 'v3' }))

const v4 = (name: string, ...addresses: string[]): Locker[] =>
  addresses.map((address) => ({ address, name, kind: 'v4' }))

/**
 * Contracts of a launchpad that keep the positions of launched tokens: they collect fees and have no function that moves a
 * position. Clanker: its repositories (LpLockerv2, ClankerLpLocker and ClankerLpLockerFeeConversion, with the newest
 * addresses), its SDK and documentation, and public clients.
 */
const forever = (kind: 'v3' | 'v4', ...addresses: string[]): Locker[] =>
  addresses.map((address) => ({ address, name: 'Clanker', kind, forever: true }))

/**
 * Factories of Clanker's first lockers, one per position: Clanker's documentation (deployed contracts, v0.0.0 and v1.0.0), a
 * public registry of its lockers, and notes on launchpads. The announcement: published sources of these factories.
 */
const makers = (...addresses: string[]): Locker[] =>
  addresses.map((address) => ({ address, name: 'Clanker', kind: 'v3', makes: true }))

/** The same addresses on every network. */
const GOPLUS: readonly Locker[] = [
  ...v2('GoPlus', '0xF17A08A7d41F53B24AD07Eb322CBBdA2ebdeC04b'),
  ...v3('GoPlus positions', '0x25c9C4B56E820e0DEA438b145284F02D9Ca9Bd52'),
]

/** Known liquidity lockers by network, with the kind of position they hold. */
export const LOCKERS = {
  ETH: [
    ...v2(
      'UNCX',
      '0x663A5C229c09b049E36dCc11a9B0d4a8Eb9db214',
      '0x59d7D55DdC58494FbBbca29904f108ece82Ac7FB',
      '0xED9180976c2a4742C7A57354FD39d8BEc6cbd8AB',
    ),
    ...v3(
      'UNCX',
      '0x231278edd38b00b07fbd52120cef685b9baebcc1',
      '0x7f5c649856f900d15c83741f45ae46f5c6858234',
      '0xFD235968e65B0990584585763f837A5b5330e6DE',
      '0x7fccf17620ce18c039eb3485628e5c50d2ae1cec',
    ),
    ...v2(
      'Team Finance',
      '0xe2fe530c047f2d85298b07d9333c05737f1435fb',
      '0xDBF72370021baBAfbCeb05aB10f99Ad275c6220A',
      '0xC77aab3c6D7dAb46248F3CC3033C856171878BD5',
    ),
    ...v2('PinkLock', '0x33d4cC8716Beb13F814F538Ad3b2de3b036f5e2A', '0x71B5759d73262FBb223956913ecF4ecC51057641'),
    ...GOPLUS,
    ...v4('GoPlus V4', '0xE7873eb8DDA56ed49E51c87185ebCb93958E76F2'),
    ...v4(
      'UNCX V4',
      '0x147aeca171a79466fe9e2c03f21b45155ff403f8',
      '0x30529ac67d5ac5f33a4e7fe533149a567451f023',
      '0x6a76da1eb2cbe8b0d52cfe122c4b7f0ca5a940ef',
    ),
    ...forever('v4', '0x00C4b21889145CF0D99f2e05919103e0c3991974'),
  ],
  BNB: [
    ...v2(
      'UNCX',
      '0xC765bddB93b0D1c1A88282BA0fa6B2d00E3e0c83',
      '0xc8B839b9226965caf1d9fC1551588AaF553a7BE6',
      '0x7229247bD5cf29FA9B0764Aa1568732be024084b',
      '0x74dEE1a3E2b83e1D1F144Af2B741bbAFfD7305e1',
    ),
    ...v3(
      'UNCX',
      '0x0D29598EC01fa03665feEAD91d4Fb423F393886c',
      '0xF1f7f21e2eA80AB110D0f95Faa64655688341990',
      '0xfe88DAB083964C56429baa01F37eC2265AbF1557',
      // DefiLlama (unicrypt-v3), and its verified name in a public inventory of contracts.
      '0xac03f882a41553fb2d519b35874b0a551977b9d9',
    ),
    ...v2('Team Finance', '0x0c89c0407775dd89b12918b9c0aa42bf96518820', '0x7536592bb74b5d62eB82e8b93b17eed4eed9A85c'),
    ...v2('PinkLock', '0x7ee058420e5937496F5a2096f04caA7721cF70cc', '0x407993575c91ce7643a4d4cCACc9A98c36eE1BBE'),
    ...GOPLUS,
    ...v4('UNCX V4', '0x62d61d5695013a5aa29a628b83d91e240984b613', '0xd8c5bb7137021d93e70b7814c697bed303573b21'),
    ...forever('v4', '0x1166022e1becc70E7E9aB2250aF1aC7842B9B420'),
  ],
  BASE: [
    ...v2(
      'UNCX',
      '0xc4E637D37113192F4F1F060DaEbD7758De7F4131',
      '0xBeddF48499788607B4c2e704e9099561ab38Aae8',
      '0x30e522deDfFE3e3d11Cd53E27d18Cd4F016eD870',
    ),
    ...v3('UNCX', '0x231278eDd38B00B07fBd52120CEf685B9BaEBCC1', '0xB403e68Eb5BffD7DF7AA127f5A819F77C2F96095'),
    ...v2('Team Finance', '0x4f0fd563be89ec8c3e7d595bf3639128c0a7c33a'),
    ...v2('PinkLock', '0xdD6E31A046b828CbBAfb939C2a394629aff8BBdC'),
    ...GOPLUS,
    ...v4(
      'UNCX V4',
      '0x1ec811ad6039e33b86458cdb267667af083261ed',
      '0x610b43e981960b45f818a71cd14c91d35cda8502',
      '0xff908ded2a6c68226d3f834b25d803a815bdb28b',
    ),
    ...forever(
      'v3',
      '0x618A9840691334eE8d24445a4AdA4284Bf42417D',
      '0x5eC4f99F342038c67a312a166Ff56e6D70383D86',
      '0x33e2Eda238edcF470309b8c6D228986A1204c8f9',
    ),
    ...makers('0x515d45F06EdD179565aa2796388417ED65E88939', '0x18db5Fce22bE8814B7E31FBDA2f6488d607A1172'),
    ...forever('v4', '0x29d17C1A8D851d7d4cA97FAe97AcAdb398D9cCE0', '0x63D2DfEA64b3433F4071A98665bcD7Ca14d93496'),
  ],
  POLYGON: [
    ...v2('UNCX', '0x939d71ADe0Bf94d3F8cf578413bF2a2f248BF58b', '0xaDB2437e6F65682B85F814fBc12FeC0508A7B1D0'),
    ...v3(
      'UNCX',
      '0xC22218406983bF88BB634bb4Bf15fA4E0A1a8c84',
      // UNCX's repository (second version), DefiLlama (unicrypt-v3).
      '0xD8207e9449647a9668AD3F8eCb97a1f929f81fd1',
      '0x40f6301edb774e8B22ADC874f6cb17242BaEB8c4',
    ),
    ...v2('Team Finance', '0x3eF7442dF454bA6b7C1deEc8DdF29Cfb2d6e56c7', '0x586c21A779C24eFd2a8aF33C9F7Df2a2EA9aF55c'),
    ...v2('PinkLock', '0x5fb71Dbf7248a01bf96cE2AB2DA34EEAbE58c261', '0x6C9A0D8B1c7a95a323d744dE30cf027694710633'),
    ...v4('UNCX V4', '0x1ec811ad6039e33b86458cdb267667af083261ed'),
  ],
}
