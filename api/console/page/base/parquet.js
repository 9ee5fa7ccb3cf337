/**
 * Tables as Parquet: one row group, one plain page a column, nothing compressed. Numbers are INT64 where all of a column are whole,
 * else DOUBLE; texts are UTF-8; what is not known is null. Layouts are those of the format's specification (parquet.thrift, and the
 * compact protocol of Thrift).
 */

/** @typedef {import('./csv.js').Row} Row */
/** @typedef {{ name: string, type: number, values: readonly (string | number | null)[] }} Column */
/** @typedef {readonly [id: number, type: number, value: unknown]} Field Of a Thrift struct, in order of ids */

const MAGIC = [0x50, 0x41, 0x52, 0x31]
/** Types of Thrift's compact protocol. */
const [I32, I64, BINARY, LIST, STRUCT] = [5, 6, 8, 9, 12]
/** Types of Parquet. */
const [INT64, DOUBLE, BYTE_ARRAY] = [2, 5, 6]
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
  // Zigzag: none of these numbers is negative.
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

/** @param {string} name @param {readonly (string | number | null)[]} values @returns {Column} */
const columnOf = (name, values) => {
  const known = values.filter((value) => value !== null)
  const isNumber = known.length > 0 && known.every((value) => typeof value === 'number')
  const type = isNumber ? (known.every((value) => Number.isSafeInteger(value)) ? INT64 : DOUBLE) : BYTE_ARRAY
  return { name, type, values }
}

/** Which values are there: a bit each, behind the length of all of them. @param {Column['values']} values */
const levelsOf = (values) => {
  const groups = Math.ceil(values.length / 8)
  const head = varint(groups * 2 + 1)
  const bytes = new Uint8Array(4 + head.length + groups)
  new DataView(bytes.buffer).setUint32(0, head.length + groups, true)
  bytes.set(head, 4)
  for (const [nth, value] of values.entries())
    if (value !== null) {
      const at = 4 + head.length + (nth >> 3)
      bytes[at] = (bytes[at] ?? 0) | (1 << (nth & 7))
    }
  return bytes
}

/** @param {Column} column @returns {Uint8Array[]} */
const plain = ({ type, values }) =>
  values.flatMap((value) => {
    if (value === null) return []
    const text = type === BYTE_ARRAY ? utf8.encode(String(value)) : new Uint8Array()
    const bytes = new Uint8Array(type === BYTE_ARRAY ? 4 + text.length : 8)
    const view = new DataView(bytes.buffer)
    if (type === BYTE_ARRAY) {
      view.setUint32(0, text.length, true)
      bytes.set(text, 4)
    } else if (type === INT64) view.setBigInt64(0, BigInt(value), true)
    else view.setFloat64(0, Number(value), true)
    return [bytes]
  })

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

/** @param {readonly string[]} head names, each once @param {readonly Row[]} rows one at least */
export const parquetOf = (head, rows) => {
  const columns = head.map((name, nth) =>
    columnOf(
      name,
      rows.map((row) => row[nth] ?? null),
    ),
  )
  const parts = [Uint8Array.from(MAGIC)]
  let at = MAGIC.length
  const chunks = columns.map((column) => {
    const page = joined([levelsOf(column.values), ...plain(column)])
    const header = Uint8Array.from(
      thrift(STRUCT, [
        [1, I32, 0],
        [2, I32, page.length],
        [3, I32, page.length],
        [
          5,
          STRUCT,
          [
            [1, I32, rows.length],
            [2, I32, PLAIN],
            [3, I32, RLE],
            [4, I32, RLE],
          ],
        ],
      ]),
    )
    const [offset, size] = [at, header.length + page.length]
    parts.push(header, page)
    at += size
    const meta = [
      [1, I32, column.type],
      [2, LIST, [I32, [PLAIN, RLE]]],
      [3, LIST, [BINARY, [column.name]]],
      [4, I32, 0],
      [5, I64, rows.length],
      [6, I64, size],
      [7, I64, size],
      [9, I64, offset],
    ]
    return [
      [2, I64, offset],
      [3, STRUCT, meta],
    ]
  })
  const schema = [
    [
      [3, I32, REQUIRED],
      [4, BINARY, 'rows'],
      [5, I32, columns.length],
    ],
    ...columns.map(({ name, type }) => [
      [1, I32, type],
      [3, I32, OPTIONAL],
      [4, BINARY, name],
      ...(type === BYTE_ARRAY ? [[6, I32, UTF8]] : []),
    ]),
  ]
  const group = [
    [1, LIST, [STRUCT, chunks]],
    [2, I64, at - MAGIC.length],
    [3, I64, rows.length],
  ]
  const footer = Uint8Array.from(
    thrift(STRUCT, [
      [1, I32, 1],
      [2, LIST, [STRUCT, schema]],
      [3, I64, rows.length],
      [4, LIST, [STRUCT, [group]]],
      [6, BINARY, 'assay console'],
    ]),
  )
  const end = new Uint8Array(4)
  new DataView(end.buffer).setUint32(0, footer.length, true)
  return joined([...parts, footer, end, Uint8Array.from(MAGIC)])
}
