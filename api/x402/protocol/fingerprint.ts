/** Fingerprint of a request, to distinguish a retry from a second purchase. */
import { createHash } from 'node:crypto'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Piece = { text: string } | { value: unknown }

const between = (pieces: readonly Piece[][]): Piece[] =>
  pieces.flatMap((piece, index) => (index === 0 ? piece : [{ text: ',' }, ...piece]))

const piecesOf = (value: unknown): Piece[] => {
  if (Array.isArray(value)) return [{ text: '[' }, ...between(value.map((inner) => [{ value: inner }])), { text: ']' }]
  if (!isObject(value)) return [{ text: JSON.stringify(value) ?? '' }]
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    { text: '{' },
    ...between(fields.map(([name, inner]) => [{ text: `${JSON.stringify(name)}:` }, { value: inner }])),
    { text: '}' },
  ]
}

/**
 * Canonical JSON: independent of field order, whitespace, and the notation of numbers and characters.
 * Iterative: 16 KB of nested brackets exceed the call stack.
 */
export const canonical = (value: unknown): string => {
  const rest: Piece[] = [{ value }]
  let text = ''
  for (let piece = rest.pop(); piece; piece = rest.pop()) {
    if ('text' in piece) text += piece.text
    else rest.push(...piecesOf(piece.value).reverse())
  }
  return text
}

/** SHA-256 of an operation and the request to it (parsed JSON), hex. */
export const fingerprintOf = (operation: string, request: unknown): string =>
  createHash('sha256').update(operation).update('\n').update(canonical(request)).digest('hex')
