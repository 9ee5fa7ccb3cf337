/** Contracts of tests: a Solidity file and what it imports, compiled as one text. */
import { readFileSync } from 'node:fs'
import { type Compiled, compileSource } from './compile.ts'

const IMPORT = /^import\s[^"]*"([^"]+)";\n/gm

/** A Solidity file with what it imports put in the place of the imports, each file once. */
const sourceOf = (file: URL, seen = new Set<string>()): string => {
  if (seen.has(file.href)) return ''
  seen.add(file.href)
  return readFileSync(file, 'utf8').replace(IMPORT, (_, path: string) => sourceOf(new URL(path, file), seen))
}

/** Deployable contracts of a Solidity file, and of those it imports, by name. @throws Error with the compiler's words when none compiles. */
export const compiledFile = (file: URL): ReadonlyMap<string, Compiled> => {
  const { contracts, problem } = compileSource(sourceOf(file))
  if (contracts.length === 0) throw new Error(`${file.pathname}: ${problem}`)
  return new Map(contracts.map((item) => [item.name, item]))
}

/** Creation code of one of them. @throws Error when there is no such contract. */
export const creationOf = (contracts: ReadonlyMap<string, Compiled>, name: string): string => {
  const found = contracts.get(name)
  if (!found) throw new Error(`no contract ${name} was compiled`)
  return found.creation
}
