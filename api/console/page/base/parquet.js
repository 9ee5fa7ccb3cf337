/**
 * Writes tables as Parquet: one plain, uncompressed page per column and row group. Integers are INT64, other numbers DOUBLE, texts UTF-8;
 * unknown values are null. Layout: parquet.thrift of the specification, in the compact protocol of Thrift. Used by the console for
 * tables, and by the API for results of screening.
 */

/** @typedef {import('./csv.js').Row} Row */
/** @typedef {{ name: string, kind: 'whole' | 'number' | 'text' }} Column */
/** @typedef {{ bits: number[], count: number, bytes: Uint8Array<ArrayBuffer>, length: number }} Page The values of a column in the open row group */
/** @typedef {readonly [id: number, type: number, value: unknown]} Field A field of a Thrift struct; fields are in order of ids */

const MAGIC = [0x50, 0x41, 0x52, 0x31]
/** Type codes of Thrift's compact protocol. */
const [I32, I64, BINARY, LIST, STRUCT] = [5, 6, 8, 9, 12]
/** Physical types of Parquet. */
const [INT64, DOUBLE, BYTE_ARRAY] = [2, 5, 6]
const TYPES = { whole: INT64, number: DOUBLE, text: BYTE_ARRAY }
const [PLAIN, RLE] = [0, 3]
const [REQUIRED, OPTIONAL, UTF8] = [0, 1, 0]

const utf8 = new TextEncoder()

/** @param {number} value whole and not negative @returns {number[]} */
const varint = (value) => {
  const bytes = []
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) + 128)
  return [...bytes, value]
}

/** @param {number} type @param {unknown} value @returns {number[]} */
const thrift = (type, value) => {
  // Zigzag encoding of a non-negative number.
  if (type === I32 || type === I64) return varint(Number(value) * 2)
  if (type === BINARY) {
    const bytes = utf8.encode(String(value))
    return [...varint(bytes.length), ...bytes]
  }
  if (type === LIST) {
    const [of, items] = /** @type {[number, unknown[]]} */ (value)
    const head = items.length < 15 ? [items.length * 16 + of] : [0xf0 + of, ...varint(items.length)]
    return [...head, ...items.flatMap((item) => thrift(of, item))]
  }
  let last = 0
  const fields = /** @type {Field[]} */ (value).flatMap(([id, kind, inner]) => {
    const head = (id - last) * 16 + kind
    last = id
    return [head, ...thrift(kind, inner)]
  })
  return [...fields, 0]
}

/** Infers the kind of a column from its values. @param {readonly (string | number | null)[]} values @returns {Column['kind']} */
const kindOf = (values) => {
  const known = values.filter((value) => value !== null)
  if (known.length === 0 || known.some((value) => typeof value !== 'number')) return 'text'
  return known.every((value) => Number.isSafeInteger(value)) ? 'whole' : 'number'
}

/** Definition levels: one bit per value, after the length. @param {Page} page */
const levelsOf = ({ bits, count }) => {
  const groups = Math.ceil(count / 8)
  const head = varint(groups * 2 + 1)
  const bytes = new Uint8Array(4 + head.length + groups)
  new DataView(bytes.buffer).setUint32(0, head.length + groups, true)
  bytes.set(head, 4)
  bytes.set(bits, 4 + head.length)
  return bytes
}

/** Initial size of a page, bytes. */
const INITIAL_BYTES = 1024

/** Makes room for `more` bytes at the end of a page. @param {Page} page @param {number} more */
const grow = (page, more) => {
  if (page.length + more <= page.bytes.length) return
  const bytes = new Uint8Array(2 * (page.length + more))
  bytes.set(page.bytes.subarray(0, page.length))
  page.bytes = bytes
}

/** @param {Page} page @param {string} text */
const appendText = (page, text) => {
  // A UTF-16 code unit takes at most three bytes of UTF-8.
  grow(page, 4 + 3 * text.length)
  const { written } = utf8.encodeInto(text, page.bytes.subarray(page.length + 4))
  new DataView(page.bytes.buffer).setUint32(page.length, written, true)
  page.length += 4 + written
}

/** @param {Page} page @param {Column} column @param {string | number} value */
const appendNumber = (page, { name, kind }, value) => {
  if (typeof value !== 'number' || (kind === 'whole' && !Number.isSafeInteger(value)))
    throw new TypeError(`column ${name} has a value that is not a ${kind === 'whole' ? 'whole number' : 'number'}`)
  grow(page, 8)
  const view = new DataView(page.bytes.buffer)
  if (kind === 'whole') view.setBigInt64(page.length, BigInt(value), true)
  else view.setFloat64(page.length, value, true)
  page.length += 8
}

