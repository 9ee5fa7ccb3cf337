/**
 * Dependencies of transfers that cannot be exercised: contracts that do not exist yet, that can be redeployed with other
 * code, or that exceed the limit, and native balances that anyone can change. Whoever controls them may control transfers.
 * This only makes flags `unknown`; it never raises one.
 */
import type { Override } from '../../chain/call.ts'
import type { Observation, Step } from '../../chain/simulator/script.ts'
import { merge, runScript, type SimulationSetup } from '../../trade/simulation-setup.ts'
import { observeStep } from '../calls/steps.ts'
import type { PowerInput, UnresolvedDependency } from '../power.ts'
import { RETURNS_ONE, RETURNS_ZERO, REVERTS } from '../probe-contracts.ts'
import { effectsOf } from './effects.ts'

const WHY: Record<UnresolvedDependency['kind'], string> = {
  absent: 'a transfer asks an address where no contract is yet',
  destructible: 'a transfer asks a contract that can be destroyed and made anew with other code',
  untried: 'a transfer asks more contracts than are tried',
  balance: 'a transfer depends on the coins that an account has',
  ownBalance: 'a transfer depends on the coins that the token has',
}

const UNTRIED = 'what a transfer depends on could not be tried'

/** PUSH1 0, NOT, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN. */
const RETURNS_MAX = '0x60001960005260206000f3'
const ANSWERS: readonly Override[] = [REVERTS, RETURNS_ZERO, RETURNS_ONE, RETURNS_MAX].map((code) => ({ code }))
const COIN = '0xde0b6b3a7640000'
const MILLION_COINS = '0xd3c21bcecceda1000000'
/** State overrides that replace a dependency. */
const TRIES: Record<UnresolvedDependency['kind'], readonly Override[]> = {
  absent: [{ code: REVERTS }],
  destructible: ANSWERS,
  untried: ANSWERS,
  balance: ['0x0', COIN].map((balance) => ({ balance })),
  ownBalance: ['0x0', COIN, MILLION_COINS].map((balance) => ({ balance })),
}

/** Why transfers may be controlled through an unresolved dependency; `undefined` if no override of one stops them. */
export const controlByUnresolved = async (
  { chain, unresolved = [], moment, insiders }: Pick<PowerInput, 'chain' | 'unresolved' | 'moment' | 'insiders'>,
  simulation: SimulationSetup,
  scene: readonly Step[],
  baseline: Observation,
): Promise<string | undefined> => {
  const { victim, token } = simulation.setup
  /** Whether the override stops the victim; `undefined` if it could not run. */
  const stops = async (
    dependencies: readonly UnresolvedDependency[],
    override: Override,
  ): Promise<boolean | undefined> => {
    const replaced = Object.fromEntries(dependencies.map(({ address }) => [address, override]))
    const changed = { ...simulation, overrides: merge(simulation.overrides, replaced) }
    const seen = (await runScript(chain, changed, [...scene, observeStep(victim, token)], moment))?.at(-1)?.probe
    if (!seen) return undefined
    const between = (before: Observation, after: Observation) =>
      effectsOf(before, after, { actor: victim }, { victim, main: insiders[0] ?? '' })
    // The coins that the scene gives the token may themselves stop trade, so that an override restores it.
    const own = dependencies.some(({ kind }) => kind === 'ownBalance')
    const effects = [...between(baseline, seen), ...(own ? between(seen, baseline) : [])]
    return effects.some((one) => one === 'freeze_all' || one === 'halt_trading' || one === 'freeze_one')
  }
  const kinds = [...new Set(unresolved.map(({ kind }) => kind))]
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const dependencies = unresolved.filter((one) => one.kind === kind)
      const stopped = await Promise.all(TRIES[kind].map((one) => stops(dependencies, one)))
      if (stopped.includes(true)) return WHY[kind]
      return stopped.includes(undefined) ? UNTRIED : undefined
    }),
  )
  return found.find((why) => why !== undefined)
}
