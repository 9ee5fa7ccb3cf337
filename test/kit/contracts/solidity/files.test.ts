import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { THOROUGH } from '../../thorough.ts'
import { compileOwn, digestNow, KEPT, keptName, keptOf, solidityFiles } from './files.ts'

const FILES = solidityFiles().map((file) => [keptName(file), file] as const)

test('every Solidity file of the tests was compiled as it is now, and nothing is kept of others', () => {
  const now = FILES.map(([name, file]) => [name, digestNow(file)])
  const kept = FILES.map(([name, file]) => [name, keptOf(file)?.digest])
  expect(kept, 'run test/kit/contracts/solidity/artifacts.main.ts').toEqual(now)
  expect(readdirSync(KEPT).sort()).toEqual(FILES.map(([name]) => name).sort())
})

/** All of them take a minute and a half to compile, one takes a second. By day the digest shows a change of sources, settings or compiler. */
const COMPILED = FILES.filter(([name]) => THOROUGH || name === 'theft.sol.json.br')

test.each(COMPILED)(
  '%s is what its sources compile to',
  (_, file) => {
    expect(keptOf(file)?.contracts).toEqual(compileOwn(file))
  },
  120_000,
)
