/** Expressions of one argument and a constant, and their inversion. */
import { keccakHex } from '../../../../platform/keccak.ts'
import { WORD } from './opcodes.ts'

/** `subtractedFrom`: constant minus argument. `item`: slot of an element of the storage array whose length is at the constant. */
export type ExpressionOp = 'plus' | 'minus' | 'subtractedFrom' | 'times' | 'dividedBy' | 'modulo' | 'xor' | 'item'
/** Argument `i`, combined with the constant `by`. */
export type ArgumentExpression = { i: number; op: ExpressionOp; by: bigint }

/** The argument for which the expression gives `wanted`; `undefined` if there is none. */
export const solve = ({ op, by }: ArgumentExpression, wanted: bigint): bigint | undefined => {
  if (op === 'plus') return (wanted - by) & WORD
  if (op === 'minus') return (wanted + by) & WORD
  if (op === 'subtractedFrom') return (by - wanted) & WORD
  if (op === 'xor') return wanted ^ by
  if (op === 'modulo') return wanted < by ? wanted : undefined
  if (op === 'times') return by > 0n && wanted % by === 0n ? wanted / by : undefined
  if (op === 'dividedBy') return wanted * by <= WORD ? wanted * by : undefined
  return (wanted - BigInt(keccakHex(Buffer.from(by.toString(16).padStart(64, '0'), 'hex')))) & WORD
}
