/**
 * Separates withdrawals of liquidity from burns of the pool's tokens. A liquidity provider withdraws both assets. A call
 * that takes only the tokens takes value from every holder.
 */
import type { Step } from '../../chain/simulator/script.ts'
import { ZERO } from '../../chain/simulator/script.ts'
import { runScript, type SimulationSetup } from '../../trade/simulation-setup.ts'
import type { Argument } from '../calls/arguments.ts'
import { BALANCE_OF } from '../calls/selectors.ts'
import { callStep } from '../calls/steps.ts'
import type { Power, PowerInput } from '../power.ts'

/** Functions that are repeated. */
const MAX_FUNCTIONS = 8

/** `powers` without burns of pool tokens after which the pool also has less of its other asset, or may have. */
export const withoutLiquidityExits = async (
  input: Pick<PowerInput, 'chain' | 'moment'>,
  simulation: SimulationSetup,
  scene: Step[],
  powers: readonly Power[],
): Promise<Power[]> => {
  const { base, pool, token } = simulation.setup
  const is = (arg: Argument) => arg === pool || (typeof arg === 'object' && 'array' in arg && arg.array.includes(pool))
  const names = ({ effect, target, args, after }: Power) =>
    effect === 'burn_other' && target === token && after === undefined && (args.length === 0 || args.some(is))
  const selectors = [...new Set(powers.filter(names).map(({ selector }) => selector))]
  if (selectors.length === 0) return [...powers]
  const left = new Set<string>()
  const read: Step = { op: 'read', target: base, data: `${BALANCE_OF}${pool.slice(2).padStart(64, '0')}` }
  const looked = base === ZERO ? [] : selectors.slice(0, MAX_FUNCTIONS)
  await Promise.all(
    looked.map(async (selector) => {
      const call = powers.find((power) => power.selector === selector && names(power))
      if (!call) return
      const results = await runScript(input.chain, simulation, [...scene, read, callStep(call), read], input.moment)
      const [before, done, after] = results?.slice(scene.length) ?? []
      if (before?.ok && done?.ok && after?.ok && after.a >= before.a) left.add(selector)
    }),
  )
  return powers.filter((power) => !names(power) || left.has(power.selector))
}
