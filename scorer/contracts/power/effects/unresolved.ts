/**
 * Contracts that nobody has met: not there yet, to be made anew with other code, or more than are tried. Whoever makes or rules them may rule
 * transfers that ask them, and whoever sends coins those that look at an account's. What might come of it leaves flags unknown and accuses
 * nobody.
 */
import type { Override } from '../../chain/call.ts'
import type { Observation, Step } from '../../chain/simulator/script.ts'
import { merge, runScript, type SimulationSetup } from '../../trade/simulation-setup.ts'
import { observeStep } from '../calls/steps.ts'
import type { PowerInput, UnresolvedDependency } from '../power.ts'
import { effectsOf } from './effects.ts'

const WHY: Record<UnresolvedDependency['kind'], string> = {
  absent: 'a transfer asks an address where no contract is yet',
  destructible: 'a transfer asks a contract that can be destroyed and made anew with other code',
  untried: 'a transfer asks more contracts than are tried',
  balance: 'a transfer depends on the coins that an account has',
  ownBalance: 'a transfer depends on the coins that the token has',
}

const UNTRIED = 'what a transfer depends on could not be tried'

/** PUSH1 0, NOT, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN: the largest number there is. */
const ANSWERS_MOST = '0x60001960005260206000f3'
/** PUSH1 0, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN. */
const ANSWERS_ZERO = '0x600060005260206000f3'
/** PUSH1 1, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN. */
const ANSWERS_ONE = '0x600160005260206000f3'

const answering = (failing: string): Override[] =>
  [failing, ANSWERS_ZERO, ANSWERS_ONE, ANSWERS_MOST].map((code) => ({ code }))
/** What is put in its place. */
const TRIES: Record<UnresolvedDependency['kind'], (failing: string) => Override[]> = {
  absent: (code) => [{ code }],
  destructible: answering,
  untried: answering,
  // None, and a coin.
  balance: () => [{ balance: '0x0' }, { balance: '0xde0b6b3a7640000' }],
  // None, a coin, and a million.
  ownBalance: () => ['0x0', '0xde0b6b3a7640000', '0xd3c21bcecceda1000000'].map((balance) => ({ balance })),
}

/**
 * Why transfers may be ruled over by a contract that nobody has met. `failing`: code that takes coins and fails whatever it is asked, as
 * no account without code does. A contract in the place of another may also be obeyed only if it answers.
 */
export const controlByUnresolved = async (
  { chain, unresolved = [], moment, insiders }: Pick<PowerInput, 'chain' | 'unresolved' | 'moment' | 'insiders'>,
  simulation: SimulationSetup,
  scene: readonly Step[],
  untouched: Observation,
  failing: string,
): Promise<string | undefined> => {
  const { victim, token } = simulation.setup
  /** `undefined` where it could not be run. */
  const stops = async (places: readonly UnresolvedDependency[], override: Override): Promise<boolean | undefined> => {
    const there = Object.fromEntries(places.map(({ address }) => [address, override]))
    const place = { ...simulation, overrides: merge(simulation.overrides, there) }
    const seen = (await runScript(chain, place, [...scene, observeStep(victim, token)], moment))?.at(-1)?.probe
    if (!seen) return undefined
    const between = (before: Observation, after: Observation) =>
      effectsOf(before, after, { actor: victim }, { victim, main: insiders[0] ?? '' })
    // What the scene gives the token may be what stops trade.
    const own = places.some(({ kind }) => kind === 'ownBalance')
    const effects = [...between(untouched, seen), ...(own ? between(seen, untouched) : [])]
    return effects.some((one) => one === 'freeze_all' || one === 'halt_trading' || one === 'freeze_one')
  }
  const hows = [...new Set(unresolved.map(({ kind }) => kind))]
  const found = await Promise.all(
    hows.map(async (how) => {
      const places = unresolved.filter((one) => one.kind === how)
      const tries = TRIES[how](failing)
      const stopped = await Promise.all(tries.map((one) => stops(places, one)))
      if (stopped.includes(true)) return WHY[how]
      return stopped.includes(undefined) ? UNTRIED : undefined
    }),
  )
  return found.find((why) => why !== undefined)
}
