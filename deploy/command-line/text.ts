/** Formatting of numbers, times and texts for people. */

/** Untrusted text in one line, without control characters, escape sequences and bidirectional controls. */
export const plain = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Bidi_Control}\s]+/gu, (found) => (/^\p{Bidi_Control}+$/u.test(found) ? '' : ' '))

/** A duration in s, min or h. @param ms milliseconds */
export const duration = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  if (seconds < 120) return `${seconds} s`
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}

/** A number with thousands separators: 12,345. */
export const grouped = (count: number): string => Math.round(count).toLocaleString('en-US')

/** Date part of an ISO 8601 time. */
export const dayOf = (iso: string): string => iso.slice(0, 10)

/** Lines in columns, each as wide as its widest cell. */
export const columns = (rows: readonly (readonly string[])[]): string[] => {
  const width = (at: number) => Math.max(...rows.map((row) => row[at]?.length ?? 0))
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(width(at)))
      .join('  ')
      .trimEnd(),
  )
}
