/** Classifies transactions by the kind of contract and the called function. */

import type { Protocol, ProtocolKind } from '../../schema/registry/protocols.ts'
import { deedOf, type InstructionDeed, possibleDeedsOf } from '../../schema/registry/signatures/instructions.ts'
import type { CallDeed } from '../../schema/tables/chain/chain.ts'

/** An action in a protocol, from which intentions and engagement follow. Withdrawing and claiming have no verb. */
export type Verb = 'lend' | 'borrow' | 'trade' | 'stake' | 'stake_eth' | 'farm' | 'nft' | 'game' | 'gamble'

/** Functions by action. Signatures of Aave V1-V3 and its gateways, Compound V2 and V3, ERC-20, Uniswap V2 and Curve. */
export const CALLS = {
  supply: {
    '0xd2d0e066': 'deposit(address,uint256,uint16)',
    '0xe8eda9df': 'deposit(address,uint256,address,uint16)',
    '0x617ba037': 'supply(address,uint256,address,uint16)',
    '0x02c205f0': 'supplyWithPermit(address,uint256,address,uint16,uint256,uint8,bytes32,bytes32)',
    '0xf7a73840': 'supply(bytes32)',
    '0x680dd47c': 'supplyWithPermit(bytes32,bytes32,bytes32)',
    '0x474cf53d': 'depositETH(address,address,uint16)',
    '0xa0712d68': 'mint(uint256)',
    '0x1249c58b': 'mint()',
    '0xf2b9fdb8': 'supply(address,uint256)',
    '0x4232cd63': 'supplyTo(address,address,uint256)',
    '0x6e553f65': 'deposit(uint256,address)',
  },
  borrow: {
    '0xc858f5f9': 'borrow(address,uint256,uint256,uint16)',
    '0xa415bcad': 'borrow(address,uint256,uint256,uint16,address)',
    '0xd5eed868': 'borrow(bytes32)',
    '0x66514c97': 'borrowETH(address,uint256,uint256,uint16)',
    '0xe74f7b85': 'borrowETH(address,uint256,uint16)',
    '0xc5ebeaec': 'borrow(uint256)',
  },
  repay: {
    '0x5ceae9c4': 'repay(address,uint256,address)',
    '0x573ade81': 'repay(address,uint256,uint256,address)',
    '0xee3e210b': 'repayWithPermit(address,uint256,uint256,address,uint256,uint8,bytes32,bytes32)',
    '0x2dad97d4': 'repayWithATokens(address,uint256,uint256)',
    '0x563dd613': 'repay(bytes32)',
    '0x02c5fcf8': 'repayETH(address,uint256,uint256,address)',
    '0x0e752702': 'repayBorrow(uint256)',
    '0x4e4d9fea': 'repayBorrow()',
  },
  liquidity: {
    '0xe8e33700': 'addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256)',
    '0xf305d719': 'addLiquidityETH(address,uint256,uint256,uint256,address,uint256)',
    '0xbaa2abde': 'removeLiquidity(address,address,uint256,uint256,uint256,address,uint256)',
    '0x02751cec': 'removeLiquidityETH(address,uint256,uint256,uint256,address,uint256)',
    '0x0b4c7e4d': 'add_liquidity(uint256[2],uint256)',
    '0x4515cef3': 'add_liquidity(uint256[3],uint256)',
    '0x029b2f34': 'add_liquidity(uint256[4],uint256)',
  },
  /** Functions of the token itself, which do not depend on the purpose of the protocol. */
  token: {
    '0xa9059cbb': 'transfer(address,uint256)',
    '0x23b872dd': 'transferFrom(address,address,uint256)',
    '0x095ea7b3': 'approve(address,uint256)',
    '0x39509351': 'increaseAllowance(address,uint256)',
    '0xa22cb465': 'setApprovalForAll(address,bool)',
  },
} as const satisfies Record<string, Record<string, string>>

type Call = keyof typeof CALLS

const CALL_OF = new Map<string, Call>(
  (Object.keys(CALLS) as Call[]).flatMap((call) =>
    Object.keys(CALLS[call]).map((selector) => [selector, call] as const),
  ),
)

/** Selectors of one action as hex with `0x`, as query parameters. */
export const selectorsOf = (call: Call): string[] => Object.keys(CALLS[call])

const VERB_OF: Partial<Record<ProtocolKind, Verb>> = {
  exchange: 'trade',
  liquidity: 'farm',
  cdp: 'borrow',
  savings: 'lend',
  'liquid-staking': 'stake_eth',
  deposit: 'stake_eth',
  staking: 'stake',
  farm: 'farm',
  vault: 'farm',
  nft: 'nft',
  game: 'game',
  gambling: 'gamble',
}

/** Verbs of instructions of Solana programs. Other instructions get the verb of the program's kind. */
const VERB_OF_DEED: Readonly<Partial<Record<CallDeed, Verb>>> = {
  swap: 'trade',
  supply: 'lend',
  borrow: 'borrow',
  liquidity: 'farm',
  stake: 'stake',
  farm: 'farm',
  nft: 'nft',
}

const verbOfInstruction = (kind: ProtocolKind, deed: InstructionDeed): Verb | undefined =>
  deed === 'use' ? VERB_OF[kind] : deed === 'aside' ? undefined : VERB_OF_DEED[deed]

/**
 * Verbs of a transaction's calls of a protocol, from column `deeds`, which the source fills from the call arguments. If the column is
 * empty (networks other than SOLANA, rows of older versions), the selector decides.
 */
export const verbsOf = (protocol: Pick<Protocol, 'kind' | 'instructions'>, selector: string, deeds: string): Verb[] => {
  const verbs =
    protocol.instructions && deeds !== ''
      ? [...possibleDeedsOf(protocol)]
          .filter((deed) => deeds.split(',').includes(deed))
          .map((deed) => VERB_OF_DEED[deed])
      : [verbOf(protocol, selector)]
  return verbs.flatMap((verb) => verb ?? [])
}

/** Undefined for withdrawing, claiming and token transfers. For lending protocols the function alone decides. */
export const verbOf = (
  { kind, instructions }: Pick<Protocol, 'kind' | 'instructions'>,
  selector: string,
): Verb | undefined => {
  if (instructions) return verbOfInstruction(kind, deedOf(instructions, selector))
  const call = CALL_OF.get(selector)
  if (call === 'token') return undefined
  if (kind === 'lending') return call === 'supply' ? 'lend' : call === 'borrow' ? 'borrow' : undefined
  if (kind === 'exchange' && call === 'liquidity') return 'farm'
  return VERB_OF[kind]
}
