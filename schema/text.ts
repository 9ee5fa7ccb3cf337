/** Well-formed text, which every store and JSON parser accepts. */

/** Whether a text has no unpaired surrogate, which a store could not return. */
export const isWellFormed = (text: string): boolean => /^\P{Cs}*$/u.test(text)

/** The beginning of a text, at most `maxUnits` UTF-16 units, without splitting a character. */
export const beginningOf = (text: string, maxUnits: number): string =>
  text.length <= maxUnits ? text : text.slice(0, maxUnits).replace(/[\uD800-\uDBFF]$/, '')
