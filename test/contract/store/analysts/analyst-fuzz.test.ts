/** Statements that nobody wrote down: nested, respelt and shuffled. None of them may read or write what is closed. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isAssayError } from '../../../../platform/errors.ts'
import { type Analyst, openAnalyst } from '../../../../platform/store/analyst/analyst.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { THOROUGH } from '../../../kit/thorough.ts'
import '../../../kit/property-seed.ts'
import { PLACES, SECRET, SECRET_KEY } from './attacks.ts'

const CASES = THOROUGH ? 20_000 : 400
const folder = mkdtempSync(join(tmpdir(), 'assay-analyst-fuzz-'))
const secretFile = join(folder, 'secret.csv')
const outFile = join(folder, 'out.csv')

let kit: TestStore
let analyst: Analyst
beforeAll(async () => {
  kit = await openTestStore()
  writeFileSync(secretFile, `${SECRET}\n`)
  await kit.store.insert('api_keys', SECRET_KEY)
  analyst = await openAnalyst(kit.path, { seconds: 2, memory: 200_000_000 })
})
afterAll(async () => {
  await analyst.close()
  await kit.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What a statement came to: its answer, or the code of its refusal. */
const outcome = async (statement: string): Promise<{ answer?: string; code?: string }> => {
  try {
    return { answer: (await analyst.ask(statement, 'ndjson')).toString() }
  } catch (error) {
    expect(String(error)).not.toContain(SECRET)
    if (!isAssayError(error)) throw error
    return { code: error.code }
  }
}

const untouched = async () => {
  expect(existsSync(outFile)).toBe(false)
  expect(readFileSync(secretFile, 'utf8')).toBe(`${SECRET}\n`)
  expect(await kit.store.query('SELECT count() AS n FROM api_keys')).toEqual([{ n: '1' }])
}

const CLOSED = [
  `file('${secretFile}')`,
  '(SELECT max(id) FROM api_keys)',
  `(SELECT max(line) FROM file('${secretFile}', LineAsString))`,
  "(SELECT max(id) FROM merge('default', '^api_keys$'))",
  '(SELECT max(id) FROM view(SELECT * FROM api_keys))',
  '(SELECT max(id) FROM loop(api_keys) LIMIT 1)',
  "(SELECT max(a) FROM executable('id', 'TSV', 'a String'))",
  '(SELECT max(name) FROM system.users)',
]
/** What the lexer takes for a space. */
const SPACES = [
  ' ',
  '\n',
  '\t',
  '\r\n',
  '\u00a0',
  ' /* ) */ ',
  " /* ' */ ",
  ' -- \n',
  " -- '\n",
  ' # ( \n',
  ' #! x\n',
  '/**/ ',
]
const SPELLINGS: Record<string, readonly string[]> = {
  'file(': ['file(', 'FILE(', '`file`(', '"file"(', 'file (', 'file/**/('],
  api_keys: ['api_keys', '`api_keys`', '"api_keys"', 'default.api_keys', '`default`.`api_keys`', 'default . api_keys'],
}

const expressions = PLACES.filter((place) => /^(SELECT|WITH|FROM|\()/.test(place))
const respelt = (text: string, choices: readonly number[]): string => {
  let at = 0
  const choose = <T>(from: readonly T[]): T => from[(choices[at++ % choices.length] ?? 0) % from.length] as T
  const spelt = Object.entries(SPELLINGS).reduce((all, [word, ways]) => all.replaceAll(word, () => choose(ways)), text)
  // Not inside quotes, where a space is a space.
  return spelt
    .split(/('[^']*')/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(' ', () => choose(SPACES))))
    .join('')
}

test('refuses what is not allowed in any nesting and spelling', async () => {
  const nested = fc.record({
    closed: fc.constantFrom(...CLOSED),
    inner: fc.array(fc.constantFrom(...expressions), { maxLength: 3 }),
    outer: fc.constantFrom(...PLACES.filter((place) => !/^EXPLAIN (AST|SYNTAX)/.test(place))),
    choices: fc.array(fc.nat(59), { minLength: 24, maxLength: 24 }),
  })
  await fc.assert(
    fc.asyncProperty(nested, async ({ closed, inner, outer, choices }) => {
      const body = inner.reduce((within, place) => `(${place.replaceAll('§', () => within)})`, closed)
      const { answer, code } = await outcome(
        respelt(
          outer.replaceAll('§', () => body),
          choices,
        ),
      )
      expect({ answer, code }).toEqual({ answer: undefined, code: expect.stringMatching(/^ASSAY_SQL_/) })
    }),
    { numRuns: CASES },
  )
  await untouched()
}, 600_000)

const TOKENS =
  `SELECT|*|FROM|WHERE|(|)|,|'|"|.|1|x|AS|IN|NOT IN|GLOBAL IN|WITH|RECURSIVE|UNION ALL|EXCEPT|INTERSECT|JOIN|ARRAY JOIN|USING|ON
ORDER BY|LIMIT|GROUP BY|WINDOW w AS|OVER|APPLY|REPLACE|COLUMNS|EXPLAIN|EXPLAIN AST|EXPLAIN SYNTAX|EXPLAIN QUERY TREE|EXPLAIN PIPELINE
DESCRIBE|DESC|TABLE|SHOW|TABLES|COLUMNS FROM|CREATE|INSERT INTO|VALUES|SETTINGS readonly = 0|SETTINGS|FORMAT|FORMAT CSV|PARALLEL WITH
SET|ROLE|KILL QUERY|EXECUTE AS|TOP|FINAL|SAMPLE|PREWHERE|QUALIFY|INTERPOLATE|->|::|{|}|{x:Identifier}|$$|$a$|--|/*|*/|#|\n|\\|\u00a0|\u2028|\ufeff
api_keys|default.api_keys|networks|system.users|system.tables|system|numbers(3)|values(1)|view|merge('default', 'api.*')|loop(api_keys)|url|remote
file|id|network|count()|max(id)|toString|lambda|exists|executable|dictionary|input|format|generateRandom|AND STDOUT|TRUNCATE`
    .split(/[|\n]/)
    .concat(
      '\n',
      `'${secretFile}'`,
      `file('${secretFile}')`,
      `INTO OUTFILE '${outFile}'`,
      `file('${secretFile}', LineAsString)`,
    )

test('no shuffle of words reads or writes closed data, and each returns a result or a code', async () => {
  const soup = fc.array(fc.constantFrom(...TOKENS), { minLength: 1, maxLength: 14 })
  let answered = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('SELECT', 'WITH', 'DESCRIBE', 'EXPLAIN', 'SHOW', ''),
      soup,
      async (first, words) => {
        const { answer } = await outcome(`${first} ${words.join(' ')}`)
        if (answer === undefined) return
        answered += 1
        expect(answer).not.toContain(SECRET)
      },
    ),
    { numRuns: 5 * CASES },
  )
  expect(answered).toBeGreaterThan(0)
  await untouched()
}, 600_000)
