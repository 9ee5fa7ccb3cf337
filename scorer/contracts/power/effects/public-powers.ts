/** Drops powers of accounts named by other contracts that every account has. */
import type { Step } from '../../chain/simulator/script.ts'
import { runScript, type SimulationSetup } from '../../trade/simulation-setup.ts'
import { type Argument, encodeArguments } from '../calls/arguments.ts'
import { observeStep, probeResult, probeStep } from '../calls/steps.ts'
import type { Power, PowerInput } from '../power.ts'
import { effectsOf } from './effects.ts'

/** Calls that the stranger repeats. */
const MAX_CALLS = 12

/** The same call by another account, which also replaces the caller among the arguments. */
export const asOtherActor = <T extends { actor: string; selector: string; args: Argument[]; data: string }>(
  call: T,
  other: string,
): T => {
  const args = call.args.map((arg): Argument => {
    if (arg === call.actor) return other
    if (typeof arg !== 'object' || 'call' in arg) return arg
    const spell = (items: (bigint | string)[]) => items.map((item) => (item === call.actor ? other : item))
    return 'array' in arg ? { array: spell(arg.array) } : { bytes: spell(arg.bytes) }
  })
  const data =
    call.data === encodeArguments(call.selector, call.args) ? encodeArguments(call.selector, args) : call.data
  return { ...call, actor: other, args, data }
}

/** `powers` without those of `named` accounts over the token that a stranger has too or could not try. */
export const withoutPublicPowers = async (
  { chain, moment, insiders, stranger }: Pick<PowerInput, 'chain' | 'moment' | 'insiders' | 'stranger'>,
  simulation: SimulationSetup,
  scene: readonly Step[],
  powers: readonly Power[],
  named: ReadonlySet<string>,
): Promise<Power[]> => {
  const own = powers.filter(({ actor, target }) => named.has(actor) && target === simulation.setup.token)
  if (own.length === 0) return [...powers]
  const key = ({ selector, effect }: Power) => `${selector}${effect}`
  const tried = [...new Map(own.map((power) => [key(power), power])).values()].slice(0, MAX_CALLS)
  const steps = tried.map((power) => probeStep(asOtherActor(power, stranger)))
  const look = observeStep(stranger, simulation.setup.token)
  const results = await runScript(chain, simulation, [...scene, look, ...steps], moment)
  const before = results?.[scene.length]?.probe
  const roles = { victim: simulation.setup.victim, main: insiders[0] ?? '' }
  const alone = new Set<string>()
  for (const [i, power] of tried.entries()) {
    const result = probeResult(results?.[scene.length + 1 + i])
    if (!before || result?.ok === undefined) continue
    const found = result.probe ? effectsOf(before, result.probe, { actor: stranger }, roles) : []
    if (!found.includes(power.effect)) alone.add(key(power))
  }
  return powers.filter((power) => !own.includes(power) || alone.has(key(power)))
}
