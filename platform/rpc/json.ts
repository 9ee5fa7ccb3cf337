/** A whole number of 16 digits or more, or a string (which is skipped). */
const LONG = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g
const MAY_BE_LONG = /[:,[]\s*-?\d{16}/

/** Quotes whole numbers of 16 digits or more in a JSON text; everything else stays as it is. */
export const exactText = (json: string): string =>
  MAY_BE_LONG.test(json) ? json.replace(LONG, (found) => (found[0] === '"' ? found : `"${found}"`)) : json

/**
 * Parses JSON whose whole numbers may exceed what a JavaScript number holds exactly: those of 16 digits or more become
 * strings.
 * @throws SyntaxError when it is not JSON.
 */
export const parseExact = (text: string): unknown => JSON.parse(exactText(text))
