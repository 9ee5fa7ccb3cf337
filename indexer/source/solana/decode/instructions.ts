/** The instructions of a transaction, those that programs called among them. */
import type { RawTransaction } from '../raw.ts'
import { bytesOf } from './data.ts'

/** An instruction, or one that a program called, with its accounts named. */
export type Instruction = {
  /** Place in the transaction, from 1: called ones follow the one that called them. */
  event: number
  program: string
  accounts: readonly string[]
  /** Called by a program. */
  inner: boolean
  /** How deep it was called, from 1; undefined where the node does not state it. */
  depth: number | undefined
  /** As nodes spell it. */
  text: string
  data: () => Buffer
}

/** All instructions in the order in which they ran. */
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
