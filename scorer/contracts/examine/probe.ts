/** Searches for powers over the contract that is examined, each from a state of its own. */
import type { ChainReader } from '../chain/chain.ts'
import type { Step } from '../chain/simulator/script.ts'
import type { FunctionFacts } from '../code/abstract/facts.ts'
import { actorsFor } from '../power/accounts/actors.ts'
import { calleesOf } from '../power/accounts/callees.ts'
import type { PowerFacts, PowerInput } from '../power/power.ts'
import { probePowers } from '../power/probe.ts'
import type { Subject } from '../subject/subject.ts'
import { type BalanceSlot, freshFor, merge, type SimulationSetup } from '../trade/simulation-setup.ts'
import type { People } from './people.ts'

/** Who is asked in place of everyone the code knows, by themselves: no contract that transfers ask, nobody whom others name. */
export type Among = { people: string[]; actorsOf: (facts: FunctionFacts) => string[] }

/** One search: `opening` comes first. */
export type Probe = (
  opening: Step[],
  setup: SimulationSetup,
  more?: { among?: Among; onScene?: PowerInput['onScene']; awaited?: People['awaited'] },
) => Promise<PowerFacts>

/** The role of whoever has no claim. */
export const STRANGER = 'stranger'

/** Searches over one contract, with the people and helpers that were found of it. `limit`: calls tried at most. */
export const createProbe = (input: {
  chain: ChainReader
  subject: Subject
  people: People
  tools: ReadonlySet<string>
  limit: number
}): Probe => {
  const { chain, subject, tools, limit } = input
  const { insiders, helpers, elsewhere } = input.people
  const { functions, stored, supply } = subject
  // Nobody in particular: what this address can do, anyone can.
  const stranger = freshFor(chain, subject.token)(STRANGER)
  const moment = { number: chain.height + 1, time: chain.time + chain.timeStep }
  const named = [...new Set(elsewhere.flatMap(({ accounts }) => accounts))].filter((who) => !insiders.includes(who))
  const everyone = (facts: FunctionFacts) => {
    const obeyed = actorsFor(facts, { insiders, stored, stranger })
    const through = calleesOf(facts, stored)
    const others = elsewhere.flatMap(({ address, accounts }) => (through.includes(address) ? accounts : []))
    return [...new Set([...obeyed.slice(0, 1), ...others, ...obeyed])]
  }
  return (opening, setup, { among, onScene, awaited = [] } = {}) => {
    const people = among?.people ?? insiders
    return probePowers({
      chain,
      // That code behind a proxy can be replaced is said by `is_proxy`.
      simulation: subject.proxy.hops.length > 0 ? { ...setup, victimSlot: undefined } : setup,
      opening,
      functions,
      supply,
      insiders: [...people, ...tools, ...(among ? [] : named)],
      stranger,
      queried: among ? [] : elsewhere,
      stored,
      actorsOf: among?.actorsOf ?? everyone,
      helpers: (among ? [] : helpers).map((helper) => ({
        address: helper.address,
        functions: helper.functions,
        actorsOf: (facts) => actorsFor(facts, { insiders, stored: helper.stored, stranger }).slice(0, 3),
      })),
      limit,
      balanceSlot: setup.victimSlot,
      complete: subject.facts.complete && helpers.every((helper) => helper.complete),
      moment,
      onScene,
      // A person has no code either.
      unresolved: awaited.filter(({ address, kind }) => kind !== 'absent' || !people.includes(address)),
    })
  }
}

/** Gives a victim and a bystander tokens, where the simulation could not buy any. */
export const withVictims = (simulation: SimulationSetup, balances: BalanceSlot, supply: bigint): SimulationSetup => {
  const amount = `0x${(supply > 0n ? supply / 500n : 10n ** 20n).toString(16).padStart(64, '0')}`
  const slots = [simulation.setup.victim, simulation.setup.bystander].map((who) => [balances.slotOf(who), amount])
  return {
    ...simulation,
    overrides: merge(simulation.overrides, { [balances.contract]: { stateDiff: Object.fromEntries(slots) } }),
  }
}

/** Powers that need a mark first: whoever can be frozen is frozen, and everything is tried again on the frozen. */
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
