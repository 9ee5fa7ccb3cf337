/**
 * Finds owner powers by execution. A reverted simulation calls every state-changing function as every account that it may
 * obey and compares what holders can do before and after. Function names play no part.
 */
import type { FunctionFacts } from '../code/abstract/facts.ts'
import { runScript, withActors } from '../trade/simulation-setup.ts'
import { spendersOf } from './accounts/spenders.ts'
import { TRANSFERS } from './calls/arguments.ts'
import { candidatesOf } from './calls/candidates.ts'
import { poolCalls } from './calls/pool-calls.ts'
import { BALANCE_OF, TRANSFER, TRANSFER_FROM } from './calls/selectors.ts'
import { observeStep, sceneOf } from './calls/steps.ts'
import type { BalancePlace } from './calls/storage-writes.ts'
import { insiderFunding, withStoredTriggers } from './calls/triggers.ts'
import { externallyAuthorized } from './effects/external-authorization.ts'
import { withoutLiquidityExits } from './effects/liquidity-exits.ts'
import { listedCallers } from './effects/listed-callers.ts'
import { withoutPublicPowers } from './effects/public-powers.ts'
import { markSingleUse } from './effects/single-use-mints.ts'
import { withoutTemporaryFreezes } from './effects/temporary-freezes.ts'
import { creditTrial } from './effects/trade-credits.ts'
import { unprovenPowers } from './effects/unproven.ts'
import { controlByUnresolved } from './effects/unresolved.ts'
import type { PowerFacts, PowerInput } from './power.ts'
import { addProbeContracts } from './probe-contracts.ts'
import { harmlessAfterListCall } from './sequences/access-lists.ts'
import { probeDelayed } from './sequences/delayed.ts'
import { probeOtherContracts } from './sequences/other-contracts.ts'
import { probePlain } from './sequences/plain-calls.ts'
import { probeThreeCalls } from './sequences/three-calls.ts'
import { probeTwoCallStops } from './sequences/two-call-stops.ts'
import { probeTwoCalls } from './sequences/two-calls.ts'
import { probeSingleCalls, type Targeted } from './single-calls.ts'

/** Simulated accounts that helpers obey; each enlarges every request. */
const MAX_HELPER_ACTORS = 64
/** Calls tried of one helper. */
const HELPER_LIMIT = 120
/** Calls tried that name the pool as the account to take tokens from. */
const POOL_LIMIT = 40
/** Native coins that the token holds in the simulation, in wei. */
const TOKEN_COINS = 10n ** 19n

/** Where the token keeps balances, by the mapping that `balanceOf` reads. */
const balancesOf = (functions: readonly FunctionFacts[], slot: string | undefined): BalancePlace | undefined => {
  const list = functions.find(({ selector }) => selector === BALANCE_OF)?.maps.find((base) => base.startsWith('0x'))
  return slot === undefined ? undefined : { slot, list }
}

