/** Steps that powers are probed with: the scene, calls, and looks at what they change. */
import { type Observation, type Step, type StepResult, ZERO } from '../../chain/simulator/script.ts'
import type { SimulationSetup } from '../../trade/simulation-setup.ts'

const APPROVE = '0x095ea7b3'
const MAX = 'f'.repeat(64)

/** Victim and bystander get tokens, the token contract something to take, and the victim's allowances. */
export const sceneOf = (simulation: SimulationSetup, token: string, opening: Step[]): Step[] => {
  const { victim, bystander, small, base, kind } = simulation.setup
  const approve = (asset: string): Step => ({
    op: 'call',
    actor: victim,
    target: asset,
    data: `${APPROVE}${token.slice(2).padStart(64, '0')}${MAX}`,
  })
  const steps: Step[] = [...simulation.funding, ...opening]
  if (base !== ZERO) {
    steps.push(
      { op: 'fund', target: token, amount: small * 20n },
      { op: 'fund', target: victim, amount: small * 20n },
      approve(base),
    )
  }
  if (kind !== 'none')
    steps.push({ op: 'buy', actor: victim, amount: small * 2n }, { op: 'buy', actor: bystander, amount: small * 2n })
  // Every holder has approved some contract, which never spends: to others that must be of no use.
  const shop = simulation.fresh('shop').slice(2).padStart(64, '0')
  steps.push({ op: 'call', actor: victim, target: token, data: `${APPROVE}${shop}${MAX}` })
  return steps
}

/** A call of anybody's; `value`: coins sent along. */
export type Call = { actor: string; target: string; data: string; value?: bigint }
/** Makes the call and keeps what it does. */
export const callStep = ({ actor, target, data, value }: Call): Extract<Step, { op: 'call' }> => ({
  op: 'call',
  actor,
  target,
  data,
  ...(value ? { value } : {}),
})
/** Looks at the token as the actor sees it. */
export const observeStep = (actor: string, target: string, light = false): Step => ({
  op: 'probe',
  actor,
  target,
  data: '0x',
  light,
})
/** Looks at what the call does, and undoes it. A probe without data only looks: a call without data comes before it. */
export const probeStep = (call: Call, light = false): Step =>
  call.data === '0x'
    ? { op: 'branch', steps: [callStep(call), observeStep(call.actor, call.target, light)] }
    : { ...callStep(call), op: 'probe', light }

/** What a probe of `probeStep` gave. */
export const probeResult = (result: StepResult | undefined): StepResult | undefined => {
  const [call, look] = result?.steps ?? []
  if (!call || !look) return result
  return call.ok ? look : call
}

/** What a light probe saw; everything holders could do before counts as unchanged. */
export const withLightObservation = (before: Observation, after: Observation): Observation => {
  const { supply, victim, bystander, actor, pool, self, owner, native, base, victimBase } = after
  return { ...before, supply, victim, bystander, actor, pool, self, owner, native, base, victimBase }
}
