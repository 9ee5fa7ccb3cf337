/** Runtime code: instructions, metadata trailer, hashes. */
import { keccakHex } from '../../../platform/keccak.ts'
import { OP } from './abstract/opcodes.ts'

/** `next`: offset of the following instruction. `push`: the pushed number; `undefined` for other instructions. */
export type Instruction = { op: number; next: number; push: bigint | undefined }

/** Whether code, 0x-hex, is the delegation of an externally owned account (EIP-7702). */
export const isAccountCode = (code: string): boolean => code.startsWith('0xef0100')

/** Decodes hex, with or without `0x`, up to the first character that is no hex digit. */
export const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replace(/^0x/, ''), 'hex'))

/**
 * Length of the CBOR metadata trailer that solc and vyper append, its two length bytes included; 0 if there is none.
 * Source: Solidity documentation, "Contract Metadata".
 */
const trailerLength = (code: Uint8Array): number => {
  if (code.length < 4) return 0
  const length = ((code[code.length - 2] ?? 0) << 8) | (code[code.length - 1] ?? 0)
  const start = code.length - 2 - length
  if (length < 3 || length > 200 || start < 1) return 0
  const first = code[start] ?? 0
  return first >= 0xa1 && first <= 0xa6 ? length + 2 : 0
}

/** The code without its metadata trailer, which differs with every path and comment of the source. */
export const withoutMetadata = (code: Uint8Array): Uint8Array => code.subarray(0, code.length - trailerLength(code))

/** keccak-256 of the code without its metadata trailer: equal for contracts compiled from the same source. */
export const codeHashOf = (code: Uint8Array): string => keccakHex(withoutMetadata(code))

/** keccak-256 of the opcodes without push data: equal for contracts that differ only in constants and immutables. */
export const familyHashOf = (code: Uint8Array): string => {
  const body = withoutMetadata(code)
  const skeleton: number[] = []
  for (let pc = 0; pc < body.length; pc++) {
    const op = body[pc] ?? 0
    skeleton.push(op)
    if (op >= OP.PUSH1 && op <= OP.PUSH32) pc += op - OP.PUSH0
  }
  return keccakHex(Uint8Array.from(skeleton))
}

/** Decodes the instruction at `pc`. Beyond its end, code reads as STOP. */
export const instructionAt = (code: Uint8Array, pc: number): Instruction => {
  const op = code[pc] ?? 0
  if (op < OP.PUSH0 || op > OP.PUSH32) return { op, next: pc + 1, push: undefined }
  const size = op - OP.PUSH0
  let value = 0n
  for (let i = 1; i <= size; i++) value = (value << 8n) | BigInt(code[pc + i] ?? 0)
  return { op, next: pc + 1 + size, push: value }
}

/** One byte per byte of code: 1 for a valid jump destination. */
export const jumpDestinations = (code: Uint8Array): Uint8Array => {
  const found = new Uint8Array(code.length)
  for (let pc = 0; pc < code.length; pc++) {
    const op = code[pc] ?? 0
    if (op === OP.JUMPDEST) found[pc] = 1
    if (op >= OP.PUSH1 && op <= OP.PUSH32) pc += op - OP.PUSH0
  }
  return found
}

/** Whether there is a CALLCODE or DELEGATECALL outside push data. */
export const mayDelegate = (code: Uint8Array): boolean => {
  for (let pc = 0; pc < code.length; pc++) {
    const op = code[pc] ?? 0
    if (op === OP.CALLCODE || op === OP.DELEGATECALL) return true
    if (op >= OP.PUSH1 && op <= OP.PUSH32) pc += op - OP.PUSH0
  }
  return false
}
