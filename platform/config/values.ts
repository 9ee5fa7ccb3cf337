/** Kinds of values that settings have, as zod schemas over text. */
import { z } from 'zod'

/** Text that cannot be printed by accident. `reveal` is the only way to the value. */
export type Secret = { reveal: () => string; toString: () => string; toJSON: () => string }

export const secret = (value: string): Secret => ({
  reveal: () => value,
  toString: () => '[secret]',
  toJSON: () => '[secret]',
})

/** Items between commas. */
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

export const integer = z.string().regex(/^\d+$/, 'a whole number').transform(Number)

export const flag = z.enum(['true', 'false']).transform((text) => text === 'true')

export const secretText = z.string().min(1).transform(secret)
