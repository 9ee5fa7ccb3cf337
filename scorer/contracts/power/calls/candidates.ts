/** Calls worth trying: every state-changing function, as everyone it might obey, with arguments that would bite. */
import { keccakHex } from '../../../../platform/keccak.ts'
import type { FunctionFacts } from '../../code/abstract/facts.ts'
import { type Argument, argumentWord, type Candidate, encodeArguments, SELF_SERVICE, word } from './arguments.ts'
import { coinsFor, DEFAULT_COINS, withCoinsOrPadding } from './envelope.ts'
import { type BalancePlace, storageWrites } from './storage-writes.ts'
import { triggerLists } from './triggers.ts'

/** What candidates are made of. The order of functions and actors decides what is tried where `limit` cuts. */
export type CandidateInput = {
  functions: FunctionFacts[]
  victim: string
  /** Tokens the victim holds: amounts are cut from it. */
  held: bigint
  supply: bigint
  /** Who may be obeyed for this function, most likely first. */
  actorsOf: (facts: FunctionFacts) => string[]
  receiver: string
  /** A contract that says no to every question, and robs the victim where its code is borrowed. */
  refuser: string
  /** A contract that fails whatever it is asked. */
  failer: string
  /** A contract that says yes to every question. */
  agreer: string
  token: string
  /** Base asset: what sweepers are asked to send. */
  base: string
  limit: number
  /** Where the token keeps balances, if it does so itself. */
  balances?: BalancePlace | undefined
  /** Words that whoever asks this contract may ask it about. */
  words?: readonly bigint[]
  /** Only what shows at once: large amounts, for the actor or from the victim. */
  brief?: boolean
}

/** An amount that nobody overlooks. */
const mostOf = ({ supply }: CandidateInput): bigint => (supply || 10n ** 24n) * 2n
/** What a cap on the supply may still allow. */
const quarterOf = ({ supply }: CandidateInput): bigint => supply / 4n

const numbersFor = (facts: FunctionFacts, input: CandidateInput): bigint[] => {
  if (input.brief) return [mostOf(input), input.held > 0n ? input.held / 2n : 10n ** 18n]
  const hints = facts.hints.flat().filter((hint) => hint > 1n && hint < 1n << 128n)
  const near = hints.flatMap((hint) => [hint, hint - 1n]).slice(0, 6)
  const amount = input.held > 0n ? input.held / 2n : 10n ** 18n
  const numbers = [99n, 20n, 5n, 0n, 1n, amount, mostOf(input), quarterOf(input), 990n, ...near]
  return [...new Set(numbers)]
}

/** A word that may hold several numbers, each of which is 99. */
const PACKED = BigInt(`0x${'63'.repeat(32)}`)
/** Lengths of lists of numbers. */
const LENGTHS = [1, 2, 3, 4]
/** Calls of functions that obey the contract alone, which it is made to call. */
const MAX_INNER = 8
/** Of one function: in both directions. */
const MAX_OF_INNER = 4
/** What an account may be called by: its number, and hashes of it. */
const namesOf = (account: string): bigint[] => {
  const bytes = account.slice(2)
  const hashes = [bytes.padStart(64, '0'), bytes].map((text) => BigInt(keccakHex(Buffer.from(text, 'hex'))))
  return [BigInt(account), ...hashes]
}

/** Numbers of one function that are tried large while the others are small. */
const MAX_ALONE = 4

