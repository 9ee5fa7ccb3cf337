/**
 * Compiles Solidity of any age with the compiler of its pragma, including the sources of corpora: several files pasted
 * into one, unresolvable imports, repeated definitions.
 */
import { type AbiItem, isInstalled, MINORS, type Minor, runSolc, type SolcInput } from './solc.ts'

export type Compiled = { name: string; abi: AbiItem[]; creation: string; runtime: string }

/** Available compilers, oldest first. */
export const availableCompilers = (): Minor[] => MINORS.filter(isInstalled)

const PRAGMA = /pragma\s+solidity\s*([^;]*);/g

/** Compiler minors to try, the pragma's own first. */
const minorsFor = (source: string): Minor[] => {
  const wanted = [...source.matchAll(PRAGMA)].flatMap((match) => /0\.(\d)/.exec(match[1] ?? '')?.[1] ?? [])
  if (wanted.length === 0) return ['0.8', '0.6', '0.5', '0.4']
  const highest = Math.min(8, Math.max(4, ...wanted.map(Number)))
  return MINORS.filter((minor) => minor === `0.${highest}`)
}

/** Removes what solc-js cannot resolve or would refuse for its exact version: pragmas, imports. */
const prepare = (source: string): string =>
  source
    .replace(PRAGMA, '')
    .replace(/^\s*import\s[^;]*;/gm, '')
    .replace(/SPDX-License-Identifier/g, 'Licence')
    .replace(/\r\n/g, '\n')

const DEFINITION = /^[ \t]*(?:abstract\s+)?(contract|interface|library)\s+([A-Za-z_$][\w$]*)([^{;]*)\{/gm

/** End of the block that opens at `open`, skipping strings and comments; -1 if it never closes. */
const blockEnd = (text: string, open: number): number => {
  const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[{}]/g
  token.lastIndex = open
  let depth = 0
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (match[0] === '{') depth++
    else if (match[0] === '}' && --depth === 0) return token.lastIndex
  }
  return -1
}

/**
 * Repairs dumps of several files: removes trailing compiler settings and repeated definitions, and puts base contracts
 * before derived ones.
 */
const mend = (source: string): string => {
  const settings = source.search(/^\{\s*\n\s*"[^"]+":/m)
  const text = settings > 0 ? source.slice(0, settings) : source
  const blocks = new Map<string, { bases: string[]; body: string }>()
  let rest = ''
  let from = 0
  DEFINITION.lastIndex = 0
  for (let match = DEFINITION.exec(text); match; match = DEFINITION.exec(text)) {
    const end = blockEnd(text, match.index + match[0].length - 1)
    if (end < 0) return text
    rest += text.slice(from, match.index)
    from = end
    DEFINITION.lastIndex = end
    const bases = [
      ...(match[3] ?? '')
        .replace(/^\s*is/, '')
        .replace(/\([^)]*\)/g, '')
        .matchAll(/[A-Za-z_$][\w$]*/g),
    ].map((base) => base[0])
    const name = match[2] ?? ''
    if (!blocks.has(name)) blocks.set(name, { bases, body: text.slice(match.index, end) })
  }
  const sorted: string[] = []
  const placed = new Set<string>()
  const place = (name: string) => {
    const block = blocks.get(name)
    if (!block || placed.has(name)) return
    placed.add(name)
    for (const base of block.bases) place(base)
    sorted.push(block.body)
  }
  for (const name of blocks.keys()) place(name)
  return `${rest}${text.slice(from)}\n${sorted.join('\n')}`
}

type CompileAttempt = {
  contracts: Compiled[]
  problem: string
  problems: { message: string; line: number; column: number }[]
}

const OUTPUTS = ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object']

/** Compiler input for one of several sources. */
export const inputOf = (path: string, sources: SolcInput['sources']): SolcInput => ({
  sources,
  settings: { optimizer: { enabled: true, runs: 200 }, outputSelection: { [path]: { '*': OUTPUTS } } },
})

/** Contracts of one of several sources that import each other; of the others only what these need is compiled. */
export const compileOne = (minor: Minor, path: string, sources: SolcInput['sources']) => {
  const parsed = runSolc(inputOf(path, sources), minor)
  const contracts = Object.entries(parsed.contracts[path] ?? {}).map(([name, item]) => ({
    name,
    abi: item.abi,
    creation: `0x${item.evm.bytecode.object}`,
    runtime: `0x${item.evm.deployedBytecode.object}`,
  }))
  return {
    contracts: contracts.filter((item) => item.creation.length > 2 && !item.creation.includes('_')),
    failures: parsed.errors.filter((error) => error.severity === 'error'),
  }
}

const compileWith = (minor: Minor, content: string): CompileAttempt => {
  const { contracts, failures } = compileOne(minor, 'a.sol', { 'a.sol': { content } })
  const problem = failures[0]?.message ?? ''
  const problems = failures.map((error) => {
    const place = /a\.sol:(\d+):(\d+)/.exec(error.formattedMessage)
    return { message: error.message, line: Number(place?.[1] ?? 1), column: Number(place?.[2] ?? 1) }
  })
  return { contracts, problem, problems }
}

/** Every deployable contract of a source; empty with the compiler's message if none compiles. */
export const compileSource = (source: string): { contracts: Compiled[]; problem: string } => {
  let problem = 'no compiler of the wanted version is installed'
  const content = prepare(source)
  for (const minor of minorsFor(source)) {
    if (!isInstalled(minor)) continue
    for (const text of [content, mend(content)]) {
      const result = compileWith(minor, text)
      if (result.contracts.length > 0) return result
      problem = result.problem || problem
    }
  }
  return { contracts: [], problem }
}

/** Whether the contract looks like a fungible token. */
export const isToken = (item: Compiled): boolean =>
  ['transfer', 'balanceOf', 'totalSupply', 'approve'].every((name) => item.abi.some((entry) => entry.name === name))

/** Compiles the text once with its own compiler; lines and columns of problems refer to `text`. */
export const compileText = (source: string): CompileAttempt & { text: string } => {
  const text = prepare(source)
  const minor = minorsFor(source).find(isInstalled)
  // The pragma was removed from the text: add the compiler again for the next round.
  const pragma = [...source.matchAll(PRAGMA)][0]?.[0] ?? ''
  if (!minor) return { contracts: [], problem: 'no compiler', problems: [], text }
  return { ...compileWith(minor, text), text: `${text}\n// ${pragma}` }
}
