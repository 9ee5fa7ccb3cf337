/** Parses stacks returned by get methods, and encodes addresses as arguments. */
import type { Got } from '../api.ts'
import { readBag, writeBag } from '../cell/boc.ts'
import { createBuilder } from '../cell/builder.ts'
import type { Cell } from '../cell/cell.ts'
import { sliceOf } from '../cell/slice.ts'

const NUMBER = /^-?0x[0-9a-fA-F]{1,64}$|^-?\d{1,78}$/

/** An address as a bag of one cell, in base64. */
export const addressBag = (address: string): string =>
  writeBag(createBuilder().address(address).end()).toString('base64')

/** A whole number of the stack, `undefined` if the entry is something else. */
export const numberAt = ({ stack }: Got, index: number): bigint | undefined => {
  const entry = stack?.[index]
  if (!entry || !('number' in entry) || !NUMBER.test(entry.number)) return undefined
  return entry.number.startsWith('-') ? -BigInt(entry.number.slice(1)) : BigInt(entry.number)
}

/** A cell or slice of the stack, `undefined` if the entry is something else. */
export const cellAt = ({ stack }: Got, index: number): Cell | undefined => {
  const entry = stack?.[index]
  try {
    return entry && 'bag' in entry ? readBag(Buffer.from(entry.bag, 'base64')) : undefined
  } catch {
    return undefined
  }
}

/** An address of the stack: empty for none, `undefined` if the entry is something else. */
export const addressAt = (got: Got, index: number): string | undefined => {
  const cell = cellAt(got, index)
  try {
    return cell && sliceOf(cell).address()
  } catch {
    return undefined
  }
}
