import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { csvRows } from './csv.ts'
import { jsonEntries } from './json.ts'
import { type RawLabel, readLabels } from './read.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-labels-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const A = '0x00000000000000000000000000000000000000aa'
const B = '0x00000000000000000000000000000000000000bb'

let nth = 0
const read = async (text: string, column?: string): Promise<RawLabel[]> => {
  const file = join(folder, `list-${nth++}`)
  writeFileSync(file, text)
  const rows: RawLabel[] = []
  for await (const row of readLabels(file, column)) rows.push(row)
  return rows
}

/** A text in pieces of every size, as a file may arrive. */
const inPieces = async function* (text: string, size: number) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const collect = async <T>(rows: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const row of rows) all.push(row)
  return all
}

test.each([
  ['a list of addresses', `# mine\n${A}\n\n${B} # his\n`, [2, 4]],
  ['a JSON array', JSON.stringify([A, B], null, 1), [2, 3]],
  ['an array of objects', JSON.stringify([{ address: A }, { Address: B }]), [1, 1]],
  ['a map', `{\n"${A}": {"name": "x"},\n\n"${B}": ["exchange"]}`, [2, 4]],
  ['JSON lines', `{"address":"${A}","name":"x"}\n{"address":"${B}"}\n`, [1, 2]],
  ['JSON lines after a byte order mark', `\uFEFF{"address":"${A}"}\r\n\r\n{"address":"${B}"}`, [1, 3]],
  ['an array after a byte order mark', `\uFEFF["${A}",\n"${B}"]\n\n`, [1, 2]],
  ['CSV', `x,banned_address\n1,${A}\n2,${B}\n`, [2, 3]],
  ['semicolons, quotes and a byte order mark', `\uFEFFname;Address\n"a;\nb";${A}\n;"${B}"\n`, [2, 4]],
])('%s is read, with lines', async (_, text, lines) => {
  const rows = await read(text)
  expect(rows.map(({ address }) => address)).toEqual([A, B])
  expect(rows.map(({ line }) => line)).toEqual(lines)
})

test('recognises columns by name; category and abuse both give labels', async () => {
  const [pack] = await read(
    `pack,address,currency,label,category,abuse,source,confidence\np.yaml,${A},ETH,Shop,exchange,scam,https://x,forensic\n`,
  )
  expect(pack).toMatchObject({
    address: A,
    network: 'ETH',
    words: ['exchange', 'scam'],
    name: 'Shop',
    source: 'https://x',
    confidence: 'forensic',
    label: '',
  })
  const [own] = await read(`network,address,label,detector,class\nETH,${A},phishing,list,reported\n`)
  expect(own).toMatchObject({ label: 'phishing', name: '', class: 'reported' })
  const [made, gone] = await read(`contract_address,in_current_list\n${A},1\n${B},0\n`)
  expect([made!.isContract, made!.withdrawn, gone!.withdrawn]).toEqual(['true', false, true])
  expect((await read(`attacker,victim\n${A},${B}\n`, 'Attacker')).map(({ address }) => address)).toEqual([A])
})

test('names the line where a file stops being a list', async () => {
  await expect(read(`attacker,victim\n${A},${B}\n`)).rejects.toThrow(/line 1 .*--address-column/)
  await expect(read(`address,name\n${A},"never closed\n`)).rejects.toThrow(/quote in line 2/)
  await expect(read(`[\n"${A}",\n{"address": }\n]`)).rejects.toThrow(/line 3/)
  await expect(read(`[\n"${A}",\n`)).rejects.toThrow(/truncated in line 3/)
  await expect(read(`["${A}"]\n["${B}"]`)).rejects.toThrow(/line 2 is not valid JSON/)
  await expect(read(`[\n"${A}",\n"${'x'.repeat(11_000_000)}`)).rejects.toThrow(/begins in line 3 is larger than 10 MB/)
})

test('parses written CSV in any split into chunks', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', ' ', 'é') }).map((text) => `x${text}`)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(cell, { minLength: 1, maxLength: 4 })),
      fc.integer({ min: 1, max: 9 }),
      async (rows, size) => {
        const text = rows.map((row) => row.map((c) => `"${c.replaceAll('"', '""')}"`).join(',')).join('\r\n')
        const found = await collect(csvRows(inPieces(text, size)))
        expect(found.map(({ cells }) => cells)).toEqual(rows)
      },
    ),
  )
})

test('splits JSON into entries in any split into chunks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.jsonValue({ maxDepth: 3 }),
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      async (value, size, lines) => {
        if (typeof value !== 'object' || value === null) return
        const text = lines ? `${JSON.stringify({ value })}\n${JSON.stringify([value])}` : JSON.stringify(value, null, 2)
        const found = await collect(jsonEntries(inPieces(text, size), { lines }))
        const values = found.map((entry) => entry.value)
        if (lines) expect(values).toEqual(JSON.parse(`[${text.replace('\n', ',')}]`))
        else if (Array.isArray(value)) expect(values).toEqual(JSON.parse(JSON.stringify(value)))
        else {
          const pairs = found.map(({ key }, index) => [key, values[index]])
          expect(pairs).toEqual(Object.entries(JSON.parse(JSON.stringify(value)) as object))
        }
      },
    ),
  )
})
