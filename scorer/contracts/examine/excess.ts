/**
 * Balances beyond the total supply. A constructor can write a balance that the supply does not count, so that the supply, and
 * every share of it, hides what insiders hold.
 */
import type { ChainReader } from '../chain/chain.ts'
import type { Step } from '../chain/simulator/script.ts'
import { balanceCall, type Market } from '../market/market.ts'
import { TOTAL_SUPPLY } from '../power/calls/selectors.ts'
import { isBlackhole } from '../subject/blackhole.ts'
import type { Subject } from '../subject/subject.ts'
import { runScript, type SimulationSetup, withActors } from '../trade/simulation-setup.ts'

/** Accounts that the code and the storage name, and pools, whose balances are read. */
const [MAX_NAMED, MAX_POOLS] = [24, 8]
/** Percent of the supply up to which a difference counts as rounding, as in tokens that share fees. */
const ROUNDING = 1n

/**
 * Balances of insiders, accounts that the contract names, and pools, base units, and who holds most apart from pools.
 * `byInsider`: whether that is an insider, and more than the supply. Any other account may be where a token keeps what it burns.
 */
export type Excess = { supply: bigint; held: bigint; largest: string; most: bigint; byInsider: boolean }

/**
 * Balances of insiders, accounts that the contract names, and pools, if they add up to more than the supply. `undefined` if they
 * do not, if the largest holder's tokens cannot be moved, or if moving them adds to the supply: then it states what is in
 * circulation.
 */
export const excessOf = async (input: {
  chain: ChainReader
  subject: Pick<Subject, 'token' | 'supply' | 'isToken' | 'stored' | 'facts'>
  insiders: readonly string[]
  markets: readonly Market[]
  simulation: SimulationSetup
}): Promise<Excess | undefined> => {
  const { chain, subject, simulation } = input
  const { token, supply, isToken, stored, facts } = subject
  if (!isToken || supply === 0n) return undefined
  const pools = [...new Set(input.markets.map(({ pool }) => pool))].slice(0, MAX_POOLS)
  const people = [...new Set([...input.insiders, ...stored.values(), ...facts.addresses])]
    .filter((who) => !isBlackhole(who) && who !== token && !pools.includes(who))
    .slice(0, MAX_NAMED)
  const accounts = [...people, ...pools]
  const balances = (await chain.words(accounts.map((who) => balanceCall(token, who)))).map((held) => held ?? 0n)
  const held = balances.reduce((sum, balance) => sum + balance, 0n)
  if (held * 100n <= supply * (100n + ROUNDING)) return undefined
  const [largest, most] = people
    .map((who, i) => [who, balances[i] ?? 0n] as const)
    .reduce((one, other) => (other[1] > one[1] ? other : one), ['', 0n] as const)
  if (largest === '') return undefined
  const read: Step = { op: 'read', target: token, data: TOTAL_SUPPLY }
  const move: Step = { op: 'move', actor: largest, target: simulation.fresh('excess'), amount: 5_000n }
  const [before, moved, after] = (await runScript(chain, withActors(simulation, [largest]), [read, move, read])) ?? []
  const isFixed = moved?.ok === true && before?.ok === true && after?.ok === true && after.a <= before.a
  return isFixed
    ? { supply, held, largest, most, byInsider: most > supply && input.insiders.includes(largest) }
    : undefined
}
