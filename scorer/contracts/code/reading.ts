/** Everything the analysis computes from code alone. The code is foreign: this runs in a thread with limits. */
import { performance } from 'node:perf_hooks'
import { bytesOf, codeHashOf, familyHashOf, isAccountCode, mayDelegate, withoutMetadata } from './bytecode.ts'
import { type CodeFacts, interpret, MAX_CODE_BYTES } from './interpret.ts'

/** What the code calls and says. */
export type CodeText = { words: string[] }

/** What is known of one code. The same code gives the same, apart from `ms`, so it is remembered by the code. */
export type CodeReading = {
  facts: CodeFacts
  /** Empty when the code could not be read. */
  codeHash: string
  familyHash: string
  /** Whether it may borrow code, by an instruction outside push data or as an account; true when the code could not be read. */
  delegates: boolean
  text: CodeText
  /** Milliseconds of work. */
  ms: number
}

/** The reading of a code that broke the limits: nothing is known, and it may borrow any other code. */
export const UNREAD: CodeReading = {
  facts: { functions: [], addresses: [], complete: false },
  codeHash: '',
  familyHash: '',
  delegates: true,
  text: { words: [] },
  ms: 0,
}

/** Words kept of one code; compiled contracts of 24,576 bytes have hundreds. */
const MAX_WORDS = 8_192

/** Four-byte constants and the text of messages, which solc pushes in words of up to 32 bytes. */
const wordsOf = (body: Uint8Array): string[] => {
  const found = new Set<string>()
  let text = ''
  for (let pc = 0; pc < body.length; pc++) {
    const op = body[pc] ?? 0
    if (op < 0x60 || op > 0x7f) continue
    const size = op - 0x5f
    const data = Buffer.from(body.subarray(pc + 1, pc + 1 + size))
    if (size === 4) found.add(`call:${data.toString('hex')}`)
    if (size >= 6) text += ` ${data.toString('latin1')}`
    pc += size
  }
  // Data beyond the instructions: long messages older compilers copy from the code.
  text += (
    Buffer.from(body)
      .toString('latin1')
      .match(/[ -~]{10,}/g) ?? []
  ).join(' ')
  for (const run of text.match(/[ -~]{4,}/g) ?? []) {
    for (const word of run.match(/[A-Za-z]{4,}/g) ?? []) found.add(`word:${word.toLowerCase()}`)
  }
  return [...found].slice(0, MAX_WORDS)
}

/** Reads code, 0x-hex. */
export const readCode = (code: string): CodeReading => {
  // What it borrows was not read.
  if (isAccountCode(code)) return UNREAD
  const started = performance.now()
  // One byte more than is read: what is longer is incomplete.
  const bytes = bytesOf(code.slice(0, 2 + 2 * (MAX_CODE_BYTES + 1)))
  return {
    facts: interpret(bytes),
    codeHash: codeHashOf(bytes),
    familyHash: familyHashOf(bytes),
    delegates: mayDelegate(bytes),
    text: { words: wordsOf(withoutMetadata(bytes)) },
    ms: performance.now() - started,
  }
}
