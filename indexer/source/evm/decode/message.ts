const MIN_CHARACTERS = 20
const MAX_CHARACTERS = 1_000
/** UTF-8 takes up to four bytes per character; cutting may lose one more character. */
const MAX_BYTES = 4 * (MAX_CHARACTERS + 1)
const CONTROL = /[\p{Cc}\p{Co}\p{Cn}]/u
const LAYOUT = /[\t\n\r]/g
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Cheap check of the first bytes: calldata of contract calls almost always has a byte below 0x20 there. */
const mayBeText = (input: string): boolean => {
  for (let i = 2; i < 2 + 2 * MIN_CHARACTERS; i += 2) {
    const high = input.charCodeAt(i)
    if ((high === 48 || high === 49) && !LAYOUT_BYTES.has(input.slice(i, i + 2))) return false
  }
  return true
}
const LAYOUT_BYTES = new Set(['09', '0a', '0d'])

/** Drops an incomplete character at the end of a cut sequence. */
const wholeCharacters = (bytes: Buffer): Buffer => {
  let end = bytes.length
  while (end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.subarray(0, Math.max(end - 1, 0))
}

/** Calldata as text if it is printable UTF-8 of 20 characters or more, else empty; at most 1,000 characters. */
export const messageOf = (input: string): string => {
  if (input.length < 2 + 2 * MIN_CHARACTERS || !mayBeText(input)) return ''
  const bytes = Buffer.from(input.slice(2, 2 + 2 * MAX_BYTES), 'hex')
  const cut = input.length > 2 + 2 * MAX_BYTES ? wholeCharacters(bytes) : bytes
  try {
    const text = utf8.decode(cut)
    if (CONTROL.test(text.replace(LAYOUT, ''))) return ''
    const characters = [...text]
    return characters.length < MIN_CHARACTERS ? '' : characters.slice(0, MAX_CHARACTERS).join('')
  } catch {
    return ''
  }
}
