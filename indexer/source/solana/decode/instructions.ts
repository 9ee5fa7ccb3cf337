/** The instructions of a transaction, including those called by programs. */
import type { RawTransaction } from '../raw.ts'
import { bytesOf } from './data.ts'

/** An instruction of the transaction, or one called by a program, with resolved accounts. */
export type Instruction = {
  /** Position in the transaction, from 1. Called instructions follow their caller. */
  event: number
  program: string
  accounts: readonly string[]
  /** Whether a program called it. */
  inner: boolean
  /** Call depth, from 1; undefined if the node does not state it. */
  depth: number | undefined
  /** Data, base58. */
  text: string
  data: () => Buffer
}

/** All instructions in execution order. */
export const instructionsOf = (
  { transaction: { message }, meta }: RawTransaction,
  keys: readonly string[],
): Instruction[] => {
  const called = new Map(meta.innerInstructions?.map(({ index, instructions }) => [index, instructions]))
  const found: Instruction[] = []
  message.instructions.forEach((top, index) => {
    for (const one of [top, ...(called.get(index) ?? [])]) {
      let bytes: Buffer | undefined
      found.push({
        event: found.length + 1,
        program: keys[one.programIdIndex] ?? '',
        accounts: one.accounts.map((account) => keys[account] ?? ''),
        inner: one !== top,
        depth: one === top ? 1 : typeof one.stackHeight === 'number' ? one.stackHeight : undefined,
        text: one.data,
        data: () => {
          bytes ??= bytesOf(one.data)
          return bytes
        },
      })
    }
  })
  return found
}
