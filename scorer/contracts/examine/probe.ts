/** Probes for powers over the examined contract, each time from a given state. */
import type { Moment } from '../chain/call.ts'
import type { ChainReader } from '../chain/chain.ts'
import type { Step } from '../chain/simulator/script.ts'
import type { FunctionFacts } from '../code/abstract/facts.ts'
import { actorsFor } from '../power/accounts/actors.ts'
import { calleesOf } from '../power/accounts/callees.ts'
import type { PowerFacts, PowerInput } from '../power/power.ts'
import { probePowers } from '../power/probe.ts'
import type { Subject } from '../subject/subject.ts'
import { type BalanceSlot, freshFor, merge, type SimulationSetup } from '../trade/simulation-setup.ts'
import type { Actors } from './actors.ts'

/**
 * Callers that replace all known insiders. Contracts that transfers query, and accounts that others name, are then not
 * probed.
 */
export type Callers = { people: string[]; actorsOf: (facts: FunctionFacts) => string[] }

/** One probe. The steps of `opening` run first. */
export type Probe = (
  opening: Step[],
  setup: SimulationSetup,
  more?: {
    callers?: Callers
    onScene?: PowerInput['onScene']
    unresolved?: Actors['unresolved']
    /** When the calls are made; the next block by default. */
    moment?: Moment | undefined
  },
) => Promise<PowerFacts>

/** Role of an account without any rights. */
export const STRANGER = 'stranger'

/** Creates probes of one contract with its insiders and helper contracts. `limit`: maximum number of calls. */
export const createProbe = (input: {
  chain: ChainReader
  subject: Subject
  people: Actors
  tools: ReadonlySet<string>
  limit: number
}): Probe => {
  const { chain, subject, tools, limit } = input
  const { insiders, helpers, queried } = input.people
  const { functions, stored, supply } = subject
  // An arbitrary address: what it can do, anyone can.
  const stranger = freshFor(chain, subject.token)(STRANGER)
  const next = { number: chain.height + 1, time: chain.time + chain.timeStep }
  const named = [...new Set(queried.flatMap(({ accounts }) => accounts))].filter((who) => !insiders.includes(who))
  const everyone = (facts: FunctionFacts) => {
    const obeyed = actorsFor(facts, { insiders, stored, stranger })
    const through = calleesOf(facts, stored)
    const others = queried.flatMap(({ address, accounts }) => (through.includes(address) ? accounts : []))
    return [...new Set([...obeyed.slice(0, 1), ...others, ...obeyed])]
  }
  return (opening, setup, { callers, onScene, unresolved = [], moment = next } = {}) => {
    const people = callers?.people ?? insiders
    return probePowers({
      chain,
      // Without the slot no replaced code is tried: `is_proxy` covers proxies.
      simulation: subject.proxy.hops.length > 0 ? { ...setup, victimSlot: undefined } : setup,
      opening,
      functions,
      supply,
      insiders: [...people, ...tools, ...(callers ? [] : named)],
      stranger,
      queried: callers ? [] : queried,
      stored,
      actorsOf: callers?.actorsOf ?? everyone,
      helpers: (callers ? [] : helpers).map((helper) => ({
        address: helper.address,
        functions: helper.functions,
        actorsOf: (facts) => actorsFor(facts, { insiders, stored: helper.stored, stranger }).slice(0, 3),
      })),
      limit,
      balanceSlot: setup.victimSlot,
      complete: subject.facts.complete && helpers.every((helper) => helper.complete),
      moment,
      onScene,
      // An account without code is not a missing contract.
      unresolved: unresolved.filter(({ address, kind }) => kind !== 'absent' || !people.includes(address)),
    })
  }
}

/** Gives the victim and the bystander tokens when the simulation could not buy any. */
export const withVictims = (simulation: SimulationSetup, balances: BalanceSlot, supply: bigint): SimulationSetup => {
  const amount = `0x${(supply > 0n ? supply / 500n : 10n ** 20n).toString(16).padStart(64, '0')}`
  const slots = [simulation.setup.victim, simulation.setup.bystander].map((who) => [balances.slotOf(who), amount])
  return {
    ...simulation,
    overrides: merge(simulation.overrides, { [balances.contract]: { stateDiff: Object.fromEntries(slots) } }),
  }
}

/** Adds powers that work on frozen holders only: freezes a holder and probes again. */
export const withFrozen = async (
  powers: PowerFacts,
  probe: (prefix: Step[]) => Promise<PowerFacts>,
): Promise<PowerFacts> => {
  const mark = powers.powers.find((power) => power.effect === 'freeze_one' && !power.anyone)
  if (!mark || powers.powers.some((power) => power.effect === 'burn_other' || power.effect === 'set_balance'))
    return powers
  const again = await probe([{ op: 'call', actor: mark.actor, target: mark.target, data: mark.data }])
  const taking = again.powers.filter((power) => power.effect === 'burn_other' || power.effect === 'set_balance')
  return {
    ...powers,
    powers: [...powers.powers, ...taking],
    tried: powers.tried + again.tried,
    accepted: powers.accepted + again.accepted,
  }
}
