/** Code whose source is published: runtime code of npm packages, told by hash without metadata and immutables. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { keccakHex } from '../../../../platform/keccak.ts'
import { bytesOf, withoutMetadata } from '../bytecode.ts'

/** Where the hashes are; `generate.ts` beside it writes the file. */
export const KNOWN_CODE = new URL('./known-code.json', import.meta.url)

const entry = z.object({
  /** keccak-256 of the runtime code without its metadata trailer, immutables zeroed. */
  hash: z.string(),
  /** Bytes that were hashed. */
  size: z.number(),
  /** Offsets of the 32-byte immutables. */
  immutables: z.array(z.number()),
  contract: z.string(),
  /** Package, version and file. */
  source: z.string(),
})
/**
 * One contract of a package as it was compiled there. Code with other immutables, such as addresses, counts as the
 * same.
 */
export type KnownCode = z.infer<typeof entry>

/** Reads all of them from the disk. @throws ZodError for a file that is not of this shape */
export const readKnownCode = (): KnownCode[] => z.array(entry).parse(JSON.parse(readFileSync(KNOWN_CODE, 'utf8')))

/** Hash of code without metadata, the words at the offsets zeroed. */
export const maskedHash = (body: Uint8Array, immutables: readonly number[]): string => {
  const copy = Uint8Array.from(body)
  for (const offset of immutables) copy.fill(0, offset, offset + 32)
  return keccakHex(copy)
}

/** Looks runtime code (0x-hex) up; names the source it was built from. */
export const createKnownCode = (entries: readonly KnownCode[] = readKnownCode()) => {
  const bySize = new Map<number, KnownCode[]>()
  for (const known of entries) bySize.set(known.size, [...(bySize.get(known.size) ?? []), known])
  return (code: string): string | undefined => {
    const body = withoutMetadata(bytesOf(code))
    const found = bySize.get(body.length)?.find((known) => maskedHash(body, known.immutables) === known.hash)
    return found && `${found.contract} of ${found.source}`
  }
}
