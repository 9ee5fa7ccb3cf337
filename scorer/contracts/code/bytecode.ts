/** Bytes of runtime code: instructions, metadata trailer, hash. */
import { keccakHex } from '../../../platform/keccak.ts'

/**
 * `next` is the place after it, pushed bytes included; `push` the number that is pushed, `undefined` for other
 * instructions.
 */
export type Instruction = { op: number; next: number; push: bigint | undefined }

/** Whether code, 0x-hex, is that of an account which borrows a contract's (EIP-7702). There is a person behind it. */
export const isAccountCode = (code: string): boolean => code.startsWith('0xef0100')

/** Bytes of hex, with or without `0x`. What is no hex ends the bytes. */
export const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replace(/^0x/, ''), 'hex'))

/**
 * Length of the CBOR metadata trailer solc and vyper append, the two length bytes included; 0 when there is none.
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

/** The code that runs. Hashes are made of it, because the trailer differs with every path and comment of the source. */
export const withoutMetadata = (code: Uint8Array): Uint8Array => code.subarray(0, code.length - trailerLength(code))

/** keccak-256 of the code without its metadata trailer: equal for contracts compiled from the same source. */
export const codeHashOf = (code: Uint8Array): string => keccakHex(withoutMetadata(code))

/**
 * Hash of the opcodes alone, push data blanked: one family of contracts whatever constants and immutables they embed.
 */
export const familyHashOf = (code: Uint8Array): string => {
  const body = withoutMetadata(code)
  const skeleton: number[] = []
  for (let pc = 0; pc < body.length; pc++) {
    const op = body[pc] ?? 0
    skeleton.push(op)
    if (op >= 0x60 && op <= 0x7f) pc += op - 0x5f
  }
  return keccakHex(Uint8Array.from(skeleton))
}

/** Decodes the instruction at `pc`; beyond the end the code reads as STOP. */
export const instructionAt = (code: Uint8Array, pc: number): Instruction => {
  const op = code[pc] ?? 0
  if (op < 0x5f || op > 0x7f) return { op, next: pc + 1, push: undefined }
  const size = op - 0x5f
  let value = 0n
  for (let i = 1; i <= size; i++) value = (value << 8n) | BigInt(code[pc + i] ?? 0)
  return { op, next: pc + 1 + size, push: value }
}

/** One byte for each of the code: 1 where a jump may land. */
export const jumpDestinations = (code: Uint8Array): Uint8Array => {
  const found = new Uint8Array(code.length)
  for (let pc = 0; pc < code.length; pc++) {
    const op = code[pc] ?? 0
    if (op === 0x5b) found[pc] = 1
    if (op >= 0x60 && op <= 0x7f) pc += op - 0x5f
  }
  return found
}

/** Whether there is a CALLCODE or DELEGATECALL outside push data. */
export const mayDelegate = (code: Uint8Array): boolean => {
  for (let pc = 0; pc < code.length; pc++) {
    const op = code[pc] ?? 0
    if (op === 0xf2 || op === 0xf4) return true
    if (op >= 0x60 && op <= 0x7f) pc += op - 0x5f
  }
  return false
}
