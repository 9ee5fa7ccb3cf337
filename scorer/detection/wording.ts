/** Words for the titles of findings, as a compliance officer would write them. */

/** `1 wallet`, `1,204 wallets`. Pass `many` for irregular plurals. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

/** A fraction of 0 to 1 as `42 %`. Values that would round to 0 or 100 without being it read `less than 1 %` or `more than 99 %`. */
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

/** A name from the chain in quotes, cut to one line and without control characters: anybody can name a token. */
export const quoted = (name: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes control characters.
  const clean = name.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069"]/g, '').trim()
  return `"${clean.length > 40 ? `${clean.slice(0, 40)}…` : clean}"`
}
