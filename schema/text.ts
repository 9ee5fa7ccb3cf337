/** Text that every store and every reader of JSON takes: whole characters only. */

/** Whether a text has no half of a surrogate pair, which is no character: a store could not give it back. */
export const isWellFormed = (text: string): boolean => /^\P{Cs}*$/u.test(text)

/** The beginning of a text, `most` UTF-16 units at most. A character that would be cut in two is left out. */
export const beginningOf = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
