/** Type guards for answers on hot paths, where schemas would take too long. */

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object, and no list. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value is absent or null. */
export const isNone = (value: unknown): value is undefined | null => value === undefined || value === null

/** Whether a value is a list whose items all pass a test. */
export const isListOf = (value: unknown, is: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(is)
