/** Committed compiled contracts, so that a start needs no compiler. Tests compare each with its sources. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { installedVersion, runSolc, type SolcOutput } from './solc.ts'

const DEMO = new URL('../../../../deploy/demo/', import.meta.url)
const SIMULATOR = new URL('../../../../scorer/contracts/chain/simulator/', import.meta.url)
const OPTIMIZER = { enabled: true, runs: 200 }
const NO_METADATA = { appendCBOR: false, bytecodeHash: 'none' }

const sourcesOf = (folder: URL) =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.sol'))
      .sort()
      .map((name) => [name, { content: readFileSync(new URL(name, folder), 'utf8') }]),
  )

/** @throws Error with the compiler's messages, including warnings */
const compileClean = (folder: URL, settings: Record<string, unknown>, outputs: string[]) => {
  const sources = sourcesOf(folder)
  const compiled = runSolc({ sources, settings: { ...settings, outputSelection: { '*': { '*': outputs } } } })
  if (compiled.errors.length > 0) throw new Error(compiled.errors.map((error) => error.formattedMessage).join('\n'))
  return { ...compiled, sources }
}

const contractsOf = (output: SolcOutput) => Object.values(output.contracts).flatMap((file) => Object.entries(file))

/** The same with sorted keys: compilers order them differently. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [key, sorted(inner)])
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** ABI and creation code by name; `sources` is the SHA-256 of the Solidity files, by name. */
const compileDemo = () => {
  const settings = { evmVersion: 'cancun', optimizer: OPTIMIZER }
  const output = compileClean(new URL('contracts/solidity/', DEMO), settings, ['abi', 'evm.bytecode.object'])
  const hash = createHash('sha256')
  for (const [name, { content }] of Object.entries(output.sources)) hash.update(`${name}\n${content}\n`)
  const deployable = contractsOf(output).filter(([, { evm }]) => evm.bytecode.object !== '')
  return {
    compiler: output.compiler,
    sources: hash.digest('hex'),
    contracts: Object.fromEntries(
      deployable.map(([name, { abi, evm }]) => [name, { abi: sorted(abi), bytecode: `0x${evm.bytecode.object}` }]),
    ),
  }
}

/** Runtime code by name. */
const compilePayments = () => {
  const settings = { evmVersion: 'shanghai', optimizer: OPTIMIZER, metadata: NO_METADATA }
  const output = compileClean(new URL('payments/', DEMO), settings, ['evm.deployedBytecode.object'])
  return Object.fromEntries(
    contractsOf(output)
      .filter(([, { evm }]) => evm.deployedBytecode.object !== '')
      .map(([name, { evm }]) => [name, `0x${evm.deployedBytecode.object}`]),
  )
}

const SIMULATOR_SETTINGS = { evmVersion: 'paris', viaIR: true, optimizer: OPTIMIZER, metadata: NO_METADATA }

/** Runtime code of the simulator, its variant with more venues and the willing token, creation code of the reader, and a digest of all. */
const compileSimulator = () => {
  const outputs = ['evm.bytecode.object', 'evm.deployedBytecode.object']
  const output = compileClean(new URL('solidity/', SIMULATOR), SIMULATOR_SETTINGS, outputs)
  const contracts = Object.fromEntries(contractsOf(output))
  const codes = {
    compiler: output.compiler,
    runtime: `0x${contracts.Simulator?.evm.deployedBytecode.object}`,
    venues: `0x${contracts.Venues?.evm.deployedBytecode.object}`,
    willing: `0x${contracts.Willing?.evm.deployedBytecode.object}`,
    reader: `0x${contracts.Reader?.evm.bytecode.object}`,
  }
  return { ...codes, digest: digestOfSimulator(codes) }
}

/** SHA-256 of the simulator's sources, compiler settings and codes: shows if one of them changed without the other. */
export const digestOfSimulator = (codes: Record<string, string>): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        installedVersion('0.8'),
        SIMULATOR_SETTINGS,
        sourcesOf(new URL('solidity/', SIMULATOR)),
        Object.entries(codes),
      ]),
    )
    .digest('hex')

/** Every committed artifact: its file, and the compiled content. */
export const ARTIFACTS = {
  demo: { file: new URL('contracts/contracts.json', DEMO), compile: compileDemo },
  payments: { file: new URL('payments/contracts.json', DEMO), compile: compilePayments },
  simulator: { file: new URL('artifact.json', SIMULATOR), compile: compileSimulator },
}
