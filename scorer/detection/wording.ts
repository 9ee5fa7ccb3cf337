/** Words for the titles of findings: what a compliance officer would write in a file. */

/** `1 wallet`, `1,204 wallets`. `many` is given where the plural is not made with an s. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

/** A fraction of 0 to 1 as `42 %`. What rounds to nothing or to everything, but is not, is `less than 1 %` or `more than 99 %`. */
export const percent = (fraction: number): string => {
  const rounded = Math.round(fraction * 100)
  if (rounded === 0 && fraction > 0) return 'less than 1 %'
  if (rounded === 100 && fraction < 1) return 'more than 99 %'
  return `${rounded} %`
}

/** `once`, `twice`, `3 times`. */
export const times = (count: number): string =>
  count === 1 ? 'once' : count === 2 ? 'twice' : `${count.toLocaleString('en-US')} times`

/** US dollars without cents: `$12,300`. */
export const dollars = (amount: number): string => `$${Math.round(amount).toLocaleString('en-US')}`

/** A name that the chain gave, cut to a line and without control characters; anybody can name a token. */
export const quoted = (name: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
  const clean = name.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069"]/g, '').trim()
  return `"${clean.length > 40 ? `${clean.slice(0, 40)}…` : clean}"`
}
