/**
 * Gauges: contracts of an exchange that pay rewards for staked liquidity. The liquidity still belongs to its
 * depositors, who can withdraw it at any time. Only gauges named by a registered voter count. Interfaces: Gauge of
 * Aerodrome and THENA, CLGauge of Slipstream.
 */
import { encodeFunctionData, parseAbi } from 'viem/utils'
import type { ChainReader } from '../chain/chain.ts'
import { ZERO } from '../chain/simulator/script.ts'
import { addressOf } from '../code/abstract/facts.ts'
import type { ContractRegistry } from '../subject/registry.ts'

const voter = parseAbi(['function gauges(address pool) view returns (address)'])
const gauge = parseAbi(['function stakedContains(address depositor, uint256 id) view returns (bool)'])
const hex = (address: string) => address as `0x${string}`

/** Gauges of a pool. */
export const gaugesOf = async (chain: ChainReader, registry: ContractRegistry, pool: string): Promise<string[]> => {
  const data = encodeFunctionData({ abi: voter, args: [hex(pool)] })
  const answers = await chain.words(registry.voters.map((to) => ({ to, data })))
  return answers.map((answer) => addressOf(answer ?? 0n)).filter((address) => address !== ZERO)
}

/** The account that staked a position; `undefined` when it is none of these. */
export const stakerOf = async (
  chain: ChainReader,
  staked: string,
  id: bigint,
  accounts: readonly string[],
): Promise<string | undefined> => {
  const answers = await chain.words(
    accounts.map((who) => ({ to: staked, data: encodeFunctionData({ abi: gauge, args: [hex(who), id] }) })),
  )
  return accounts[answers.indexOf(1n)]
}
