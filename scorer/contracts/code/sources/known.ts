/** Code with published source: runtime code from npm packages, identified by hash without metadata and immutables. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { keccakHex } from '../../../../platform/keccak.ts'
import { bytesOf, withoutMetadata } from '../bytecode.ts'

/** The file of hashes, written by `generate.ts`. */
export const KNOWN_CODE = new URL('./known-code.json', import.meta.url)

const entry = z.object({
  /** keccak-256 of the runtime code without its metadata trailer, immutables zeroed. */
  hash: z.string(),
  /** Number of bytes hashed. */
  size: z.number(),
  /** Offsets of the 32-byte immutables. */
  immutables: z.array(z.number()),
  contract: z.string(),
  /** Package, version and file. */
  source: z.string(),
})
/** One contract as its package compiled it. Code that differs only in immutables, such as addresses, is the same contract. */
export type KnownCode = z.infer<typeof entry>

/** Reads all entries from the file. @throws ZodError if the file has another shape */
export const readKnownCode = (): KnownCode[] => z.array(entry).parse(JSON.parse(readFileSync(KNOWN_CODE, 'utf8')))

/** keccak-256 of code without metadata, with the words at the given offsets zeroed. */
export const maskedHash = (body: Uint8Array, immutables: readonly number[]): string => {
  const copy = Uint8Array.from(body)
  for (const offset of immutables) copy.fill(0, offset, offset + 32)
  return keccakHex(copy)
}

/** Creates a look-up of runtime code (0x-hex) that returns the contract and package; `undefined` for unknown code. */
export const createKnownCode = (entries: readonly KnownCode[] = readKnownCode()) => {
  const bySize = new Map<number, KnownCode[]>()
  for (const known of entries) bySize.set(known.size, [...(bySize.get(known.size) ?? []), known])
  return (code: string): string | undefined => {
    const body = withoutMetadata(bytesOf(code))
    const found = bySize.get(body.length)?.find((known) => maskedHash(body, known.immutables) === known.hash)
    return found && `${found.contract} of ${found.source}`
  }
}
