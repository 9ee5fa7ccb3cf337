/** Setup of a simulation (actors, balances and market), and execution of scripts on it. */
import { keccakHex } from '../../../platform/keccak.ts'
import type { ChainCall, Moment, Overrides } from '../chain/call.ts'
import { type ChainReader, quantity } from '../chain/chain.ts'
import {
  actorCode,
  decodeRun,
  encodeRun,
  type Setup,
  type Step,
  type StepResult,
  simulatorCode,
  ZERO,
} from '../chain/simulator/script.ts'
import type { Market } from '../market/market.ts'
import type { BaseAsset } from '../subject/registry.ts'

/** Maximum gas of a simulation, if the node allows it. */
export const GAS_LIMIT = 400_000_000n
/** Gas of a script by another account in the same block as the person's: nodes limit the gas of a block. */
const ANOTHERS_GAS = 90_000_000n
/** Gas of one transaction: a sale that swaps fees on the way needs a million or two. */
const PERSON_GAS = 5_000_000
const RICH = 10n ** 27n
/** Balance of a trading account: half a coin to two and a half, wei; and its nonce, the transactions of a year. */
const [MIN_BALANCE, SPREAD, TRANSACTIONS] = [5n * 10n ** 17n, 2n * 10n ** 18n, 231n]

/** Actors, balances and market, as overrides and as the first steps of every script. */
export type SimulationSetup = {
  setup: Setup
  director: string
  /** Unpredictable address of a role. */
  fresh: Fresh
  /** Account that sends transactions and trades as people do: without code, with coins and a past. */
  person: string
  /** Whether the holder was given tokens without a trade; false when no balance slot was found. */
  injected: boolean
  holder: string
  /** Slot of the victim's balance, if the token stores it itself. */
  victimSlot: string | undefined
  overrides: Overrides
  /** Whether the director has base assets to trade with; true without a market. */
  funded: boolean
  /** Steps that give the director base assets. */
  funding: Step[]
}

/** The node deducts the price of all gas first; the remaining balance is what contracts see. */
const accountFor = (chain: ChainReader, account: string, gas: bigint) => ({
  balance: quantity(MIN_BALANCE + (BigInt(account) % SPREAD) + gas * chain.gasPrice),
  nonce: quantity(TRANSACTIONS),
})

/** Unused address derived from a name. */
export const freshAddress = (name: string): string => `0x${keccakHex(Buffer.from(`assay ${name}`)).slice(26)}`

/**
 * Addresses of roles. They depend on the state of the pinned block: a predictable address could be exempted by the
 * token.
 */
export type Fresh = (role: string) => string
/** Addresses for the analysis of a token at one block. */
export const freshFor =
  ({ seed }: Pick<ChainReader, 'seed'>, token: string): Fresh =>
  (role) =>
    freshAddress(`${role} ${token} ${seed}`)

/** Slot of an address's entry in a Solidity mapping at slot `base`; both hex with `0x`. */
export const mapSlot = (key: string, base: string): string =>
  keccakHex(Buffer.from(`${key.slice(2).padStart(64, '0')}${base.slice(2)}`, 'hex'))

/** Vyper and old layouts hash the base first. */
export const mapSlotReversed = (key: string, base: string): string =>
  keccakHex(Buffer.from(`${base.slice(2)}${key.slice(2).padStart(64, '0')}`, 'hex'))

