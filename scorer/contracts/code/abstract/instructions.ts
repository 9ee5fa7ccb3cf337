/** Decoded instructions of one code, and what straight-line code at an offset leads to. */
import { type Instruction, instructionAt } from '../bytecode.ts'

/** Instructions of a revert without a message. */
const MAX_REVERT_INSTRUCTIONS = 4
/** Instructions of an ending without effects. */
const MAX_ENDING_INSTRUCTIONS = 64

/** Decodes each instruction once. */
export type Instructions = {
  at: (pc: number) => Instruction
  /** Whether the code at `pc` only reverts, without a message; false for a negative `pc`. */
  revertsAt: (pc: number) => boolean
  /** Whether the code at `pc` only returns, stops or reverts. */
  endsAt: (pc: number) => boolean
}

/** Creates the instructions of one walk. */
export const createInstructions = (code: Uint8Array): Instructions => {
  const decoded = new Map<number, Instruction>()
  const endings = new Map<number, boolean>()
  const at = (pc: number): Instruction => {
    const instruction = decoded.get(pc) ?? instructionAt(code, pc)
    decoded.set(pc, instruction)
    return instruction
  }
  return {
    at,
    revertsAt: (start) => {
      for (let pc = start, left = MAX_REVERT_INSTRUCTIONS; pc >= 0 && left > 0; left--) {
        const { op, next } = at(pc)
        if (op === 0xfd || op === 0xfe) return true
        // JUMPDEST, PUSH and DUP.
        if (op !== 0x5b && (op < 0x5f || op > 0x8f)) return false
        pc = next
      }
      return false
    },
    endsAt: (start) => {
      const known = endings.get(start)
      if (known !== undefined) return known
      let ends = false
      for (let pc = start, left = MAX_ENDING_INSTRUCTIONS; left > 0; left--) {
        const { op, next } = at(pc)
        ends = op === 0xfd || op === 0xfe || op === 0xf3 || op === 0x00
        // SLOAD, SSTORE, JUMP, JUMPI; logs, calls and creations.
        if (ends || op === 0x54 || op === 0x55 || op === 0x56 || op === 0x57 || op >= 0xa0) break
        pc = next
      }
      endings.set(start, ends)
      return ends
    },
  }
}
