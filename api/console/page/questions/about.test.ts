/** Questions of the console are those of the cookbook, and stay statements whatever is put into them. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { about, commandOf, FORMATS } from './about.js'
import { QUESTIONS } from './list.js'

test('the questions are those of the cookbook, verbatim', () => {
  const page = readFileSync(new URL('../../../../docs/use/cookbook.md', import.meta.url), 'utf8')
  const titles = [...page.matchAll(/^### \d+\. (.+)$/gm)].map(([, title]) => title)
  const statements = [...page.matchAll(/^```sql\n(.*?)\n```$/gms)].map(([, statement]) => statement)
  expect(titles).toHaveLength(23)
  expect(QUESTIONS.map(({ title, statement }) => [title, statement])).toEqual(
    titles.map((title, nth) => [title, statements[nth]]),
  )
})

const [movements] = QUESTIONS
const statement = movements?.statement ?? ''
const ADDRESS = `0x${'ab'.repeat(20)}`

test('inserts network and address, and keeps the examples of questions about several addresses', () => {
  const mine = about(statement, { network: 'BNB', address: ADDRESS })
  expect(mine).toContain(`network = 'BNB' AND address = '${ADDRESS}'`)
  expect(mine).not.toContain('a11ce')
  const shared = QUESTIONS.find(({ title }) => title === 'Counterparties that two wallets share')?.statement ?? ''
  expect(about(shared, { network: 'BNB', address: ADDRESS })).toBe(shared.replaceAll("'ETH'", "'BNB'"))
})

test('no input can end the string it is inserted into, or the command', () => {
  for (const address of ["0x' OR 1 = 1 --", '\nSQL\nrm -rf /', '$(id)', '`id`', '', 'a'.repeat(129)])
    expect(about(statement, { network: 'ETH', address })).toBe(statement)
  expect(about(statement, { network: "ETH' OR '1", address: '' })).toBe(statement)
  for (const { statement: one } of QUESTIONS) expect(one.split('\n')).not.toContain('SQL')
})

test('a command names the format, and the output file if there is one', () => {
  expect(FORMATS.map((format) => commandOf('SELECT 1', format, 7).split('\n')[0])).toEqual([
    "assay sql --format table <<'SQL'",
    ...['csv', 'ndjson', 'json', 'parquet'].map(
      (format) => `assay sql --format ${format} --output question-7.${format} <<'SQL'`,
    ),
  ])
})