/** @param {Page} page @param {Column} column @param {string | number | null} value */
const append = (page, column, value) => {
  const [at, bit] = [page.count >> 3, 1 << (page.count & 7)]
  page.bits[at] = (page.bits[at] ?? 0) | (value === null ? 0 : bit)
  page.count++
  if (value === null) return
  if (column.kind === 'text') appendText(page, String(value))
  else appendNumber(page, column, value)
}

/** @param {readonly Uint8Array[]} parts */
const joined = (parts) => {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/**
 * Writes a file in pieces: the concatenated results of `group` and `end` are the file.
 *
 * @param {readonly Column[]} columns with unique names
 */
export const createParquet = (columns) => {
  /** @returns {Page[]} */
  const empty = () => columns.map(() => ({ bits: [], count: 0, bytes: new Uint8Array(INITIAL_BYTES), length: 0 }))
  let open = empty()
  let at = 0
  let rows = 0
  /** @type {Field[][]} */
  const groups = []
  /** @type {Uint8Array[]} */
  let out = []
  const write = (/** @type {Uint8Array} */ bytes) => {
    out.push(bytes)
    at += bytes.length
  }
  const taken = () => {
    const all = joined(out)
    out = []
    return all
  }
  write(Uint8Array.from(MAGIC))

  /** @param {Column} column @param {Page} page @returns {Field[]} */
  const chunk = ({ name, kind }, page) => {
    const levels = levelsOf(page)
    const size = levels.length + page.length
    const header = [
      [1, I32, 0],
      [2, I32, size],
      [3, I32, size],
      [
        5,
        STRUCT,
        [
          [1, I32, page.count],
          [2, I32, PLAIN],
          [3, I32, RLE],
          [4, I32, RLE],
        ],
      ],
    ]
    const offset = at
    write(Uint8Array.from(thrift(STRUCT, header)))
    write(levels)
    write(page.bytes.subarray(0, page.length))
    const meta = [
      [1, I32, TYPES[kind]],
      [2, LIST, [I32, [PLAIN, RLE]]],
      [3, LIST, [BINARY, [name]]],
      [4, I32, 0],
      [5, I64, page.count],
      [6, I64, at - offset],
      [7, I64, at - offset],
      [9, I64, offset],
    ]
    return [
      [2, I64, offset],
      [3, STRUCT, meta],
    ]
  }

  return {
    /** Adds rows to the open row group. @param {readonly Row[]} more @throws TypeError for a value that does not fit its column */
    add: (more) => {
      for (const row of more)
        for (const [nth, column] of columns.entries()) {
          const page = open[nth]
          if (page) append(page, column, row[nth] ?? null)
        }
    },
    /** Ends the row group. @returns its bytes; the first group includes the magic number */
    group: () => {
      const [from, count] = [at, open[0]?.count ?? 0]
      const chunks = columns.map((column, nth) => chunk(column, /** @type {Page} */ (open[nth])))
      groups.push([
        [1, LIST, [STRUCT, chunks]],
        [2, I64, at - from],
        [3, I64, count],
      ])
      rows += count
      open = empty()
      return taken()
    },
    /** Ends the file. @returns the footer */
    end: () => {
      const schema = [
        [
          [3, I32, REQUIRED],
          [4, BINARY, 'rows'],
          [5, I32, columns.length],
        ],
        ...columns.map(({ name, kind }) => [
          [1, I32, TYPES[kind]],
          [3, I32, OPTIONAL],
          [4, BINARY, name],
          ...(kind === 'text' ? [[6, I32, UTF8]] : []),
        ]),
      ]
      const footer = Uint8Array.from(
        thrift(STRUCT, [
          [1, I32, 1],
          [2, LIST, [STRUCT, schema]],
          [3, I64, rows],
          [4, LIST, [STRUCT, groups]],
          [6, BINARY, 'assay'],
        ]),
      )
      write(footer)
      const length = new Uint8Array(4)
      new DataView(length.buffer).setUint32(0, footer.length, true)
      write(length)
      write(Uint8Array.from(MAGIC))
      return taken()
    },
  }
}

/** @param {readonly string[]} head unique names @param {readonly Row[]} rows at least one */
export const parquetOf = (head, rows) => {
  const columns = head.map((name, nth) => ({ name, kind: kindOf(rows.map((row) => row[nth] ?? null)) }))
  const file = createParquet(columns)
  file.add(rows)
  return joined([file.group(), file.end()])
}
