/**
 * Powers hidden in plain transfers and approvals of insiders: one that freezes the account it names, one with a trigger value
 * that stops all trade, and a transfer to itself that sets a tax. Any holder's transfer may start a cooldown, so an effect
 * counts only if it still holds a week later and the same call by another account does not cause it.
 */
import type { FunctionFacts } from '../../code/abstract/facts.ts'
import { runScript, runSequence } from '../../trade/simulation-setup.ts'
import { type Candidate, encodeArguments, TRANSFERS } from '../calls/arguments.ts'
import { APPROVE, TRANSFER } from '../calls/selectors.ts'
import { callStep, observeStep, probeResult, probeStep } from '../calls/steps.ts'
import { hasTrigger, triggerLists } from '../calls/triggers.ts'
import { type Effect, effectsOf, taxAfter } from '../effects/effects.ts'
import type { Power } from '../power.ts'
import { balancePlaces } from './places.ts'
import { DELAYS, type SequenceInput } from './sequence.ts'

/** Amounts and actors tried, calls with trigger values, and calls per effect that are verified a week later. */
const [MAX_AMOUNTS, MAX_ACTORS, MAX_TRIGGERED, MAX_VERIFIED] = [8, 3, 24, 3]
/** Amounts that may be taxes: in percent, and in basis points. */
const TAXES = [99n, 9_900n]
/** Amounts in the code that are tried as switches. */
const MAX_SWITCHES = 2
/** Effects that a plain call is checked for. */
const PLAIN_EFFECTS: readonly Effect[] = ['freeze_one', 'tax_all', 'freeze_all', 'halt_trading']

/** Effects on everybody, whatever the arguments name. */
const GLOBAL_STOPS: readonly Effect[] = ['freeze_all', 'halt_trading']

type PlainInput = Pick<
  SequenceInput,
  'chain' | 'simulation' | 'scene' | 'functions' | 'scope' | 'actorsOf' | 'insiders' | 'moment'
>

/** Plain calls that may have a hidden effect: they write places that the code of transfers reads. */
const suspiciousCalls = (functions: readonly FunctionFacts[]) => {
  const transfers = functions.filter(({ selector }) => TRANSFERS.has(selector))
  const balances = balancePlaces(functions)
  const approved = new Set(functions.filter(({ selector }) => selector === APPROVE).flatMap(({ stores }) => stores))
  const names = ({ callerSlots, callerConstants, byDigest }: FunctionFacts) =>
    byDigest || callerSlots.length + callerConstants.length > 0
  const marks = ({ stores, maps }: FunctionFacts) =>
    stores.some((place) => !balances.has(place) && !approved.has(place) && maps.some((base) => place === `map:${base}`))
  const read = new Set(transfers.flatMap(({ reads }) => reads.map(({ slot }) => slot)))
  const sets = ({ stores }: FunctionFacts) => stores.some((place) => read.has(place) && !balances.has(place))
  return {
    setter: transfers.find((facts) => facts.selector === TRANSFER && names(facts) && sets(facts)),
    approvals: transfers.some(({ fixedAccountMaps }) => fixedAccountMaps.some((base) => approved.has(`map:${base}`))),
    transfer: transfers.find((facts) => facts.selector === TRANSFER && names(facts) && marks(facts)),
    numbers: transfers.flatMap(({ entryConstants, hints }) => [...entryConstants, ...hints.flat()]),
  }
}

