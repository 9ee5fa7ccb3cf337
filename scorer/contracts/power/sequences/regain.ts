/** Finds ownership that can be regained after a renouncement with an end date. */
import type { ChainReader } from '../../chain/chain.ts'
import type { Step } from '../../chain/simulator/script.ts'
import { isBlackhole } from '../../subject/blackhole.ts'
import type { Subject } from '../../subject/subject.ts'
import { runSequence, type SimulationSetup, withActors } from '../../trade/simulation-setup.ts'
import { OWNER } from '../calls/selectors.ts'
import type { PowerFacts } from '../power.ts'
import { largest } from './first-calls.ts'

/** OpenZeppelin: `renounceOwnership()`. */
export const RENOUNCE = '0x715018a6'
const YEAR = 31_536_000
/** Locks count seconds. Nodes simulate at most 256 blocks ahead. */
const SOME_BLOCKS = 120
/** Functions without arguments that are tried. Hostile dispatchers have thousands. */
const MAX_SIMPLE = 100

/**
 * For accepted calls that leave the token without an owner, lets a year pass and has insiders try every function without
 * arguments. Returns a sentence that names the calls that restore an owner; `undefined` if none do.
 */
export const regainLater = async (input: {
  chain: ChainReader
  simulation: SimulationSetup
  subject: Subject
  insiders: string[]
  powers: PowerFacts
}): Promise<string | undefined> => {
  const { chain, subject, insiders, powers } = input
  const { token, owner } = subject
  if (owner.address === '' || isBlackhole(owner.address)) return undefined
  // Of each function, the call with the smallest numbers: the shortest lock.
  const renouncing = new Map(
    powers.calls
      .filter((call) => call.ownerAfter === 0n && call.selector !== RENOUNCE && call.data.length > 10)
      .toSorted((a, b) => (largest(a) > largest(b) ? -1 : 1))
      .map((call) => [call.selector, call]),
  )
  const simple = subject.functions
    .filter((facts) => facts.writes && facts.args.length === 0 && facts.selector !== 'fallback')
    .slice(0, MAX_SIMPLE)
  for (const call of [...renouncing.values()].slice(0, 3)) {
    const actors = insiders.slice(0, 3)
    const simulation = withActors(input.simulation, [...actors, call.actor])
    const tries = simple.flatMap((facts) => actors.map((actor) => ({ selector: facts.selector, actor })))
    const answers = await runSequence(chain, simulation, [
      {
        steps: [{ op: 'call', actor: call.actor, target: token, data: call.data }],
        moment: { number: chain.height + 1, time: chain.time + chain.timeStep },
      },
      {
        steps: tries.map(
          ({ selector, actor }): Step => ({
            op: 'branch',
            steps: [
              { op: 'call', actor, target: token, data: selector },
              { op: 'read', target: token, data: OWNER },
            ],
          }),
        ),
        moment: { number: chain.height + SOME_BLOCKS, time: chain.time + YEAR },
      },
    ])
    const at =
      answers?.[1]?.findIndex((result) => result.steps?.[0]?.ok === true && (result.steps[1]?.a ?? 0n) > 0xffffn) ?? -1
    const hit = tries[at]
    if (hit) return `${call.selector}, then ${hit.selector} called by ${hit.actor} a year later, restores an owner`
  }
  return undefined
}
