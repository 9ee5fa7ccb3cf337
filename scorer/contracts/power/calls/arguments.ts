/** Candidate calls and the ABI encoding of their arguments. */
import type { ArgumentKind } from '../../code/abstract/facts.ts'
import { APPROVE, TRANSFER, TRANSFER_FROM } from './selectors.ts'

/** transfer, transferFrom, approve, increaseAllowance, decreaseAllowance: functions that holders use for themselves. */
export const SELF_SERVICE: ReadonlySet<string> = new Set([TRANSFER, TRANSFER_FROM, APPROVE, '0x39509351', '0xa457c2d7'])

/** transfer, transferFrom. */
export const TRANSFERS: ReadonlySet<string> = new Set([TRANSFER, TRANSFER_FROM])

/** A call to try. `args` and `kinds` allow deriving similar calls. */
export type Candidate = {
  selector: string
  actor: string
  data: string
  /** Native coins sent with the call, in wei. */
  value?: bigint
  /** Whether the actor is `tx.origin` too. */
  actorIsOrigin: boolean
  args: Argument[]
  kinds: ArgumentKind[]
}
/** An argument before ABI encoding. A string is an address. */
export type Argument =
  | bigint
  | string
  | boolean
  | { array: (bigint | string)[] }
  | { bytes: (bigint | string)[] }
  /** `bytes` of any length, such as the calldata of another call; hex without 0x. */
  | { call: string }

/** A number as a 32-byte word, hex without 0x. */
export const word = (value: bigint) => (value & ((1n << 256n) - 1n)).toString(16).padStart(64, '0')
/** A number or an address as a 32-byte word, hex without 0x. */
export const argumentWord = (value: bigint | string) =>
  typeof value === 'bigint' ? word(value) : value.slice(2).padStart(64, '0')

/** ABI-encodes a call. Dynamic arguments are arrays of words, bytes of whole words, and calldata. */
export const encodeArguments = (selector: string, args: Argument[]): string => {
  let head = ''
  let tail = ''
  for (const arg of args) {
    if (typeof arg === 'object') {
      head += word(BigInt(args.length * 32 + tail.length / 2))
      if ('call' in arg) {
        const { length } = arg.call
        tail += word(BigInt(length / 2)) + arg.call.padEnd(Math.ceil(length / 64) * 64, '0')
        continue
      }
      const [items, length] = 'array' in arg ? [arg.array, arg.array.length] : [arg.bytes, arg.bytes.length * 32]
      tail += word(BigInt(length)) + items.map(argumentWord).join('')
    } else if (typeof arg === 'boolean') head += word(arg ? 1n : 0n)
    else head += argumentWord(arg)
  }
  return selector + head + tail
}
