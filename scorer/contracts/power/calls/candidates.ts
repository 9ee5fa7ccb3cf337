/** Generates calls to try: every state-changing function, as every account it may obey, with arguments that show an effect. */
import { keccakHex } from '../../../../platform/keccak.ts'
import type { FunctionFacts } from '../../code/abstract/facts.ts'
import { type Argument, argumentWord, type Candidate, encodeArguments, SELF_SERVICE, word } from './arguments.ts'
import { coinsFor, DEFAULT_COINS, withCoinsOrPadding } from './envelope.ts'
import { type BalancePlace, storageWrites } from './storage-writes.ts'
import { triggerLists } from './triggers.ts'

/** Input for generating calls. If `limit` cuts, the order of functions and actors decides what is tried. */
export type CandidateInput = {
  functions: FunctionFacts[]
  victim: string
  /** Token balance of the victim; amounts are fractions of it. */
  held: bigint
  supply: bigint
  /** Accounts that the function may obey, most likely first. */
  actorsOf: (facts: FunctionFacts) => string[]
  receiver: string
  /** A contract that returns 0 to every call, and empties the victim's balance when a token delegates to it. */
  refuser: string
  /** A contract that reverts on every call. */
  failer: string
  /** A contract that returns 1 to every call. */
  agreer: string
  token: string
  /** Base asset, which functions that sweep foreign tokens are asked to send. */
  base: string
  limit: number
  /** Where the token keeps balances, if it keeps them itself. */
  balances?: BalancePlace | undefined
  /** Word constants that callers of this contract may pass to it. */
  words?: readonly bigint[]
  /** Whether to try only arguments with an immediate effect: large amounts, to the actor or from the victim. */
  brief?: boolean
}

/** Twice the supply: an amount whose effect cannot be overlooked. */
const hugeAmount = ({ supply }: CandidateInput): bigint => (supply || 10n ** 24n) * 2n
/** An amount that a cap on the supply may still allow. */
const quarterOf = ({ supply }: CandidateInput): bigint => supply / 4n

/** Half of the victim's balance. */
const halfBalance = ({ held }: CandidateInput): bigint => (held > 0n ? held / 2n : 10n ** 18n)

/** Numbers to try for a function: shares in percent and basis points, amounts, and constants of the code. */
const numbersFor = (facts: FunctionFacts, input: CandidateInput): bigint[] => {
  if (input.brief) return [hugeAmount(input), halfBalance(input)]
  const hints = facts.hints.flat().filter((hint) => hint > 1n && hint < 1n << 128n)
  const near = hints.flatMap((hint) => [hint, hint - 1n]).slice(0, 6)
  const amount = halfBalance(input)
  const numbers = [99n, 20n, 5n, 0n, 1n, amount, hugeAmount(input), quarterOf(input), 990n, ...near]
  return [...new Set(numbers)]
}

/** A word that holds the number 99 whatever the width of the numbers packed into it. */
const PACKED = BigInt(`0x${'63'.repeat(32)}`)
/** Lengths of lists of numbers. */
const LENGTHS = [1, 2, 3, 4]
/** Calls to functions that only the contract itself may call, and such calls of one function. */
const MAX_SELF_CALLS = 8
const MAX_SELF_CALLS_PER_FUNCTION = 4
/** Mapping keys that may stand for an account: its number, and hashes of it. */
const keysOf = (account: string): bigint[] => {
  const bytes = account.slice(2)
  const hashes = [bytes.padStart(64, '0'), bytes].map((text) => BigInt(keccakHex(Buffer.from(text, 'hex'))))
  return [BigInt(account), ...hashes]
}

/** Small constants that number arguments are compared with: they may select what is done with the bytes beside them. */
const commandsOf = ({ args, hints }: FunctionFacts): bigint[] => {
  const small = args.flatMap((kind, i) => (kind === 'uint' ? (hints[i] ?? []).filter((hint) => hint < 256n) : []))
  return [...new Set(small)].slice(0, MAX_COMMANDS)
}
const MAX_COMMANDS = 8

/** Number arguments of one function that are tried large while the others are small. */
const MAX_ALONE = 4

/** Accounts that `count` address arguments name, in order; the function repeats a list that is too short. */
const addressListsFor = (
  { brief, victim, receiver, base }: CandidateInput,
  actor: string,
  count: number,
): string[][] => {
  if (count === 0) return [[victim]]
  if (brief)
    return [
      [actor, victim],
      [victim, actor],
    ]
  if (count === 1) return [[victim], [actor], [base]]
  return [
    [victim, receiver],
    [victim, actor],
    [receiver, victim],
    [base, victim],
    [base, actor],
  ]
}

/**
 * Argument lists for one function. The first address is usually the victim, a second one the caller or the receiver.
 * `inner`: for a call that the contract makes to itself; it contains no further call.
 */