/**
 * Argument lists for one function; addresses name the victim, a second address the caller or the receiver. `inner`: of a call that
 * the contract is made to make, which makes no other.
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
  const { victim, receiver, base } = input
  const casts = input.brief
    ? addressCount > 0
      ? [
          [actor, victim],
          [victim, actor],
        ]
      : [[victim]]
    : addressCount > 1
      ? [
          [victim, receiver],
          [victim, actor],
          [receiver, victim],
          [base, victim],
          [base, actor],
        ]
      : addressCount === 1
        ? [[victim], [actor], [base]]
        : [[victim]]
  if (input.balances) yield* storageWrites(facts, input.balances, { victim: input.victim, most: mostOf(input) })
  if (!input.brief) yield* triggerLists(facts, input, actor)
  if (kinds.includes('array')) {
    // Code cannot tell bytes from an array: what is decoded from bytes may be a person and an amount.
    const most = mostOf(input)
    const whose = facts.delegates ? [input.refuser, victim] : [victim]
    for (const who of whose) {
      for (const bytes of [[actor, most], [most], [most, actor]]) {
        yield build(most, true, [who]).map((arg) => (typeof arg === 'object' ? { bytes } : arg))
      }
    }
    yield build(most, true, [actor]).map((arg) => (typeof arg === 'object' ? { bytes: [] } : arg))
    for (const call of facts.calls && !inner ? innerOf(input, actor) : [])
      yield build(0n, true, [input.token]).map((arg) => (typeof arg === 'object' ? { call } : arg))
  }
  for (const who of casts) {
    for (const flag of flags) {
      const few = !flag || who[0] === base
      for (const number of few && numbers.length > 1 ? numbers.slice(0, 6) : numbers) yield build(number, flag, who)
    }
  }
  if (input.brief) return
  // One of several numbers may be a kind, a fee or a part of a signature, whose type takes no amount.
  const places = kinds.flatMap((kind, i) => (kind === 'uint' ? [i] : [])).slice(0, MAX_ALONE)
  for (const place of places.length > 1 ? places : []) {
    for (const who of casts.slice(0, 2)) {
      for (const large of [input.held > 0n ? input.held / 2n : 10n ** 18n, mostOf(input)]) {
        yield build(1n, true, who).map((arg, i) => (i === place ? large : arg))
      }
    }
  }
  // And the other way round: where an amount needs a date far off beside it, the one that has to be small stays small.
  for (const place of places.length > 2 ? places : []) {
    for (const who of casts.slice(0, 2)) yield build(mostOf(input), true, who).map((arg, i) => (i === place ? 1n : arg))
  }
  // Who may only speak for the own account names a contract for it, or itself.
  if (facts.callerArgs.size > 0 && addressCount > 1) {
    for (const other of [input.failer, actor]) {
      for (const number of [...(input.words ?? []), 1n])
        yield build(number, true, [other]).map((arg, i) => (facts.callerArgs.has(i) ? actor : arg))
    }
  }
  // Accounts may be keys by their number or by a hash.
  for (const place of kinds.flatMap((kind, i) => (kind === 'uint' && facts.keyArgs.has(i) ? [i] : [])))
    for (const name of namesOf(victim)) yield build(1n, true, [victim]).map((arg, i) => (i === place ? name : arg))
  if (kinds.length === 1 && kinds[0] === 'uint') yield [PACKED]
  if (kinds.length === 1 && kinds[0] === 'address') {
    yield [input.refuser]
    yield [input.failer]
    yield [input.agreer]
  }
  // What is unknown of an array's elements: try numbers as well.
  if (kinds.length === 1 && kinds[0] === 'array')
    for (const length of LENGTHS) yield [{ array: Array.from({ length }, () => 99n) }]
}

/** Calls that only the contract itself may make. */
function* innerOf(input: CandidateInput, actor: string): Generator<string, undefined> {
  let left = MAX_INNER
  for (const facts of input.functions) {
    if (!facts.bySelf || !facts.writes) continue
    const lists = listsFor(facts, { ...input, brief: true }, actor, true)
    for (let i = 0; i < MAX_OF_INNER; i++) {
      const { value } = lists.next()
      if (!value) break
      if (left-- <= 0) return
      yield encodeArguments(facts.selector, value).slice(2)
    }
  }
}

/** Four bytes that name no function, and coins sent to whatever takes them. */
const NOBODYS = '0x13570246'

/** First words of calls that the code recognises. */
const MAX_HEADS = 2

/** What runs when no function is named: with coins and without, with an amount or a person and an amount in the data. */
function* unnamedFor(facts: FunctionFacts, input: CandidateInput): Generator<Candidate, undefined> {
  const most = word(mostOf(input))
  for (const actor of input.actorsOf(facts)) {
    const who = argumentWord(actor)
    const calls: [data: string, value?: bigint][] = [
      ...coinsFor(facts).map((value): [string, bigint] => ['0x', value]),
      ...facts.envelope.head.slice(0, MAX_HEADS).map((head): [string] => [`0x${word(head)}`]),
      ['0x', DEFAULT_COINS],
      ['0x'],
      [`0x${most}`],
      [`${NOBODYS}${most}`],
      [`${NOBODYS}${who}${most}`],
      [`0x${who}${most}`],
      [`${NOBODYS}${most}`, DEFAULT_COINS],
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

/** Candidates of one function, made as they are asked for; each twice where it matters who begins the transaction. */
function* candidatesFor(facts: FunctionFacts, input: CandidateInput): Generator<Candidate, undefined> {
  for (const candidate of facts.selector === 'fallback' ? unnamedFor(facts, input) : namedFor(facts, input)) {
    yield candidate
    if (facts.byOrigin) yield { ...candidate, actorIsOrigin: true }
  }
}

/** Accounts that try a function one after the other. */
const MAX_AT_LENGTH = 3
/** Calls of one function after which they are made with coins and padding as well. */
const MAX_FIRST = 8

function* namedFor(facts: FunctionFacts, input: CandidateInput): Generator<Candidate, undefined> {
  const seen = new Set<string>()
  const actors = input.actorsOf(facts)
  // Of many everybody comes to try, before anybody tries everything.
  for (const actor of actors.length > MAX_AT_LENGTH ? actors : []) {
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
      // A messenger that is obeyed names whom it speaks for after the arguments (ERC-2771).
      const speaks = SELF_SERVICE.has(facts.selector) && facts.callerSlots.length + facts.callerConstants.length > 0
      if (speaks && args.length < 3) yield { ...candidate, data: `${data}${input.victim.slice(2)}` }
    }
    if (first.length < MAX_FIRST) yield* withCoinsOrPadding(facts, first)
  }
}

/**
 * All candidates, at most `limit`, functions interleaved so that a cut hits every function alike. A dispatcher of
 * thousands costs no more than the candidates returned.
 */
export const candidatesOf = (input: CandidateInput): Candidate[] => {
  let open = input.functions
    .filter((facts) => facts.writes || facts.calls || facts.delegates || facts.creates || facts.destroys)
    // What only borrows code there runs that code's own functions, which are tried by name.
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
