/** Words that are computed from one argument and a constant, and which argument gives a word that is wanted. */
import { keccakHex } from '../../../../platform/keccak.ts'
import { WORD } from './opcodes.ts'

/** `less`: argument minus constant; `from`: constant minus argument; `item`: place in the list of storage that begins at the constant. */
export type PartOp = 'plus' | 'less' | 'from' | 'times' | 'over' | 'rest' | 'xor' | 'item'
/** Argument `i` and what is done with it. */
export type Part = { i: number; op: PartOp; by: bigint }

/** The argument for which the word is `wanted`; `undefined` when there is none. */
export const solve = ({ op, by }: Part, wanted: bigint): bigint | undefined => {
  if (op === 'plus') return (wanted - by) & WORD
  if (op === 'less') return (wanted + by) & WORD
  if (op === 'from') return (by - wanted) & WORD
  if (op === 'xor') return wanted ^ by
  if (op === 'rest') return wanted < by ? wanted : undefined
  if (op === 'times') return by > 0n && wanted % by === 0n ? wanted / by : undefined
  if (op === 'over') return wanted * by <= WORD ? wanted * by : undefined
  return (wanted - BigInt(keccakHex(Buffer.from(by.toString(16).padStart(64, '0'), 'hex')))) & WORD
}
