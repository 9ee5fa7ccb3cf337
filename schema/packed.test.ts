import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Block, emptyRows, TABLES } from './block.ts'
import { packBlock, partsOf, rowCount } from './packed.ts'

const TABLE_COUNT = TABLES.length

/** Rows by their text only: their content does not matter here. */
const blockOf = (number: number, rows: readonly { table: number; text: string }[]): Block => {
  const block: Block = { network: 'ETH', number, hash: `0x${number}`, parentHash: '0x', time: 1, rows: emptyRows() }
  for (const { table, text } of rows) {
    const list: unknown[] = block.rows[TABLES[table % TABLE_COUNT]!]
    list.push({ text })
  }
  return block
}

/** Row by row: a part is closed when the next row does not fit. */
const plainParts = (blocks: readonly Block[], budget: number) => {
  const parts: { sections: [string, number, number][]; lines: string }[] = [{ sections: [], lines: '' }]
  for (const table of TABLES) {
    for (const row of blocks.flatMap(({ rows }): unknown[] => rows[table])) {
      const line = `${JSON.stringify(row)}\n`
      const bytes = Buffer.byteLength(line)
      const open = Buffer.byteLength(parts.at(-1)!.lines)
      if (open > 0 && open + bytes > budget) parts.push({ sections: [], lines: '' })
      const part = parts.at(-1)!
      part.lines += line
      const section = part.sections.at(-1)
      if (section?.[0] === table) {
        section[1] += 1
        section[2] += bytes
      } else part.sections.push([table, 1, bytes])
    }
  }
  return parts
}

const row = fc.record({ table: fc.nat(TABLE_COUNT - 1), text: fc.string({ unit: 'binary', maxLength: 40 }) })

test('splits rows into parts at the same places as row by row', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(row, { maxLength: 12 }), { maxLength: 4 }),
      fc.integer({ min: 0, max: 200 }),
      (rows, budget) => {
        const blocks = rows.map((own, number) => blockOf(number, own))
        const packed = blocks.map(packBlock)
        expect(packed.map(rowCount)).toEqual(blocks.map(rowCount))
        const parts = partsOf(packed, budget).map(({ sections, lines }) => ({
          sections,
          lines: Buffer.concat(lines).toString(),
        }))
        expect(parts).toEqual(plainParts(blocks, budget))
      },
    ),
  )
})