const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`

/** Storage of a token's balances. `contract` differs from the token when it stores them elsewhere. */
export type BalanceSlot = { contract: string; slotOf: (holder: string) => string }

/** Limits of candidate mappings from the code and of slots from the access list. Honest tokens need a few of either. */
const [MAX_BASES, MAX_TOUCHED] = [16, 32]

/**
 * Finds where a token stores balances. Candidates are the mappings that the code reads (or the first 12 slots), then
 * slots of the node's access list; each is tested with an overridden balance. `undefined` when none changes balanceOf.
 */
export const findBalanceSlot = async (
  chain: ChainReader,
  token: string,
  bases: string[],
): Promise<BalanceSlot | undefined> => {
  const holder = freshFor(chain, token)('slot finder')
  const data = `0x70a08231${holder.slice(2).padStart(64, '0')}`
  const works = async (contract: string, slot: string, value: bigint) => {
    const answer = await chain.execute({ to: token, data }, { [contract]: { stateDiff: { [slot]: word(value) } } })
    return answer !== undefined && answer.length >= 66 && BigInt(answer.slice(0, 66)) > 0n
  }
  const guesses = bases.length > 0 ? bases.slice(0, MAX_BASES) : Array.from({ length: 12 }, (_, i) => word(BigInt(i)))
  for (const hash of [mapSlot, mapSlotReversed]) {
    const tried = await Promise.all(guesses.map((base) => works(token, hash(holder, base), 10n ** 30n)))
    const hit = guesses[tried.indexOf(true)]
    if (hit) return { contract: token, slotOf: (who) => hash(who, hit) }
  }
  const touched = (await chain.accessList({ to: token, data, gas: '0x1e8480' })) ?? []
  const slots = touched.flatMap(({ address, storageKeys }) =>
    storageKeys.map((key) => ({ contract: address.toLowerCase(), key })),
  )
  for (const { contract, key } of slots.slice(0, MAX_TOUCHED)) {
    if (!(await works(contract, key, 10n ** 30n))) continue
    for (const hash of [mapSlot, mapSlotReversed]) {
      for (let i = 0; i < 300; i++) {
        const base = word(BigInt(i))
        if (hash(holder, base) === key) return { contract, slotOf: (who) => hash(who, base) }
      }
    }
  }
  return undefined
}

/** Merges overrides; `b` wins for the same field or slot. */
export const merge = (a: Overrides, b: Overrides): Overrides => {
  const merged: Overrides = { ...a }
  for (const [address, override] of Object.entries(b)) {
    const known = merged[address]
    merged[address] = {
      ...known,
      ...override,
      ...(known?.stateDiff || override.stateDiff ? { stateDiff: { ...known?.stateDiff, ...override.stateDiff } } : {}),
    }
  }
  return merged
}

const actorsOf = (director: string, actors: string[]): Overrides =>
  Object.fromEntries(actors.map((actor) => [actor, { code: actorCode(director), balance: quantity(RICH) }]))

/** Makes addresses act in the simulation. Existing code of theirs is replaced within it. */
export const withActors = (simulation: SimulationSetup, actors: string[]): SimulationSetup => ({
  ...simulation,
  overrides: merge(
    simulation.overrides,
    actorsOf(
      simulation.director,
      actors.filter((actor) => actor !== simulation.director),
    ),
  ),
})

/** Adds another account like the person, for a role. */
export const withAnother = (
  chain: ChainReader,
  simulation: SimulationSetup,
  role: string,
): [SimulationSetup, string] => {
  const another = simulation.fresh(role)
  const overrides = merge(simulation.overrides, { [another]: accountFor(chain, another, ANOTHERS_GAS) })
  return [{ ...simulation, overrides }, another]
}

/** A transaction sent by the person. `gasPrice`: wei, if not the usual price. */
export const personCall = (
  chain: ChainReader,
  simulation: SimulationSetup,
  to: string,
  data: string,
  gasPrice = chain.gasPrice,
): ChainCall => ({
  from: simulation.person,
  gasPrice: quantity(gasPrice),
  to,
  data,
  gas: quantity(PERSON_GAS),
})

/** Input of a setup. Without a balance slot no account holds tokens that were not bought. */
export type SetupInput = {
  chain: ChainReader
  token: string
  market: Market | undefined
  wrappedNative: string
  balances: BalanceSlot | undefined
  supply: bigint
  /** Finds the balance slot of a base asset other than the wrapped native coin. */
  baseBalances: (base: BaseAsset) => Promise<BalanceSlot | undefined>
}

/** Builds the setup for a token and its market. Without a market, sales become transfers to a fresh address. */
export const buildSetup = async (input: SetupInput): Promise<SimulationSetup> => {
  const { chain, token, market, wrappedNative } = input
  const fresh = freshFor(chain, token)
  const [director, person] = [fresh('director'), fresh('person')]
  const [victim, bystander, receiver] = [fresh('victim'), fresh('bystander'), fresh('receiver')]
  const [buyer, holder] = [fresh('buyer'), fresh('holder')]
  const small = market ? market.baseReserve / 1_000n : 0n
  const setup: Setup = {
    token,
    base: market?.base.address ?? ZERO,
    pool: market?.pool ?? fresh('no pool'),
    kind: market?.kind ?? 'none',
    fee: market?.terms ?? market?.fee ?? 0,
    router: ZERO,
    hooks: market?.hooks ?? ZERO,
    small: small > 0n ? small : 1n,
    large: market ? market.baseReserve / 10n : 1n,
    victim,
    bystander,
    receiver,
    buyer,
  }
  let overrides: Overrides = {
    [director]: { code: simulatorCode(setup.kind), balance: quantity(RICH) },
    [person]: accountFor(chain, person, GAS_LIMIT),
    ...actorsOf(director, [victim, bystander, buyer, holder]),
  }
  const funding: Step[] = []
  const wanted = market ? market.baseReserve * 4n : 0n
  let funded = true
  if (market && market.base.address === wrappedNative) {
    funding.push({ op: 'call', actor: director, target: wrappedNative, data: '0xd0e30db0', value: wanted })
  } else if (market && market.base.address !== ZERO) {
    const slot = await input.baseBalances(market.base)
    funded = slot !== undefined
    if (slot) {
      overrides = merge(overrides, { [slot.contract]: { stateDiff: { [slot.slotOf(director)]: word(wanted) } } })
    }
  }
  const { balances } = input
  if (balances) {
    const injected = input.supply > 0n ? input.supply / 1_000n : 10n ** 20n
    overrides = merge(overrides, { [balances.contract]: { stateDiff: { [balances.slotOf(holder)]: word(injected) } } })
  }
  const victimSlot = balances?.contract === token ? balances.slotOf(victim) : undefined
  const people = { fresh, director, person, holder }
  return { setup, ...people, injected: balances !== undefined, victimSlot, overrides, funded, funding }
}

const callOf = (
  chain: ChainReader,
  simulation: SimulationSetup,
  steps: Step[],
  another?: string,
  gasPrice = chain.gasPrice,
): ChainCall => ({
  from: another ?? simulation.person,
  gasPrice: quantity(gasPrice),
  to: simulation.director,
  data: encodeRun(simulation.setup, steps),
  gas: quantity(another ? ANOTHERS_GAS : GAS_LIMIT),
})

/** Runs the steps in one eth_call. `undefined` when the node could not run them or the deadline passed. */
export const runScript = async (
  chain: ChainReader,
  simulation: SimulationSetup,
  steps: Step[],
  moment?: Moment,
): Promise<StepResult[] | undefined> =>
  decodeRun(steps, await chain.execute(callOf(chain, simulation, steps), simulation.overrides, moment))

/** `from`: sender, if not the person. `gasPrice`: wei, if not the usual price. */
export type Script = { before?: ChainCall[]; steps: Step[]; moment: Moment; from?: string; gasPrice?: bigint }

/** Runs scripts, each on the state left by the previous one and after its `before` calls. */
export const runSequence = async (
  chain: ChainReader,
  simulation: SimulationSetup,
  scripts: Script[],
): Promise<(StepResult[] | undefined)[] | undefined> =>
  (await runCallsAndScripts(chain, simulation, scripts))?.map(({ results }) => results)

/** The same, with the return data of the `before` calls; `undefined` for failed calls. */
export const runCallsAndScripts = async (
  chain: ChainReader,
  simulation: SimulationSetup,
  scripts: Script[],
): Promise<{ calls: (string | undefined)[]; results: StepResult[] | undefined }[] | undefined> => {
  const answers = await chain.sequence(
    scripts.flatMap(({ before = [], steps, moment, from, gasPrice }) =>
      [...before, callOf(chain, simulation, steps, from, gasPrice)].map((call) => ({ call, moment })),
    ),
    simulation.overrides,
  )
  let at = 0
  return (
    answers &&
    scripts.map(({ before = [], steps }) => {
      const calls = answers.slice(at, at + before.length)
      at += before.length + 1
      return { calls, results: decodeRun(steps, answers[at - 1]) }
    })
  )
}
