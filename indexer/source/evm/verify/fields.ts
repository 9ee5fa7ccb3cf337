/** Encoders of JSON fields, so that headers, transactions and receipts can be declared as lists of fields. */
import type { RlpWriter } from './rlp.ts'

/** A JSON object as a node sent it. */
export type Fields = Readonly<Record<string, unknown>>

/** Encodes one field of an object. @throws RangeError when the field is missing or of another shape. */
export type Field = (writer: RlpWriter, object: Fields) => void

const textOf = (object: Fields, name: string): string => {
  const value = object[name]
  if (typeof value === 'string' && value.startsWith('0x')) return value
  throw new RangeError(`field ${name} is missing`)
}

/** Bytes. */
export const data =
  (name: string): Field =>
  (writer, object) =>
    writer.data(textOf(object, name))

/** Bytes, or nothing (`to` of a creation). */
export const optionalData =
  (name: string): Field =>
  (writer, object) =>
    writer.data(object[name] === null || object[name] === undefined ? null : textOf(object, name))

/** An integer, from the first of the names that is present. */
export const quantity =
  (...names: readonly [string, ...string[]]): Field =>
  (writer, object) =>
    writer.quantity(
      textOf(object, names.find((name) => object[name] !== null && object[name] !== undefined) ?? names[0]),
    )

/** An integer that nodes omit if it is 0. */
export const optionalQuantity =
  (name: string): Field =>
  (writer, object) =>
    writer.quantity(object[name] === null || object[name] === undefined ? '0x0' : textOf(object, name))

/** A boolean that nodes omit if it is false. */
export const flag =
  (name: string): Field =>
  (writer, object) =>
    writer.quantity(object[name] === true ? '0x1' : '0x0')

const isFields = (item: unknown): item is Fields => typeof item === 'object' && item !== null

/** A list whose items are encoded by `write`; a missing list is empty. */
export const list =
  (name: string, write: (writer: RlpWriter, item: unknown) => void): Field =>
  (writer, object) => {
    const items: unknown = object[name] ?? []
    if (!Array.isArray(items)) throw new RangeError(`field ${name} is no list`)
    const from = writer.size()
    for (let at = items.length - 1; at >= 0; at -= 1) write(writer, items[at])
    writer.closeList(from)
  }

/** A list item of bytes. */
export const dataItem = (writer: RlpWriter, item: unknown): void => {
  if (typeof item !== 'string' || !item.startsWith('0x')) throw new RangeError('an item of a list is missing')
  writer.data(item)
}

/** An object, encoded as the list of its fields. */
export const record =
  (fields: readonly Field[]) =>
  (writer: RlpWriter, item: unknown): void => {
    if (!isFields(item)) throw new RangeError('an item of a list is no object')
    writeFields(writer, item, fields)
  }

/** Encodes the fields of an object as a list. */
export const writeFields = (writer: RlpWriter, object: Fields, fields: readonly Field[]): void => {
  const from = writer.size()
  for (let at = fields.length - 1; at >= 0; at -= 1) fields[at]?.(writer, object)
  writer.closeList(from)
}