/** Searches for powers: single calls first, then sequences of calls, then filters that drop what only looks like a power. */
export const probePowers = async (input: PowerInput): Promise<PowerFacts> => {
  const { chain, supply, limit, moment } = input
  const { token, victim, receiver, base, pool } = input.simulation.setup
  // A helper may obey the token itself, which must keep its code and cannot be an actor.
  const helperActors = [
    ...new Set(input.helpers.flatMap((helper) => helper.functions.flatMap(helper.actorsOf))),
  ].filter((who) => who !== token)
  const simulated = helperActors.slice(0, MAX_HELPER_ACTORS)
  const { spenders, why: spending } = await spendersOf(chain, input.functions, input.stored)
  const actors = new Set([...input.insiders, ...simulated, ...spenders.map(({ address }) => address), input.stranger])
  const simulation = withActors(input.simulation, [...actors])
  const actorsOf = (facts: FunctionFacts) =>
    facts.selector === TRANSFER_FROM
      ? [...new Set([...input.actorsOf(facts), ...spenders.map(({ address }) => address)])]
      : input.actorsOf(facts)
  const { refuser, failer, agreer } = addProbeContracts(simulation)
  simulation.overrides[token] = { ...simulation.overrides[token], balance: `0x${TOKEN_COINS.toString(16)}` }
  const functions = await withStoredTriggers(chain, simulation.setup, input.functions)
  const scene = [...sceneOf(simulation, token, input.opening), ...insiderFunding(functions, input.insiders, victim)]

  const { queried = [], stored = new Map() } = input
  const credit = creditTrial(simulation, functions, stored, input.insiders)
  const seen = (
    await runScript(chain, simulation, [...scene, observeStep(victim, token), ...credit.steps], moment)
  )?.slice(scene.length)
  const baseline = seen?.[0]?.probe
  const credits = credit.judge(seen?.slice(1) ?? [])
  const movable = baseline?.victimMoves.ok === true
  input.onScene?.(movable)
  const held = baseline?.victim ?? 0n
  const scope = { victim, held, supply, receiver, refuser, failer, agreer, base, token }
  const balances = balancesOf(functions, input.balanceSlot)
  const words = functions.filter(({ selector }) => TRANSFERS.has(selector)).flatMap((facts) => facts.wordConstants)
  const candidates: Targeted[] = [
    ...candidatesOf({ ...scope, functions, actorsOf, limit, balances }).map((call) => ({ ...call, target: token })),
    ...poolCalls({ ...scope, functions, actorsOf, limit: POOL_LIMIT }, pool, baseline?.pool ?? 0n).map(
      (call): Targeted => ({ ...call, target: token, light: true }),
    ),
    ...input.helpers.flatMap((helper) =>
      candidatesOf({
        ...{ ...scope, words, functions: helper.functions, actorsOf: helper.actorsOf },
        limit: HELPER_LIMIT,
      }).map((call) => ({ ...call, target: helper.address })),
    ),
  ]

  const unresolved = baseline ? controlByUnresolved(input, simulation, scene, baseline) : undefined
  const single = await probeSingleCalls({ ...input, simulation, scene, candidates, baseline })
  const { calls, batchSize } = single
  const powers = [...single.powers]
  const sequence = {
    ...{ ...input, functions, simulation, scene, calls, batchSize },
    scope: { ...scope, balances },
    owner: baseline?.owner,
  }
  const twoCalls = await probeTwoCalls({ ...sequence, powers })
  powers.push(...twoCalls.powers)
  const accepted = new Set(calls.map(({ selector }) => selector))
  // A stranger without tokens is refused by tokens that refuse transfers of zero. Holders and their spenders are not.
  if (movable) accepted.add(TRANSFER)
  if (baseline?.victimSpentFor.ok) accepted.add(TRANSFER_FROM)
  const [threeCalls, delayed, plain, harmless, elsewhere, authorized, listed, stops] = await Promise.all([
    probeThreeCalls({ ...sequence, powers }),
    probeDelayed({ ...sequence, powers }),
    probePlain(sequence),
    harmlessAfterListCall({ ...sequence, powers }, new Set(twoCalls.acceptedLast)),
    probeOtherContracts({ ...sequence, powers, queried, stored }),
    externallyAuthorized({ ...sequence, accepted }),
    listedCallers({ ...sequence, powers }, accepted, simulation.fresh),
    probeTwoCallStops({ ...sequence, powers }),
  ])
  powers.push(...threeCalls.powers)
  const named = new Set(queried.flatMap(({ accounts }) => accounts))
  const own = await withoutPublicPowers(input, simulation, scene, powers, named)
  const [lasting] = await Promise.all([
    withoutTemporaryFreezes(input, simulation, scene, await withoutLiquidityExits(input, simulation, scene, own)),
    markSingleUse(input, simulation, scene, powers),
  ])
  return {
    token,
    refuser,
    failer,
    powers: [...lasting, ...delayed, ...plain.powers, ...elsewhere, ...stops, ...credits.powers],
    accepted: single.accepted,
    calls,
    tried: candidates.length + twoCalls.tried,
    skipped: single.skipped + twoCalls.skipped,
    sequencesCut: twoCalls.cut,
    spenders,
    unproven: unprovenPowers({
      functions,
      accepted,
      externallyAuthorized: authorized,
      hasInsiders: input.insiders.length > 0,
      acceptedLast: new Set([...twoCalls.acceptedLast, ...threeCalls.acceptedLast, ...harmless]),
      listed,
      spending,
      crediting: credits.why,
      unresolved: (await unresolved) ?? plain.why,
    }),
    cut: candidates.filter(({ target, light }) => target === token && !light).length >= limit,
    complete: input.complete && simulated.length === helperActors.length,
    movable,
    baseline,
  }
}
