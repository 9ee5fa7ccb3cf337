/** Reads numbers and addresses directly from hex text, without an ABI decoder. Offsets count characters. */

/** Characters of one 32-byte ABI word. */
export const WORD = 64

const ZEROS = '0'.repeat(WORD)
/** Hex digits that always fit an exact JavaScript number: 52 bits. */
const SAFE_DIGITS = 13
const PADDING = WORD - 40
const ADDRESS_PADDING = ZEROS.slice(0, PADDING)
const NUMBER_PADDING = ZEROS.slice(SAFE_DIGITS)
const SIZE_PADDING = ZEROS.slice(8)

/** `0x`-quantity as decimal text; absent and empty ones are 0. @throws SyntaxError when it is not a hex number. */
export const decimalOf = (quantity: string | null | undefined): string => {
  if (quantity === null || quantity === undefined || quantity === '0x' || quantity === '0x0') return '0'
  return quantity.length <= SAFE_DIGITS + 2 ? String(Number.parseInt(quantity, 16)) : BigInt(quantity).toString()
}

/** `0x`-quantity as a number; for quantities known to be small (heights, indices, types). */
export const numberOf = (quantity: string | null | undefined): number =>
  quantity === null || quantity === undefined ? 0 : Number.parseInt(quantity, 16)

/** `0x`-quantity as a bigint; absent ones are 0. */
export const bigintOf = (quantity: string | null | undefined): bigint =>
  quantity === null || quantity === undefined || quantity === '0x' ? 0n : BigInt(quantity)

/** Unsigned word at a character offset, as decimal text. */
export const uintAt = (text: string, at: number): string => {
  if (text.startsWith(NUMBER_PADDING, at))
    return String(Number.parseInt(text.slice(at + WORD - SAFE_DIGITS, at + WORD), 16))
  return BigInt(`0x${text.slice(at, at + WORD)}`).toString()
}

const SEVEN = 55

/** Whether an unsigned word fits a signed column; false for amounts that no token can have. */
export const fitsSigned = (text: string, at: number): boolean => text.charCodeAt(at) <= SEVEN

/** Two's complement word at a character offset. */
export const intAt = (text: string, at: number): bigint => BigInt.asIntN(256, BigInt(`0x${text.slice(at, at + WORD)}`))

/** Whether the word is zero. */
export const isZeroAt = (text: string, at: number): boolean => text.startsWith(ZEROS, at)

/** Address in the low 20 bytes of a word; `undefined` if the high bytes are not zero, so that it is not an address. */
export const addressAt = (text: string, at: number): string | undefined =>
  text.length >= at + WORD && text.startsWith(ADDRESS_PADDING, at)
    ? `0x${text.slice(at + PADDING, at + WORD).toLowerCase()}`
    : undefined

/** Address in an indexed argument; `undefined` if there is no such topic or it is not an address. */
export const addressOfTopic = (topic: string | undefined): string | undefined =>
  topic === undefined ? undefined : addressAt(topic, 2)

/** A length or offset word as a number; `undefined` if it is too large. */
export const sizeAt = (text: string, at: number): number | undefined =>
  text.length >= at + WORD && text.startsWith(SIZE_PADDING, at)
    ? Number.parseInt(text.slice(at + WORD - 8, at + WORD), 16)
    : undefined
