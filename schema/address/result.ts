/** Result of parsing an address. `reason` is a sentence for callers of the API. */
export type ParsedAddress = { ok: true; canonical: string } | { ok: false; reason: string }

/** The text is an address. `canonical` is its notation in tables and on the bus. */
export const accepted = (canonical: string): ParsedAddress => ({ ok: true, canonical })
/** The text is not an address; `reason` completes the API's error about the field. */
export const rejected = (reason: string): ParsedAddress => ({ ok: false, reason })

/** Runs a decoder; `undefined` when it threw. */
export const decoded = <T>(decode: () => T): T | undefined => {
  try {
    return decode()
  } catch {
    return undefined
  }
}