function* listsFor(
  facts: FunctionFacts,
  input: CandidateInput,
  actor: string,
  inner = false,
): Generator<Argument[], undefined> {
  const kinds = facts.args
  const build = (number: bigint, flag: boolean, who: string[]): Argument[] => {
    let addresses = 0
    let arrays = 0
    return kinds.map((kind): Argument => {
      if (kind === 'address') return who[addresses++ % who.length] ?? input.victim
      if (kind === 'bool') return flag
      if (kind === 'array') return { array: [arrays++ === 0 ? input.victim : number] }
      return number
    })
  }
  const numbers =
    kinds.includes('uint') || kinds.filter((kind) => kind === 'array').length > 1 ? numbersFor(facts, input) : [0n]
  const flags = kinds.includes('bool') && !input.brief ? [true, false] : [true]
  const addressCount = kinds.filter((kind) => kind === 'address').length
  const { victim, base } = input
  const addressLists = addressListsFor(input, actor, addressCount)
  if (input.balances) yield* storageWrites(facts, input.balances, { victim: input.victim, most: hugeAmount(input) })
  if (!input.brief) yield* triggerLists(facts, input, actor)
  if (kinds.includes('array')) {
    // Arrays and bytes look alike in code. Bytes may decode to an account and an amount, or hold an address without padding.
    const most = hugeAmount(input)
    const addresses = facts.delegates ? [input.refuser, victim] : [victim]
    const contents: Argument[] = [
      ...[[actor, most], [most], [most, actor], [victim]].map((bytes) => ({ bytes })),
      { call: victim.slice(2) },
    ]
    for (const number of [most, ...commandsOf(facts)]) {
      for (const who of addresses) {
        for (const content of contents)
          yield build(number, true, [who]).map((arg) => (typeof arg === 'object' ? content : arg))
      }
    }
    yield build(most, true, [actor]).map((arg) => (typeof arg === 'object' ? { bytes: [] } : arg))
    for (const call of facts.calls && !inner ? selfCalls(input, actor) : [])
      yield build(0n, true, [input.token]).map((arg) => (typeof arg === 'object' ? { call } : arg))
  }
  for (const who of addressLists) {
    for (const flag of flags) {
      const few = !flag || who[0] === base
      for (const number of few && numbers.length > 1 ? numbers.slice(0, 6) : numbers) yield build(number, flag, who)
    }
  }
  if (input.brief) return
  // Of several numbers one may be a type, a fee or part of a signature, and revert on a large value.
  const positions = kinds.flatMap((kind, i) => (kind === 'uint' ? [i] : [])).slice(0, MAX_ALONE)
  for (const position of positions.length > 1 ? positions : []) {
    for (const who of addressLists.slice(0, 2)) {
      for (const large of [halfBalance(input), hugeAmount(input)]) {
        yield build(1n, true, who).map((arg, i) => (i === position ? large : arg))
      }
    }
  }
  // The reverse: an amount may need a distant deadline beside it, while one other number must stay small.
  for (const position of positions.length > 2 ? positions : []) {
    for (const who of addressLists.slice(0, 2))
      yield build(hugeAmount(input), true, who).map((arg, i) => (i === position ? 1n : arg))
  }
  // An account that may only act for itself can register a contract, or itself, in its name.
  if (facts.callerArgs.size > 0 && addressCount > 1) {
    for (const other of [input.failer, actor]) {
      for (const number of [...(input.words ?? []), 1n])
        yield build(number, true, [other]).map((arg, i) => (facts.callerArgs.has(i) ? actor : arg))
    }
  }
  // A mapping may key accounts by number or by hash.
  for (const position of kinds.flatMap((kind, i) => (kind === 'uint' && facts.keyArgs.has(i) ? [i] : [])))
    for (const key of keysOf(victim)) yield build(1n, true, [victim]).map((arg, i) => (i === position ? key : arg))
  if (kinds.length === 1 && kinds[0] === 'uint') yield [PACKED]
  if (kinds.length === 1 && kinds[0] === 'address') {
    yield [input.refuser]
    yield [input.failer]
    yield [input.agreer]
  }
  // The element type of an array is unknown: try numbers as well.
  if (kinds.length === 1 && kinds[0] === 'array')
    for (const length of LENGTHS) yield [{ array: Array.from({ length }, () => 99n) }]
}

/** Calldata, hex without 0x, of functions that only the contract itself may call. */
function* selfCalls(input: CandidateInput, actor: string): Generator<string, undefined> {
  let left = MAX_SELF_CALLS
  for (const facts of input.functions) {
    if (!facts.bySelf || !facts.writes) continue
    const lists = listsFor(facts, { ...input, brief: true }, actor, true)
    for (let i = 0; i < MAX_SELF_CALLS_PER_FUNCTION; i++) {
      const { value } = lists.next()
      if (!value) break
      if (left-- <= 0) return
      yield encodeArguments(facts.selector, value).slice(2)
    }
  }
}

