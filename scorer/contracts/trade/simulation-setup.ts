/** The setup of a simulation: who acts, what they hold, which market they meet; and how scripts are run on it. */
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

/** Gas of a simulation at most, where the node grants it. */
export const GAS_LIMIT = 400_000_000n
/** Gas of a script of another account, beside one of the person's in a block: nodes add up what a block may use. */
const ANOTHERS_GAS = 90_000_000n
/** Gas of one transaction of an account: a sale that swaps fees on its way needs a million or two. */
const PERSON_GAS = 5_000_000
const RICH = 10n ** 27n
/** What somebody has who trades: half a coin to two and a half, wei, and the transactions of a year. */
const [LEAST_BALANCE, SPREAD, TRANSACTIONS] = [5n * 10n ** 17n, 2n * 10n ** 18n, 231n]

/** Actors, their means and the market, as overrides and first steps of every script. */
export type SimulationSetup = {
  setup: Setup
  director: string
  /** The address of a role, which nobody could foresee. */
  fresh: Fresh
  /** Who begins transactions and trades as people do: an account without code, with coins and a past. */
  person: string
  /** Addresses with a balance injected before the simulation; empty when no balance slot was found. */
  injected: boolean
  holder: string
  /** Where the token keeps the victim's balance, if it does so itself. */
  victimSlot: string | undefined
  overrides: Overrides
  /** Whether the director has base assets to trade with; true where there is no market. */
  funded: boolean
  /** Steps that give the director base assets to trade with. */
  funding: Step[]
}

/** A node takes the price of all gas from the balance first: what is left is what anybody else sees. */
const accountFor = (chain: ChainReader, account: string, gas: bigint) => ({
  balance: quantity(LEAST_BALANCE + (BigInt(account) % SPREAD) + gas * chain.gasPrice),
  nonce: quantity(TRANSACTIONS),
})

/** A fresh address nobody has used, the same for the same name. */
export const freshAddress = (name: string): string => `0x${keccakHex(Buffer.from(`assay ${name}`)).slice(26)}`

/** Addresses of roles. Whoever could compute one could write a token that spares it: they depend on the state of the pinned block. */
export type Fresh = (role: string) => string
/** Such addresses for the analysis of a token at one block. */
export const freshFor =
  ({ seed }: Pick<ChainReader, 'seed'>, token: string): Fresh =>
  (role) =>
    freshAddress(`${role} ${token} ${seed}`)

/** The slot of an address's entry in a Solidity mapping at slot `base`; both hex with `0x`. */
export const mapSlot = (key: string, base: string): string =>
  keccakHex(Buffer.from(`${key.slice(2).padStart(64, '0')}${base.slice(2)}`, 'hex'))

/** Vyper and old layouts hash the base first. */
const mapSlotReversed = (key: string, base: string): string =>
  keccakHex(Buffer.from(`${base.slice(2)}${key.slice(2).padStart(64, '0')}`, 'hex'))

const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`

/** Where balances of a token lie. `contract` may be another than the token: some keep them apart. */
export type BalanceSlot = { contract: string; slotOf: (holder: string) => string }

/** Places in the code, and slots a node names, that are tried for a balance: honest tokens need a few of either. */
const [MOST_BASES, MOST_TOUCHED] = [16, 32]

/**
 * Where a token keeps balances: candidates from the code's own mapping look-ups (or the first 12 slots) and from the
 * node's access list, each tried by pretending a balance. `undefined` when none moves balanceOf.
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
  const guesses = bases.length > 0 ? bases.slice(0, MOST_BASES) : Array.from({ length: 12 }, (_, i) => word(BigInt(i)))
  for (const hash of [mapSlot, mapSlotReversed]) {
    const tried = await Promise.all(guesses.map((base) => works(token, hash(holder, base), 10n ** 30n)))
    const hit = guesses[tried.indexOf(true)]
    if (hit) return { contract: token, slotOf: (who) => hash(who, hit) }
  }
  const touched = (await chain.accessList({ to: token, data, gas: '0x1e8480' })) ?? []
  const slots = touched.flatMap(({ address, storageKeys }) =>
    storageKeys.map((key) => ({ contract: address.toLowerCase(), key })),
  )
  for (const { contract, key } of slots.slice(0, MOST_TOUCHED)) {
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

/** Both overrides; where they name the same field or slot of an account, that of `b`. */
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

/** Adds addresses that must be able to act. Code they have is replaced within the simulation. */
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

/** Another account like the person, the same for the same role. */
export const withAnother = (
  chain: ChainReader,
  simulation: SimulationSetup,
  role: string,
): [SimulationSetup, string] => {
  const another = simulation.fresh(role)
  const overrides = merge(simulation.overrides, { [another]: accountFor(chain, another, ANOTHERS_GAS) })
  return [{ ...simulation, overrides }, another]
}

/** A transaction of the person's own. */
export const personCall = (chain: ChainReader, simulation: SimulationSetup, to: string, data: string): ChainCall => ({
  from: simulation.person,
  gasPrice: quantity(chain.gasPrice),
  to,
  data,
  gas: quantity(PERSON_GAS),
})

/** What a setup is made of. Without a balance slot nobody holds tokens that were not bought. */
export type SetupInput = {
  chain: ChainReader
  token: string
  market: Market | undefined
  wrappedNative: string
  balances: BalanceSlot | undefined
  supply: bigint
  /** Balance slot of a base asset that is not the wrapped native coin. */
  baseBalances: (base: BaseAsset) => Promise<BalanceSlot | undefined>
}

/** Sets up the simulation around a token and its market. Without a market, sells become transfers to a fresh address. */
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

/** Runs the steps in one eth_call. `undefined`: the node could not or the deadline passed. */
export const runScript = async (
  chain: ChainReader,
  simulation: SimulationSetup,
  steps: Step[],
  moment?: Moment,
): Promise<StepResult[] | undefined> =>
  decodeRun(steps, await chain.execute(callOf(chain, simulation, steps), simulation.overrides, moment))

/** `from`: another account that begins the transaction, if that is not the person. `gasPrice`: wei, if it is not the usual one. */
export type Script = { before?: ChainCall[]; steps: Step[]; moment: Moment; from?: string; gasPrice?: bigint }

/** Runs one script per moment, each on the state the one before left, after the calls that come `before` it. */
export const runSequence = async (
  chain: ChainReader,
  simulation: SimulationSetup,
  scripts: Script[],
): Promise<(StepResult[] | undefined)[] | undefined> =>
  (await runCallsAndScripts(chain, simulation, scripts))?.map(({ results }) => results)

/** The same, with what the calls answered; `undefined` for one that failed. */
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
