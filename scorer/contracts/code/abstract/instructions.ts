/** Decoded instructions of one code, and what straight-line code at an offset leads to. */
import { type Instruction, instructionAt } from '../bytecode.ts'
import { OP } from './opcodes.ts'

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
        if (op === OP.REVERT || op === OP.INVALID) return true
        // JUMPDEST, PUSH and DUP.
        if (op !== OP.JUMPDEST && (op < OP.PUSH0 || op > OP.DUP16)) return false
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
        ends = op === OP.REVERT || op === OP.INVALID || op === OP.RETURN || op === OP.STOP
        // SLOAD, SSTORE, JUMP, JUMPI; logs, calls and creations.
        if (ends || op === OP.SLOAD || op === OP.SSTORE || op === OP.JUMP || op === OP.JUMPI || op >= OP.LOG0) break
        pc = next
      }
      endings.set(start, ends)
      return ends
    },
  }
}