/** A selector that no function has. */
const UNUSED_SELECTOR = '0x13570246'

/** First words of calldata, among those the code compares with, that are tried. */
const MAX_HEADS = 2

/** Calls of the fallback function: with and without coins, with an amount or an account and an amount in the data. */
function* fallbackCalls(facts: FunctionFacts, input: CandidateInput): Generator<Candidate, undefined> {
  const most = word(hugeAmount(input))
  for (const actor of input.actorsOf(facts)) {
    const who = argumentWord(actor)
    const calls: [data: string, value?: bigint][] = [
      ...coinsFor(facts).map((value): [string, bigint] => ['0x', value]),
      ...facts.envelope.head.slice(0, MAX_HEADS).map((head): [string] => [`0x${word(head)}`]),
      ['0x', DEFAULT_COINS],
      ['0x'],
      [`0x${most}`],
      [`${UNUSED_SELECTOR}${most}`],
      [`${UNUSED_SELECTOR}${who}${most}`],
      [`0x${who}${most}`],
      [`${UNUSED_SELECTOR}${most}`, DEFAULT_COINS],
    ]
    for (const [data, value] of calls) {
      yield {
        selector: facts.selector,
        actor,
        data,
        args: [],
        kinds: [],
        actorIsOrigin: false,
        ...(value === undefined ? {} : { value }),
      }
    }
  }
}

/** Candidates of one function, generated lazily. If the function checks `tx.origin`, each is also made by its actor as origin. */
function* candidatesFor(facts: FunctionFacts, input: CandidateInput): Generator<Candidate, undefined> {
  for (const candidate of facts.selector === 'fallback' ? fallbackCalls(facts, input) : functionCalls(facts, input)) {
    yield candidate
    if (facts.byOrigin) yield { ...candidate, actorIsOrigin: true }
  }
}

/** Up to this many accounts try all arguments of a function one after the other. */
const MAX_EXHAUSTIVE_ACTORS = 3
/** First calls of an account that are repeated with coins and padding. */
const MAX_FIRST = 8

function* functionCalls(facts: FunctionFacts, input: CandidateInput): Generator<Candidate, undefined> {
  const seen = new Set<string>()
  const actors = input.actorsOf(facts)
  // If there are many actors, each tries the brief arguments before the first tries all arguments.
  for (const actor of actors.length > MAX_EXHAUSTIVE_ACTORS ? actors : []) {
    for (const args of listsFor(facts, { ...input, brief: true }, actor)) {
      const data = encodeArguments(facts.selector, args)
      seen.add(`${actor}${data}`)
      yield { selector: facts.selector, actor, args, kinds: facts.args, actorIsOrigin: false, data }
    }
  }
  for (const actor of actors) {
    const first: Candidate[] = []
    for (const args of listsFor(facts, input, actor)) {
      const data = encodeArguments(facts.selector, args)
      if (seen.has(`${actor}${data}`)) continue
      seen.add(`${actor}${data}`)
      const candidate = { selector: facts.selector, actor, args, kinds: facts.args, actorIsOrigin: false }
      yield { ...candidate, data }
      if (first.length < MAX_FIRST && first.push({ ...candidate, data }) === MAX_FIRST)
        yield* withCoinsOrPadding(facts, first)
      // A trusted forwarder appends the account it acts for to the calldata (ERC-2771).
      const forwards = SELF_SERVICE.has(facts.selector) && facts.callerSlots.length + facts.callerConstants.length > 0
      if (forwards && args.length < 3) yield { ...candidate, data: `${data}${input.victim.slice(2)}` }
    }
    if (first.length < MAX_FIRST) yield* withCoinsOrPadding(facts, first)
  }
}

/**
 * At most `limit` candidates. Functions take turns, so that a cut affects all alike. Time depends on the number of
 * candidates returned, not on the number of functions.
 */
export const candidatesOf = (input: CandidateInput): Candidate[] => {
  let open = input.functions
    .filter((facts) => facts.writes || facts.calls || facts.delegates || facts.creates || facts.destroys)
    // A fallback that only delegates runs functions of the other code, which are tried by selector.
    .filter((facts) => facts.selector !== 'fallback' || facts.writes || facts.calls)
    .map((facts) => candidatesFor(facts, input))
  const all: Candidate[] = []
  while (open.length > 0) {
    const left: typeof open = []
    for (const candidates of open) {
      if (all.length >= input.limit) return all
      const { value } = candidates.next()
      if (!value) continue
      all.push(value)
      left.push(candidates)
    }
    open = left
  }
  return all
}
