/** Outcome of reading an address a person or program typed. `reason` is a sentence for the caller of the API. */
export type ParsedAddress = { ok: true; canonical: string } | { ok: false; reason: string }

/** Answer of a parser that took the text. `canonical` is the spelling that tables and bus use. */
export const accepted = (canonical: string): ParsedAddress => ({ ok: true, canonical })
/** Answer of a parser that refused the text; `reason` completes what the API reports about the field. */
export const rejected = (reason: string): ParsedAddress => ({ ok: false, reason })

/** Runs a decoder that throws on malformed text; `undefined` when it did. */
export const decoded = <T>(decode: () => T): T | undefined => {
  try {
    return decode()
  } catch {
    return undefined
  }
}