/** Calls to try; none for an ordinary token. */
const callsOf = ({ functions, scope, actorsOf, insiders }: PlainInput): Candidate[] => {
  const { approvals, transfer, setter, numbers } = suspiciousCalls(functions)
  const usual = [...new Set([...numbers, 1n, 0n, scope.held / 2n])].slice(0, MAX_AMOUNTS)
  const by = (selector: string, actors: readonly string[], amounts: readonly bigint[] = usual, toItself = false) =>
    actors.slice(0, MAX_ACTORS).flatMap((actor) =>
      amounts.map((amount): Candidate => {
        const args = [toItself ? actor : scope.victim, amount]
        return {
          selector,
          actor,
          data: encodeArguments(selector, args),
          args,
          kinds: ['address', 'uint'],
          actorIsOrigin: false,
        }
      }),
    )
  const among = (facts: FunctionFacts | undefined) =>
    facts ? actorsOf(facts).filter((who) => insiders.includes(who)) : []
  const triggered = functions
    .filter((facts) => (facts.selector === TRANSFER || facts.selector === APPROVE) && hasTrigger(facts))
    .flatMap((facts) =>
      among(facts)
        .slice(0, MAX_ACTORS)
        .flatMap((actor) =>
          [...triggerLists(facts, scope, actor)].map((args): Candidate => {
            const { selector, args: kinds } = facts
            return { selector, actor, data: encodeArguments(selector, args), args, kinds, actorIsOrigin: false }
          }),
        ),
    )
  const all = [
    ...(approvals ? by(APPROVE, insiders) : []),
    ...by(TRANSFER, among(transfer)),
    ...by(TRANSFER, among(setter), [...TAXES, 0n, ...numbers.slice(0, MAX_SWITCHES)], true),
    ...by(TRANSFER, among(setter), [0n]),
    ...triggered.slice(0, MAX_TRIGGERED),
  ]
  return [...new Map(all.map((call) => [`${call.actor}${call.data}`, call])).values()]
}

/** Powers that plain calls prove. `why`: reason why transfers may depend on approvals that were not tried. */
export const probePlain = async (input: PlainInput): Promise<{ powers: Power[]; why: string | undefined }> => {
  const { chain, simulation, scene, moment, insiders } = input
  const { token, victim, bystander } = simulation.setup
  const calls = callsOf(input)
  const powers: Power[] = []
  if (calls.length > 0) {
    const actors = [...new Set(calls.map(({ actor }) => actor))]
    const observations = actors.map((actor) => observeStep(actor, token))
    const tries = calls.map((call) => probeStep({ ...call, target: token }))
    const results = await runScript(chain, simulation, [...scene, ...observations, ...tries], moment)
    const at = scene.length + actors.length
    const roles = { victim, main: insiders[0] ?? '' }
    const suspects = calls.flatMap((call, i) => {
      const before = results?.[scene.length + actors.indexOf(call.actor)]?.probe
      const after = probeResult(results?.[at + i])?.probe
      const found = before && after ? effectsOf(before, after, call, roles) : []
      return PLAIN_EFFECTS.filter((effect) => found.includes(effect)).map((effect) => ({ call, effect }))
    })
    const byEffect = PLAIN_EFFECTS.flatMap((effect) =>
      suspects.filter((one) => one.effect === effect).slice(0, MAX_VERIFIED),
    )
    const [wait] = DELAYS
    const then = { number: moment.number + (wait?.blocks ?? 0), time: moment.time + (wait?.seconds ?? 0) }
    /** Observation of the victim a week later, after the call if one is given. */
    const weekAfter = async (call?: Candidate) => {
      const first = call ? [...scene, callStep({ ...call, target: token })] : scene
      const scripts = [
        { steps: first, moment },
        { steps: [observeStep(victim, token)], moment: then },
      ]
      return (await runSequence(chain, simulation, scripts))?.[1]?.[0]?.probe
    }
    await Promise.all(
      byEffect.map(async ({ call, effect }) => {
        const args = call.args.map((arg) => (arg === call.actor ? bystander : arg))
        const others = { ...call, actor: bystander, args, data: encodeArguments(call.selector, args) }
        const [without, after, afterOthers] = await Promise.all([weekAfter(), weekAfter(call), weekAfter(others)])
        if (!without || !after || !afterOthers) return
        const holds = (seen: typeof after) => effectsOf(without, seen, { actor: victim }, roles).includes(effect)
        if (!holds(after) || holds(afterOthers)) return
        const tax = effect === 'tax_all' ? taxAfter(after) : 0
        // A trigger value that stops everybody is a switch: its arguments name no victim.
        const switched = GLOBAL_STOPS.includes(effect) ? { args: [], kinds: [] } : {}
        powers.push({ ...call, ...switched, effect, target: token, anyone: false, tax, singleUse: false, lasts: true })
      }),
    )
  }
  const { approvals } = suspiciousCalls(input.functions)
  const why = approvals && powers.length === 0 ? 'a transfer depends on what somebody has approved' : undefined
  return { powers, why }
}
