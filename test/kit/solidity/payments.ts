/** Compiles the stand-ins; the committed `contracts.json` is its output, which a test holds equal to a fresh compile. */
import { readFileSync } from 'node:fs'

type SolcOutput = {
  contracts?: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>
  errors?: { severity: string; formattedMessage: string }[]
}

/** Runtime code by contract name, 0x-hex. @throws when solc reports an error. */
export const compileStandIns = async (): Promise<Record<string, string>> => {
  const { default: solc } = await import('solc')
  const input = {
    language: 'Solidity',
    sources: {
      'UsdStandIn.sol': {
        content: readFileSync(new URL('../../../deploy/demo/payments/UsdStandIn.sol', import.meta.url), 'utf8'),
      },
    },
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'shanghai',
      outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } },
      metadata: { bytecodeHash: 'none', appendCBOR: false },
    },
  }
  const output: SolcOutput = JSON.parse(solc.compile(JSON.stringify(input)))
  const problems = output.errors?.filter((error) => error.severity === 'error') ?? []
  if (problems.length > 0) throw new Error(problems.map((problem) => problem.formattedMessage).join('\n'))
  return Object.fromEntries(
    Object.entries(output.contracts?.['UsdStandIn.sol'] ?? {}).map(([name, { evm }]) => [
      name,
      `0x${evm.deployedBytecode.object}`,
    ]),
  )
}
