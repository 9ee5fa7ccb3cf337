/** A whole number of 16 digits or more outside of text, or a text to be skipped. */
const LONG = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g
const MAY_BE_LONG = /[:,[]\s*-?\d{16}/

/**
 * Reads JSON whose whole numbers may be larger than a JavaScript number holds exactly: those of 16 digits or more
 * become text with their digits. Others are read as usual.
 * @throws SyntaxError when it is no JSON.
 */
export const parseExact = (text: string): unknown =>
  JSON.parse(MAY_BE_LONG.test(text) ? text.replace(LONG, (found) => (found[0] === '"' ? found : `"${found}"`)) : text)
