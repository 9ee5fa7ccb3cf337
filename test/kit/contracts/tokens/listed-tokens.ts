/** A local chain with an exchange, tokens of a Solidity file listed on it, and a contract analysis. */
import { encodeAbiParameters } from 'viem'
import { stopOnError } from '../../../../deploy/demo/node/anvil.ts'
import { systemClock } from '../../../../platform/context/clock.ts'
import {
  type ContractAnalysis,
  type ContractAnalysisOptions,
  createContractAnalysis,
} from '../../../../scorer/contracts/analysis.ts'
import type { Requester } from '../../../../scorer/contracts/chain/call.ts'
import { createStakeholders } from '../../../../scorer/contracts/stakeholders/node.ts'
import { SHARED_THREADS } from '../analysis-threads.ts'
import { type Lab, startLab } from '../markets/exchange-chain.ts'
import type { Compiled } from '../solidity/compile.ts'
import { compiledFile } from '../solidity/files.ts'

export const COIN = 10n ** 18n
export const pad = (address: string): string => address.slice(2).toLowerCase().padStart(64, '0')
export const word = (value: bigint): string => value.toString(16).padStart(64, '0')

export type Listed = { token: string; pair: string }
export type ListedTokens = {
  lab: Lab
  /** Account that deploys and lists. */
  maker: string
  /** Another account, without a role of its own. */
  friend: string
  contract: (name: string) => Compiled
  /** Deploys a contract of the file; addresses are constructor arguments. */
  deploy: (name: string, ...addresses: string[]) => Promise<string>
  /** Adds half a million tokens and 20 coins; with `named`, sets the pool in the token (`setPool`). */
  pool: (token: string, named?: boolean) => Promise<Listed>
  list: (name: string, ...addresses: string[]) => Promise<Listed>
  analyse: ContractAnalysis
  /** Lists a token and analyses it. If its constructor has an argument, it is the friend. */
  analyseNamed: (name: string) => ReturnType<ContractAnalysis>
  /** The analysis with another connection to the node, or with other options. */
  analysisOn: (rpc: Requester, options?: Partial<ContractAnalysisOptions>) => ContractAnalysis
  stop: () => Promise<void>
}

/** Starts the chain. `file`: Solidity with the tokens. */
export const startListedTokens = async (file: URL): Promise<ListedTokens> => {
  const contracts = compiledFile(file)
  const lab = await startLab()
  await stopOnError(lab, () => lab.installExchange('ETH'))
  const [maker = '', , , friend = ''] = lab.accounts.map((account) => account.toLowerCase())
  const contract = (name: string) => {
    const found = contracts.get(name)
    if (!found) throw new Error(`${file.pathname} has no contract ${name}`)
    return found
  }
  const analysisOn: ListedTokens['analysisOn'] = (rpc, options = {}) =>
    createContractAnalysis({
      context: { clock: systemClock },
      rpc,
      network: 'ETH',
      stakeholders: createStakeholders({ network: 'ETH' }),
      options: { ...SHARED_THREADS, ...options },
    })
  const deploy: ListedTokens['deploy'] = (name, ...addresses) => {
    const types = addresses.map(() => ({ type: 'address' }))
    return lab.deploy(maker, `${contract(name).creation}${encodeAbiParameters(types, addresses).slice(2)}`)
  }
  const pool: ListedTokens['pool'] = async (token, named = false) => {
    const pair = await lab.addLiquidity('ETH', maker, token, 500_000n * COIN, 20n * COIN)
    if (named) await lab.send({ from: maker, to: token, data: `0x4437152a${pad(pair)}` })
    return { token, pair }
  }
  const list: ListedTokens['list'] = async (name, ...addresses) =>
    pool(
      await deploy(name, ...addresses),
      contract(name).abi.some((item) => item.name === 'setPool'),
    )
  const analyse = analysisOn(lab)
  return {
    ...{ lab, maker, friend, contract, deploy, pool, list, analyse },
    analyseNamed: async (name) => {
      const inputs = contract(name).abi.find((item) => item.type === 'constructor')?.inputs ?? []
      return analyse((await list(name, ...inputs.map(() => friend))).token)
    },
    analysisOn,
    stop: lab.stop,
  }
}
