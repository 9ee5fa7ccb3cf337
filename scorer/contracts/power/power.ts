/** Input and result of the search for powers over a token. */
import type { ChainReader } from '../chain/chain.ts'
import type { Observation, Step } from '../chain/simulator/script.ts'
import type { FunctionFacts } from '../code/abstract/facts.ts'
import type { SimulationSetup } from '../trade/simulation-setup.ts'
import type { Spender } from './accounts/spenders.ts'
import type { Argument, Candidate } from './calls/arguments.ts'
import type { Effect } from './effects/effects.ts'

/** A simulated call that changed something for holders, with everything needed to repeat it. */
export type Power = {
  effect: Effect
  /** The called contract: the token, or a helper that its transfers call. */
  target: string
  selector: string
  actor: string
  /** Whether any account can make the call. */
  anyone: boolean
  data: string
  /** Native coins sent with the call, in wei. */
  value?: bigint
  /** Whether the actor must also be `tx.origin`. */
  actorIsOrigin: boolean
  /** Selectors of the calls that must come first, and whether time must pass in between. */
  after?: { first?: string; middle?: string; delayed: boolean }
  kinds: string[]
  args: Argument[]
  /** Largest share that a trade or transfer loses after the call, percent. */
  tax: number
  /** Whether a mint reverts when it is repeated. */
  singleUse: boolean
  /** The account that a trade of anybody credits with new tokens. */
  credits?: string
  /** Set for a plain transfer or approval whose effect still holds a week later and that has no effect when made by anyone else. */
  lasts?: true
}

/** A call that did not revert. `ownerAfter`: the word that `owner()` returned after it. */
export type AcceptedCall = Candidate & { ownerAfter: bigint | undefined }

/** Why powers may exist that the search could not prove. */
export type Unproven = {
  /** Why a function that no simulated caller could use may still move tokens. */
  movesTokens?: string | undefined
  /** Why trades may create tokens for an account that cannot be read. */
  createsTokens?: string | undefined
  /** Why such a function, or another contract, may still control transfers. */
  controlsTransfers?: string | undefined
  /** Selectors of such functions whose authorized accounts are unknown. */
  guardedByList: readonly string[]
}

/** Result of a search for powers. Absence of a power is certain only if nothing was skipped, cut or left unproven. */
export type PowerFacts = {
  token: string
  /** Contract in the simulation that answers zero to every call. */
  refuser: string
  /** Contract in the simulation that reverts on every call. */
  failer: string
  powers: Power[]
  /** Number of calls that did not revert, helpers included. */
  accepted: number
  /** Calls of the token that did not revert. */
  calls: AcceptedCall[]
  /** Number of calls that were tried. */
  tried: number
  /** Tried calls that could not run because gas, time or a node was missing. */
  skipped: number
  /** Whether the limit on single calls cut the search. */
  cut: boolean
  /** Whether the limit on sequences of calls cut the search. */
  sequencesCut: boolean
  unproven: Unproven
  /** Accounts without code that transfers approve to spend the receiver's tokens. */
  spenders: readonly Spender[]
  /** Whether all code was read and all accounts that helpers obey were simulated. */
  complete: boolean
  /** Whether a transfer between wallets works before any call. Without it, freezes cannot be detected. */
  movable: boolean
  /** What the victim can do before any call. */
  baseline: Observation | undefined
}

/**
 * A dependency of transfers that the simulation cannot exercise. `absent`: an address without code yet. `destructible`: a
 * contract that can be destroyed and redeployed with other code. `untried`: a contract beyond the limit. `balance`: an
 * account whose native balance or code is read. `ownBalance`: the token, whose own native balance is read.
 */
export type UnresolvedDependency = {
  address: string
  kind: 'absent' | 'destructible' | 'untried' | 'balance' | 'ownBalance'
}

/** A contract that the token's functions call or delegate to. */
export type QueriedContract = {
  address: string
  functions: FunctionFacts[]
  /** Addresses in its storage, by `slot:shift`. */
  stored: Map<string, string>
  /** Accounts without code that it names, directly or through an indirect contract. */
  accounts: string[]
  /** Contracts that it calls in turn. */
  indirect: string[]
}

/** Input of a search for powers, all at the pinned block. */
export type PowerInput = {
  chain: ChainReader
  simulation: SimulationSetup
  /** Steps that run after funding, such as opening trade or renouncing ownership. */
  opening: Step[]
  functions: FunctionFacts[]
  supply: bigint
  /** Accounts that may have rights: owner first, then roles, creator, stored and hard-coded addresses. */
  insiders: string[]
  /** An account without any rights: what it can do, anyone can do. */
  stranger: string
  /** Accounts that may call a function of the token, most likely first. */
  actorsOf: (facts: FunctionFacts) => string[]
  /** Contracts that transfers call, with the accounts that may call their functions. */
  helpers: { address: string; functions: FunctionFacts[]; actorsOf: (facts: FunctionFacts) => string[] }[]
  /** Contracts that the token's functions call. */
  queried?: readonly QueriedContract[]
  /** Addresses in the token's storage, by `slot:shift`. */
  stored?: ReadonlyMap<string, string>
  /** Maximum number of single calls of the token. */
  limit: number
  /** Storage slot of the victim's balance, if the token keeps balances itself. */
  balanceSlot?: string | undefined
  /** Dependencies of transfers that the simulation cannot exercise. */
  unresolved?: readonly UnresolvedDependency[]
  /** Whether all code was read. */
  complete: boolean
  /** Block number and time of the simulation. */
  moment: { number: number; time: number }
  /** Called as soon as it is known whether a transfer between wallets works. */
  onScene?: ((movable: boolean) => void) | undefined
}
