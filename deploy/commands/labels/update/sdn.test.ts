import { expect, test } from 'vitest'
import { type Party, sdnAdvancedXml, sdnXml } from '../../../../test/kit/labels/sdn.ts'
import type { RawLabel } from '../read.ts'
import { type DatedReader, sdnAdvancedReader, sdnReader } from './sdn.ts'
import { readXml } from './xml.ts'

const PARTIES: Party[] = [
  {
    id: 27307,
    name: 'LAZARUS & GROUP',
    programmes: ['DPRK3', 'CYBER2'],
    listed: '2019-09-13',
    wallets: [
      ['ETH', '0x098B716B8Aaf21512996dC57EB0615e2383E2f96'],
      ['XBT', '12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h'],
    ],
  },
  {
    id: 40001,
    name: 'MANY CHAINS',
    listed: '2025-03-04',
    wallets: [
      ['USDT', 'TFdTr9C3BqQrzKBXqSxJfAZFTh8UwBAfSg'],
      ['USDT', '0x19F8f2B0915Daa12a3f5C9CF01dF9E24D53794F7'],
      ['ARB', '0x19F8f2B0915Daa12a3f5C9CF01dF9E24D53794F7'],
      ['BSC', '0x19F8f2B0915Daa12a3f5C9CF01dF9E24D53794F7'],
      ['SOL', 'FLAevxSe8iU4vTqLvWE8Q5YTV5V8bXhnzzRnTfDBsmFr'],
    ],
  },
  { id: 5, name: 'NO WALLET', wallets: [] },
]

/** Pieces of odd sizes, so that tags and letters are cut. */
const piecesOf = async function* (text: string, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}
const read = async (text: string, reader: DatedReader) => {
  const rows: RawLabel[] = []
  for await (const row of readXml(piecesOf(text), reader)) rows.push(row)
  return rows
}
const shown = (rows: readonly RawLabel[]) =>
  rows.map(({ network, address, name, programme, source }) => [network, address, name, programme, source])

const EXPECTED = [
  ['EVM', '0x098B716B8Aaf21512996dC57EB0615e2383E2f96', 'LAZARUS & GROUP', 'DPRK3, CYBER2', 27307],
  ['XBT', '12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h', 'LAZARUS & GROUP', 'DPRK3, CYBER2', 27307],
  ['TRX', 'TFdTr9C3BqQrzKBXqSxJfAZFTh8UwBAfSg', 'MANY CHAINS', 'CYBER2', 40001],
  ['EVM', '0x19F8f2B0915Daa12a3f5C9CF01dF9E24D53794F7', 'MANY CHAINS', 'CYBER2', 40001],
  ['EVM', '0x19F8f2B0915Daa12a3f5C9CF01dF9E24D53794F7', 'MANY CHAINS', 'CYBER2', 40001],
  ['BSC', '0x19F8f2B0915Daa12a3f5C9CF01dF9E24D53794F7', 'MANY CHAINS', 'CYBER2', 40001],
  ['SOL', 'FLAevxSe8iU4vTqLvWE8Q5YTV5V8bXhnzzRnTfDBsmFr', 'MANY CHAINS', 'CYBER2', 40001],
].map((row) => [...row.slice(0, 4), `https://sanctionssearch.ofac.treas.gov/Details.aspx?id=${row[4]}`])

test('both formats of the list give the same addresses, with party, programmes and link', async () => {
  const plain = sdnReader()
  expect(shown(await read(sdnXml(PARTIES, '2026-08-22'), plain))).toEqual(EXPECTED)
  expect(plain.published()).toBe('2026-08-22')
  const advanced = sdnAdvancedReader()
  const rows = await read(sdnAdvancedXml(PARTIES, '2026-08-22'), advanced)
  expect(shown(rows)).toEqual(EXPECTED)
  expect(advanced.published()).toBe('2026-08-22')
  expect([rows[0]?.listed, rows[2]?.listed]).toEqual(['2019-09-13', '2025-03-04'])
})

test('refuses a truncated list, wherever it is cut', async () => {
  for (const [text, reader] of [
    [sdnXml(PARTIES), sdnReader],
    [sdnAdvancedXml(PARTIES), sdnAdvancedReader],
  ] as const) {
    const whole = text.trimEnd()
    for (let end = 1; end < whole.length; end += 97) {
      await expect(read(whole.slice(0, end), reader()), `cut at ${end}`).rejects.toThrow(RangeError)
    }
    expect((await read(whole, reader())).length).toBe(7)
  }
})

test('refuses XML entities that expand or read files, declared or not', async () => {
  const bomb = `<?xml version="1.0"?><!DOCTYPE sdnList [<!ENTITY a "aaaaaaaaaa">${Array.from(
    { length: 9 },
    (_, n) => `<!ENTITY ${'bcdefghij'[n]} "${`&${'abcdefghi'[n]};`.repeat(10)}">`,
  ).join('')}]><sdnList><sdnEntry><lastName>&j;</lastName></sdnEntry></sdnList>`
  await expect(read(bomb, sdnReader())).rejects.toThrow('document type')
  const file = '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><sdnList>&f;</sdnList>'
  await expect(read(file, sdnReader())).rejects.toThrow('document type')
  await expect(read('<sdnList><a>&f;</a></sdnList>', sdnReader())).rejects.toThrow(RangeError)
})

test('refuses other documents, deep nesting, long texts and invalid UTF-8, naming the line', async () => {
  await expect(read(sdnXml(PARTIES), sdnAdvancedReader())).rejects.toThrow('line 2: the root element is sdnList')
  await expect(read('<html><body>Down for maintenance</body></html>', sdnReader())).rejects.toThrow(
    'root element is html',
  )
  await expect(read(`<sdnList>${'<a>'.repeat(100)}`, sdnReader())).rejects.toThrow('deep')
  await expect(read(`<sdnList><a>${'a'.repeat(200_000)}</a></sdnList>`, sdnReader())).rejects.toThrow('longer than')
  await expect(read('no XML at all', sdnReader())).rejects.toThrow(RangeError)
  const cut = async function* () {
    yield Buffer.concat([Buffer.from('<sdnList><a>'), Buffer.from([0xff, 0xfe]), Buffer.from('</a></sdnList>')])
  }
  const rows = readXml(cut(), sdnReader())
  await expect(rows.next()).rejects.toThrow('not UTF-8')
})

test('ignores addresses inside other elements, comments and remarks', async () => {
  const text = `<sdnList><publshInformation><Publish_Date>01/02/2026</Publish_Date></publshInformation><sdnEntry><uid>1</uid>
    <!-- <idList><id><idType>Digital Currency Address - ETH</idType><idNumber>0x1</idNumber></id></idList> -->
    <remarks>Digital Currency Address - ETH 0x098B716B8Aaf21512996dC57EB0615e2383E2f96</remarks>
    <akaList><aka><idList><id><idType>Digital Currency Address - ETH</idType><idNumber>0x2</idNumber></id></idList></aka></akaList>
    </sdnEntry></sdnList>`
  expect(await read(text, sdnReader())).toEqual([])
})
