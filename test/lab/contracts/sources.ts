/** Evaluation on Solidity sources: compile, deploy with a pool on a local chain, analyse as any contract. */
import type { Network } from '../../../schema/networks.ts'
import { type CodeModel, type ContractReport, createContractAnalysis } from '../../../scorer/contracts/analysis.ts'
import { type CodeReader, createCodeReader } from '../../../scorer/contracts/code/reader.ts'
import { createStakeholders } from '../../../scorer/contracts/stakeholders/node.ts'
import { type Lab, startLab } from '../../kit/contracts/markets/exchange-chain.ts'
import { createCompiler } from '../../kit/contracts/solidity/workers.ts'
import { deployAndList, mainContract } from './deployment.ts'

export type SourceRow = { id: string; label: number | undefined; source: string }
export type Verdict = {
  id: string
  label: number | undefined
  analysed: boolean
  /** Reason why it was not analysed, or what was missing. */
  note: string
  report: ContractReport | undefined
  /** Milliseconds of the analysis alone. */
  ms: number
  /** The same code in other possible states. */
  more?: ContractReport[]
  /** A contract that it calls had to be invented. */
  invented?: boolean
}

/** The deployer is known, as from a creations table; nothing else is. */
export const deployedBy = (creator: string, network: Network): ReturnType<typeof createStakeholders> => {
  const stakeholders = createStakeholders({ network })
  return (chain, registry) => ({ ...stakeholders(chain, registry), creatorOf: async () => creator })
}

const analyses = (lab: Lab, codes: CodeReader, codeModel: CodeModel | undefined) => {
  const made = new Map<Network, ReturnType<typeof createContractAnalysis>>()
  return (network: Network) => {
    const known =
      made.get(network) ??
      createContractAnalysis({
        context: { clock: { now: Date.now, sleep: async () => {} } },
        rpc: lab,
        stakeholders: deployedBy(lab.accounts[0] ?? '', network),
        network,
        options: { deadlineMs: 30_000, codes, ...(codeModel ? { codeModel } : {}) },
      })
    made.set(network, known)
    return known
  }
}

/** One lab with both exchanges. */
export const startExchangeLab = async (): Promise<Lab> => {
  const lab = await startLab()
  await lab.installExchange('ETH')
  await lab.installExchange('BNB')
  return lab
}

/** Analyses every row; `onVerdict` receives each as it arrives. */
export const evaluateSources = async (
  rows: SourceRow[],
  onVerdict: (verdict: Verdict) => void,
  parallel = 2,
  codeModel?: CodeModel,
): Promise<void> => {
  const compiler = createCompiler(parallel)
  const codes = createCodeReader()
  const queue = [...rows]
  const worker = async () => {
    const lab = await startExchangeLab()
    const analysisOf = analyses(lab, codes, codeModel)
    try {
      for (let row = queue.shift(); row; row = queue.shift()) {
        const { id, label, source } = row
        const failed = (note: string) => onVerdict({ id, label, analysed: false, note, report: undefined, ms: 0 })
        const compiled = await compiler.compile(source)
        const contract = mainContract(compiled.contracts)
        if (!contract) {
          failed(`does not compile: ${compiled.problem.slice(0, 80)}`)
          continue
        }
        const snapshot = await lab.ask<string>('evm_snapshot')
        try {
          const deployed = await deployAndList(lab, contract)
          if (!deployed) {
            failed(`${contract.name} cannot be deployed`)
            continue
          }
          const started = performance.now()
          const report = await analysisOf(deployed.network)(deployed.address)
          onVerdict({
            id,
            label,
            analysed: report !== undefined,
            note: deployed.note,
            report,
            ms: performance.now() - started,
          })
        } catch (error) {
          failed(error instanceof Error ? error.message.slice(0, 120) : String(error))
        } finally {
          await lab.ask('evm_revert', snapshot)
        }
      }
    } finally {
      await lab.stop()
    }
  }
  await Promise.all(Array.from({ length: parallel }, worker))
  await Promise.all([compiler.close(), codes.close()])
}
