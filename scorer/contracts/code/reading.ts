/** Everything that is computed from code alone. The code is hostile, so this runs in a thread with limits. */
import { performance } from 'node:perf_hooks'
import { OP } from './abstract/opcodes.ts'
import { bytesOf, codeHashOf, familyHashOf, isAccountCode, mayDelegate, withoutMetadata } from './bytecode.ts'
import { type CodeFacts, interpret, MAX_CODE_BYTES } from './interpret.ts'

/** Words in the code: `call:` with a four-byte constant, and `word:` with a word of a message. */
export type CodeText = { words: string[] }

/** Everything that is known of one code. It depends on the code alone, apart from `ms`, and is cached by code. */
export type CodeReading = {
  facts: CodeFacts
  /** keccak-256 without metadata; empty if the code could not be read. */
  codeHash: string
  /** keccak-256 of the opcodes alone; empty if the code could not be read. */
  familyHash: string
  /** Whether the code may delegate: it contains DELEGATECALL or CALLCODE, is an EIP-7702 account, or could not be read. */
  delegates: boolean
  text: CodeText
  /** Time spent, ms. */
  ms: number
}

/** The reading of code that exceeded the limits. */
export const UNREAD: CodeReading = {
  facts: { functions: [], addresses: [], complete: false },
  codeHash: '',
  familyHash: '',
  delegates: true,
  text: { words: [] },
  ms: 0,
}

/** Words kept of one code. Compiled contracts of 24,576 bytes have hundreds. */
const MAX_WORDS = 8_192

/** Collects four-byte constants and words of messages. solc pushes messages in chunks of up to 32 bytes. */
const wordsOf = (body: Uint8Array): string[] => {
  const found = new Set<string>()
  let text = ''
  for (let pc = 0; pc < body.length; pc++) {
    const op = body[pc] ?? 0
    if (op < OP.PUSH1 || op > OP.PUSH32) continue
    const size = op - OP.PUSH0
    const data = Buffer.from(body.subarray(pc + 1, pc + 1 + size))
    if (size === 4) found.add(`call:${data.toString('hex')}`)
    if (size >= 6) text += ` ${data.toString('latin1')}`
    pc += size
  }
  // Older compilers copy long messages from data behind the instructions.
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
  // The delegated code is not here.
  if (isAccountCode(code)) return UNREAD
  const started = performance.now()
  // One byte more than the limit, so that `interpret` sees that longer code is cut.
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
