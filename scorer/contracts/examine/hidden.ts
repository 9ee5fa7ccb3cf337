/** Powers that remain after the owner renounces, or that others hold when there is no owner. */
import { type Step, ZERO } from '../chain/simulator/script.ts'
import type { FunctionFacts } from '../code/abstract/facts.ts'
import type { PowerFacts } from '../power/power.ts'
import { RENOUNCE } from '../power/sequences/regain.ts'
import { DEAD, isBlackhole } from '../subject/blackhole.ts'
import type { Subject } from '../subject/subject.ts'
import type { SimulationSetup } from '../trade/simulation-setup.ts'
import { type Probe, STRANGER } from './probe.ts'

const TRANSFER_OWNERSHIP = '0xf2fde38b'

/**
 * Renounces ownership within the simulation and probes what the former owner and the other insiders can still do.
 * `undefined` when there is no insider, or the owner cannot renounce.
 */
export const probeHidden = async (input: {
  subject: Subject
  insiders: string[]
  opening: Step[]
  setup: SimulationSetup
  probe: Probe
}): Promise<PowerFacts | undefined> => {
  const { subject, insiders, opening, setup, probe } = input
  const { owner, token, functions } = subject
  const has = (selector: string) => functions.some((facts) => facts.selector === selector)
  const alive = owner.address !== '' && !isBlackhole(owner.address)
  const others = insiders.filter((insider) => insider !== owner.address)
  if (!alive && others.length === 0) return undefined
  const renouncing: Step[] = []
  if (alive) {
    if (owner.getter === 'proxyAdmin' || (!has(RENOUNCE) && !has(TRANSFER_OWNERSHIP))) return undefined
    const data = has(RENOUNCE) ? RENOUNCE : `${TRANSFER_OWNERSHIP}${DEAD.slice(2).padStart(64, '0')}`
    renouncing.push({ op: 'call', actor: owner.address, target: token, data })
  }
  const people = alive ? insiders : others
  const actorsOf = (facts: FunctionFacts) => {
    if (facts.callerSlots.length + facts.callerConstants.length + facts.callerMaps.length === 0) return []
    const own = facts.callerSlots.flatMap((ref) => subject.stored.get(`${ref.slot}:${ref.shift}`) ?? [])
    const list = [
      ...own.filter((address) => people.includes(address)),
      ...facts.callerConstants,
      ...people.slice(0, 2),
      setup.fresh(STRANGER),
    ]
    return [...new Set(list)]
  }
  const callers = { people: people.length > 0 ? people : [ZERO], actorsOf }
  return probe([...opening, ...renouncing], setup, { callers })
}
