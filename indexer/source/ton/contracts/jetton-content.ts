/**
 * Name, symbol and decimals of a jetton, if stored on chain (TEP-64). Many are on a web page instead, which is not read, because
 * its owner may answer each reader differently.
 */
import { createHash } from 'node:crypto'
import { beginningOf } from '../../../../schema/text.ts'
import type { Cell } from '../cell/cell.ts'
import { readDictionary } from '../cell/dictionary.ts'
import { type Slice, sliceOf } from '../cell/slice.ts'
import { snakeOf } from '../cell/text.ts'
import type { Jetton } from '../raw.ts'

const ON_CHAIN = 0
const MAX_TEXT = 128
const keyOf = (name: string): string => createHash('sha256').update(name).digest('hex')
const KEYS = { name: keyOf('name'), symbol: keyOf('symbol'), decimals: keyOf('decimals') }
/** Default of a jetton that states none (TEP-64). */
const USUAL_DECIMALS = 9

const UNNAMED: Jetton = { name: '', symbol: '', decimals: -1 }

/** A value: text that continues from cell to cell, or in numbered pieces. */
const bytesOf = (value: Slice | undefined): Buffer => {
  if (!value) return Buffer.alloc(0)
  const slice = value.refsLeft() > 0 && value.bitsLeft() === 0 ? sliceOf(value.ref()) : value
  if (slice.bitsLeft() < 8) return Buffer.alloc(0)
  const form = slice.copy().uint(8)
  if (form === 0) {
    slice.skip(8)
    return snakeOf(slice)
  }
  if (form !== 1) return snakeOf(slice)
  slice.skip(8)
  if (!slice.bit()) return Buffer.alloc(0)
  const pieces = [...readDictionary(slice.ref(), 32)].sort(([a], [b]) => (a < b ? -1 : 1))
  return Buffer.concat(pieces.map(([, piece]) => snakeOf(sliceOf(piece.ref()))))
}

const textOf = (value: Slice | undefined): string =>
  beginningOf(
    bytesOf(value)
      .toString('utf8')
      .replaceAll(/[\p{C}\uFFFD]/gu, '')
      .trim(),
    MAX_TEXT,
  )

const decimalsOf = (text: string): number => {
  if (text === '') return USUAL_DECIMALS
  const value = /^\d{1,3}$/.test(text) ? Number(text) : -1
  return value <= 255 ? value : -1
}

/** Parses the content from a jetton's master; what is not on chain stays empty. */
export const readContent = (content: Cell | undefined): Jetton => {
  if (!content) return UNNAMED
  try {
    const slice = sliceOf(content)
    if (slice.uint(8) !== ON_CHAIN || !slice.bit()) return UNNAMED
    const entries = readDictionary(slice.ref(), 256)
    const name = textOf(entries.get(KEYS.name))
    const symbol = textOf(entries.get(KEYS.symbol))
    const decimals = decimalsOf(textOf(entries.get(KEYS.decimals)))
    return name === '' && symbol === ''
      ? { ...UNNAMED, decimals: entries.has(KEYS.decimals) ? decimals : -1 }
      : { name, symbol, decimals }
  } catch {
    return UNNAMED
  }
}
