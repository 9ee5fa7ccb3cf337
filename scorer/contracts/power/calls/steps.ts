/** Simulation steps of the search for powers: the scene, calls, and observations of what they change. */
import { type Observation, type Step, type StepResult, ZERO } from '../../chain/simulator/script.ts'
import type { SimulationSetup } from '../../trade/simulation-setup.ts'
import { APPROVE } from './selectors.ts'

const MAX = 'f'.repeat(64)

/** The scene: victim and bystander buy tokens, the token contract gets assets that could be withdrawn, the victim approves it. */
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
  // The victim has also approved a contract that never spends, as holders do. No other account may profit from that.
  const shop = simulation.fresh('shop').slice(2).padStart(64, '0')
  steps.push({ op: 'call', actor: victim, target: token, data: `${APPROVE}${shop}${MAX}` })
  return steps
}

/** A call by any account. `value`: native coins sent with it, in wei. */
export type Call = { actor: string; target: string; data: string; value?: bigint }
/** Makes the call and keeps its changes. */
export const callStep = ({ actor, target, data, value }: Call): Extract<Step, { op: 'call' }> => ({
  op: 'call',
  actor,
  target,
  data,
  ...(value ? { value } : {}),
})
/** Observes the token as the actor, without a call. */
export const observeStep = (actor: string, target: string, light = false): Step => ({
  op: 'probe',
  actor,
  target,
  data: '0x',
  light,
})
/** Makes the call, observes the token, and reverts both. A probe without data makes no call, so an empty call is a step of its own. */
export const probeStep = (call: Call, light = false): Step =>
  call.data === '0x'
    ? { op: 'branch', steps: [callStep(call), observeStep(call.actor, call.target, light)] }
    : { ...callStep(call), op: 'probe', light }

/** Result of a step made by `probeStep`. */
export const probeResult = (result: StepResult | undefined): StepResult | undefined => {
  const [call, look] = result?.steps ?? []
  if (!call || !look) return result
  return call.ok ? look : call
}

/** Completes the observation of a light probe, which tries no trades: what holders could do counts as unchanged. */
export const withLightObservation = (before: Observation, after: Observation): Observation => {
  const { supply, victim, bystander, actor, pool, self, owner, native, base, victimBase } = after
  return { ...before, supply, victim, bystander, actor, pool, self, owner, native, base, victimBase }
}
