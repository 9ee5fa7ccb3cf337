/**
 * Generates `known-code.json` from the build artifacts of npm packages:
 * `node --import tsx scorer/contracts/code/sources/generate.ts [FOLDER ...]`. Each folder has a `node_modules` with listed
 * packages that are not installed here. Entries of packages that are not found stay unchanged.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { bytesOf, instructionAt, withoutMetadata } from '../bytecode.ts'
import { KNOWN_CODE, type KnownCode, maskedHash, readKnownCode } from './known.ts'

/** Packages, and the folder of their artifacts. */
const PACKAGES = [
  ['@uniswap/v2-core', 'build'],
  ['@uniswap/v2-periphery', 'build'],
  ['@uniswap/v3-core', 'artifacts/contracts'],
  ['@uniswap/v3-periphery', 'artifacts/contracts'],
  ['@openzeppelin/contracts', 'build/contracts'],
  ['canonical-weth', 'build/contracts'],
] as const
/** Smaller code is a library of internal functions. */
const MIN_BYTES = 200

const code = z.union([z.string(), z.object({ object: z.string() }).transform(({ object }) => object)])
const artifact = z.union([
  z.object({ deployedBytecode: code }).transform((value) => value.deployedBytecode),
  z.object({ evm: z.object({ deployedBytecode: code }) }).transform((value) => value.evm.deployedBytecode),
])
const manifest = z.object({ version: z.string() })

/** Offsets that solc reserves for immutables: PUSH32 of zero. */
const immutablesOf = (body: Uint8Array): number[] => {
  const found: number[] = []
  for (let pc = 0; pc < body.length; ) {
    const { op, next, push } = instructionAt(body, pc)
    if (op === 0x7f && push === 0n) found.push(pc + 1)
    pc = next
  }
  return found
}

const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json') && !file.endsWith('.dbg.json'))
    .map((file) => join(folder, file))
    .sort()

/** Entries of one package; `root` is its folder. */
const entriesOf = (name: string, folder: string, root: string): KnownCode[] => {
  const { version } = manifest.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  return filesUnder(join(root, folder)).flatMap((file) => {
    const parsed = artifact.safeParse(JSON.parse(readFileSync(file, 'utf8')))
    const body = withoutMetadata(bytesOf(parsed.success && /^(0x)?[0-9a-f]*$/.test(parsed.data) ? parsed.data : ''))
    if (body.length < MIN_BYTES) return []
    const immutables = immutablesOf(body)
    const source = `${name}@${version} ${relative(root, file)}`
    return [
      { hash: maskedHash(body, immutables), size: body.length, immutables, contract: basename(file, '.json'), source },
    ]
  })
}

/** Entries of all listed packages that are installed in the folders. */
export const generateKnownCode = (folders: readonly string[]): KnownCode[] =>
  folders.flatMap((base) =>
    PACKAGES.flatMap(([name, folder]) => {
      const root = join(base, 'node_modules', name)
      return existsSync(join(root, folder)) ? entriesOf(name, folder, root) : []
    }),
  )

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = generateKnownCode([process.cwd(), ...process.argv.slice(2)])
  const packageOf = ({ source }: KnownCode) => source.split(' ')[0]
  const made = new Set(found.map(packageOf))
  const kept = existsSync(KNOWN_CODE) ? readKnownCode().filter((entry) => !made.has(packageOf(entry))) : []
  const byHash = new Map([...kept, ...found].reverse().map((entry) => [entry.hash, entry]))
  const sorted = [...byHash.values()].sort((a, b) => (a.source < b.source ? -1 : 1))
  writeFileSync(KNOWN_CODE, `[\n${sorted.map((entry) => `  ${JSON.stringify(entry)}`).join(',\n')}\n]\n`)
}
