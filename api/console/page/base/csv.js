/** Writes tables as CSV and NDJSON. */

/** Text that spreadsheets treat as a formula. Same pattern as `api/screen/cells.ts`. */
const FORMULA = /^(?:[\s\p{Cc}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r])/u

/**
 * A cell. Text that a spreadsheet would evaluate is prefixed with an apostrophe, which spreadsheets hide.
 *
 * @param {string | number | null | undefined} value
 */
export const cellOf = (value) => {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value)
  return /[",;\r\n\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** @typedef {readonly (string | number | null)[]} Row */

/** @param {readonly string[]} head @param {readonly Row[]} rows */
export const csvOf = (head, rows) => [head, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')

/** @param {readonly string[]} head @param {readonly Row[]} rows */
export const linesOf = (head, rows) =>
  rows
    .map((row) => `${JSON.stringify(Object.fromEntries(head.map((name, nth) => [name, row[nth] ?? null])))}\n`)
    .join('')
