/** What is asked of a search for powers, and what it finds. */
import type { ChainReader } from '../chain/chain.ts'
import type { Observation, Step } from '../chain/simulator/script.ts'
import type { FunctionFacts } from '../code/abstract/facts.ts'
import type { SimulationSetup } from '../trade/simulation-setup.ts'
import type { Argument, Candidate } from './calls/arguments.ts'
import type { Effect } from './effects/effects.ts'

/** A call that was executed and did something to holders: proof of a power, and how to repeat it. */
export type Power = {
  effect: Effect
  /** The contract called: the token, or one that its transfers ask. */
  target: string
  selector: string
  actor: string
  /** Whether nobody in particular can do it. */
  anyone: boolean
  data: string
  /** Coins sent along. */
  value?: bigint
  /** Whether the actor has to begin the transaction. */
  actorIsOrigin: boolean
  /** Selectors of the calls that have to come first, and whether time has to pass in between. */
  after?: { first?: string; middle?: string; delayed: boolean }
  kinds: string[]
  args: Argument[]
  /** Percent lost after a tax power. */
  tax: number
  /** A mint that is refused the second time. */
  singleUse: boolean
  /** Of a plain transfer or approval: a week later it is still so, and the same call of anybody else's does nothing. */
  lasts?: true
}

/** A call that was accepted, and the word owner() answered then. */
export type AcceptedCall = Candidate & { ownerAfter: bigint | undefined }

/**
 * Why functions that nobody could be seen to use may do more than was found: move tokens (`moving`), or rule what transfers ask
 * (`ruling`). `listed`: selectors of those among them that obey a list of which no member is known.
 */
export type Unproven = {
  movesTokens?: string | undefined
  controlsTransfers?: string | undefined
  guardedByList: readonly string[]
}

/** What a search for powers found. None were found for certain only where nothing was skipped, cut or unseen. */
export type PowerFacts = {
  token: string
  /** Contracts in the simulation that refuse, and that fail whatever they are asked. */
  refuser: string
  failer: string
  powers: Power[]
  /** Calls that were accepted, and all that were tried. */
  accepted: number
  calls: AcceptedCall[]
  tried: number
  /** Tried calls that could not be run for lack of gas, time or an answering node. */
  skipped: number
  /** There was more to try than may be tried. */
  cut: boolean
  /** The same of calls that need another before them. */
  sequencesCut: boolean
  /** What could not be seen done, and why. */
  unproven: Unproven
  /** Whether all functions were read, and each tried in several ways. */
  complete: boolean
  /** A transfer between wallets worked to begin with; without it freezes cannot be told. */
  movable: boolean
  baseline: Observation | undefined
}

/** Where a contract is that nobody has met: none is there yet, it can be made anew, or others were tried in its place. `weighed`: an account whose coins count. `own`: the token, whose own do. */
export type UnresolvedDependency = {
  address: string
  kind: 'absent' | 'destructible' | 'untried' | 'balance' | 'ownBalance'
}

/** A contract that functions ask, call or borrow code from. */
export type QueriedContract = {
  address: string
  functions: FunctionFacts[]
  /** `slot:shift` to the address that stands there. */
  stored: Map<string, string>
  /** Accounts without code that it names, or a contract behind it. */
  accounts: string[]
  /** The contracts behind it. */
  indirect: string[]
}

/** What a search for powers is given. All of it is of the pinned block. */
export type PowerInput = {
  chain: ChainReader
  simulation: SimulationSetup
  /** Steps after funding that set the scene: openers, renouncing. */
  opening: Step[]
  functions: FunctionFacts[]
  supply: bigint
  /** Everyone with a claim: owner first, then roles, creator, stored and hard-coded addresses. */
  insiders: string[]
  /** Nobody in particular: what this address can do, anyone can. */
  stranger: string
  actorsOf: (facts: FunctionFacts) => string[]
  /** Contracts that transfers ask, with the people they obey. */
  helpers: { address: string; functions: FunctionFacts[]; actorsOf: (facts: FunctionFacts) => string[] }[]
  /** Contracts that functions ask, with whom these name, and addresses that the token stores. */
  queried?: readonly QueriedContract[]
  stored?: ReadonlyMap<string, string>
  limit: number
  /** Where the token keeps the victim's balance, if it does so itself. */
  balanceSlot?: string | undefined
  /** Contracts that the code names and whose word cannot be tried. */
  unresolved?: readonly UnresolvedDependency[]
  /** Whether all code was read. */
  complete: boolean
  moment: { number: number; time: number }
  /** Told as soon as it is known whether a transfer between wallets works. */
  onScene?: ((movable: boolean) => void) | undefined
}
