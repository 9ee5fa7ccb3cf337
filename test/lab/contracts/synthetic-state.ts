/**
 * Finds storage in which bare runtime code works: owner, supply, balances, then whatever a plain transfer still lacks,
 * searched slot by slot. For corpora of bytecode without a chain.
 */
import { keccak256 } from 'viem'
import type { FunctionFacts } from '../../../scorer/contracts/code/abstract/facts.ts'
import { bytesOf } from '../../../scorer/contracts/code/bytecode.ts'
import { interpret } from '../../../scorer/contracts/code/interpret.ts'
import { SELF_SERVICE } from '../../../scorer/contracts/power/calls/arguments.ts'
import { freshAddress, mapSlot } from '../../../scorer/contracts/trade/simulation-setup.ts'
import type { Lab } from '../../kit/contracts/markets/exchange-chain.ts'

export type SyntheticState = {
  works: boolean
  /** A contract called by the code was missing and had to be invented. */
  invented: boolean
  /**
   * Storage to analyse: the one in which transfers work; the one before switches were turned, if they did not work there;
   * and those in which one more list names the pool, as the owner would have done when listing.
   */
  states: State[]
}
export type State = Map<string, bigint>

const SUPPLY = 10n ** 22n
/** Supply of indivisible tokens. */
const INDIVISIBLE = 1_000n
const hex = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
const pad = (address: string) => address.slice(2).toLowerCase().padStart(64, '0')
const selectorOf = (facts: FunctionFacts[], selector: string) => facts.find((item) => item.selector === selector)

const TRANSFERS = new Set(['0xa9059cbb', '0x23b872dd'])

/** Getters whose slot is known to hold an exchange or the owner. */
const OWNERS = ['0x8da5cb5b', '0x893d20e8', '0xf851a440']
const PAIRS = ['0x49bd5a5e', '0xa8aa1b31', '0x22a2f4e5']
const ROUTERS = ['0x1694505e', '0xf887ea40', '0x32fe7b26']
const WRAPPED = ['0xad5c4648', '0x3fc8cef3']

const TRIES = [1n, 10n ** 18n, 10n ** 27n, 1n << 200n, 0n]
const UNLIMITED = 1n << 200n
const MAX_VARIANTS = 3

/** Answer of an invented contract to every call: no, yes, or its argument. */
const HELPERS = ['0x600060005260206000f3', '0x600160005260206000f3', '0x60043560005260206000f3']

type Goal = { from: string; data: string; met: (answer: string) => boolean }

/** A part of a slot: bools and addresses may share a word. */
const withPart = (state: State, slot: string, shift: number, width: bigint, value: bigint): State => {
  const next = new Map(state)
  const mask = ((1n << width) - 1n) << BigInt(shift)
  next.set(slot, ((state.get(slot) ?? 0n) & ~mask) | (value << BigInt(shift)))
  return next
}

export type SynthesizeOptions = { lab: Lab; token: string; pair: string; router: string; wrapped: string }

/** Searches for storage in which transfers work. Writes no storage, only a helper contract if one is missing. */
export const synthesizeState = async ({
  lab,
  token,
  pair,
  router,
  wrapped,
}: SynthesizeOptions): Promise<SyntheticState> => {
  const code = bytesOf(await lab.ask<string>('eth_getCode', token, 'latest'))
  const { functions } = interpret(code)
  const owner = lab.accounts[0] ?? ''
  const holder = freshAddress(`pretended holder ${token}`)
  const other = freshAddress(`pretended other ${token}`)
  let state: State = new Map()

  const diff = (candidate: State) => ({
    [token]: { stateDiff: Object.fromEntries([...candidate].map(([slot, value]) => [slot, hex(value)])) },
  })
  const answer = async (goal: Goal, candidate: State): Promise<string | undefined> => {
    try {
      return await lab.ask<string>(
        'eth_call',
        { from: goal.from, to: token, data: goal.data, gas: '0x989680' },
        'latest',
        diff(candidate),
      )
    } catch {
      return undefined
    }
  }
  const met = async (goal: Goal, candidate: State) => {
    const result = await answer(goal, candidate)
    return result !== undefined && goal.met(result)
  }
  const allMet = async (goals: Goal[]) => {
    for (const goal of goals) if (!(await met(goal, state))) return false
    return true
  }
  /** Contracts without code that were called in any attempt. */
  const missing = new Set<string>()
  type Trace = { structLogs: { op: string; depth: number; stack?: string[] }[] }
  /** Slots read before the call fails, last first. */
  const slotsRead = async (goal: Goal, candidate: State): Promise<string[]> => {
    let own: Trace['structLogs'] = []
    try {
      const { structLogs } = await lab.ask<Trace>(
        'debug_traceCall',
        { from: goal.from, to: token, data: goal.data, gas: '0x989680' },
        'latest',
        { disableMemory: true, disableStorage: true, enableReturnData: false, stateOverrides: diff(candidate) },
      )
      own = structLogs.filter((log) => log.depth === 1)
    } catch {
      return []
    }
    const turned = own.filter((log) => ['CALL', 'STATICCALL', 'EXTCODESIZE'].includes(log.op)).at(-1)
    const asked = BigInt((turned?.op === 'EXTCODESIZE' ? turned.stack?.at(-1) : turned?.stack?.at(-2)) ?? '0x0')
    const address = `0x${(asked & ((1n << 160n) - 1n)).toString(16).padStart(40, '0')}`
    if (asked > 0xffffn && !missing.has(address) && ![token, pair, router, wrapped].includes(address)) {
      if ((await lab.ask<string>('eth_getCode', address, 'latest')).length <= 40) missing.add(address)
    }
    const slots = own.filter((log) => log.op === 'SLOAD').map((log) => hex(BigInt(log.stack?.at(-1) ?? '0x0')))
    return [...new Set(slots.reverse())].slice(0, 10)
  }
  const partsOf = (slot: string): { shift: number; width: bigint }[] => {
    const refs = functions.flatMap((item) => item.reads).filter((ref) => ref.slot === slot)
    const bools = refs.filter((ref) => ref.kind === 'bool').map((ref) => ({ shift: ref.shift, width: 8n }))
    const unique = [...new Map(bools.map((part) => [part.shift, part])).values()]
    const isAddress = refs.some((ref) => ref.kind === 'address')
    return unique.length > 0 ? unique : isAddress ? [] : [{ shift: 0, width: 256n }]
  }
  /** Changes one slot at a time until the goal is met; two rounds, so that two obstacles can be removed. */
  const reach = async (goal: Goal, rounds: number, tries = TRIES): Promise<boolean> => {
    if (await met(goal, state)) return true
    if (rounds === 0) return false
    const slots = await slotsRead(goal, state)
    const moved: State[] = []
    for (const slot of slots) {
      for (const { shift, width } of partsOf(slot)) {
        for (const value of width === 8n ? [1n, 0n] : tries) {
          const candidate = withPart(state, slot, shift, width, value)
          if ((candidate.get(slot) ?? 0n) === (state.get(slot) ?? 0n)) continue
          if (await met(goal, candidate)) {
            state = candidate
            return true
          }
          if (moved.length < 6 && value !== 0n) moved.push(candidate)
        }
      }
    }
    const before = state
    for (const candidate of moved.slice(0, 4)) {
      state = candidate
      if (await reach(goal, rounds - 1, tries)) return true
    }
    state = before
    return false
  }

  /**
   * Allows insiders what they are refused: the list entry read last before the refusal gets their address, a bound that was
   * never set is lifted. Strangers must stay refused and holders able to transfer.
   */
  const empower = async (stillWorks: () => Promise<boolean>) => {
    const gated = functions.filter(
      (facts) =>
        facts.writes && facts.callerMaps.length + facts.callerSlots.length > 0 && !SELF_SERVICE.has(facts.selector),
    )
    for (const item of gated.slice(0, 24)) {
      const data =
        item.selector +
        item.args
          .map((kind) =>
            kind === 'address' ? pad(other) : kind === 'array' ? '20'.padStart(64, '0') : '1'.padStart(64, '0'),
          )
          .join('') +
        '0'.repeat(64)
      const goal: Goal = { from: owner, data, met: () => true }
      const strange: Goal = { ...goal, from: other }
      if (await met(goal, state)) continue
      const found = async (from: State, rounds: number): Promise<State | undefined> => {
        for (const slot of (await slotsRead(goal, from)).slice(0, 4)) {
          if ((from.get(slot) ?? 0n) !== 0n) continue
          const candidate = withPart(from, slot, 0, 256n, BigInt(slot) > 1n << 128n ? 1n : UNLIMITED)
          if ((await met(goal, candidate)) && !(await met(strange, candidate))) return candidate
          if (rounds === 0) continue
          const deeper = await found(candidate, rounds - 1)
          if (deeper) return deeper
        }
        return undefined
      }
      const before = state
      state = (await found(state, 1)) ?? state
      if (state !== before && !(await stillWorks())) state = before
    }
  }

  // Addresses: the owner in every slot compared with the caller, exchanges if a getter names them, strangers elsewhere.
  const named = (selectors: string[]) =>
    new Set(
      selectors.flatMap(
        (selector) => selectorOf(functions, selector)?.reads.map((ref) => `${ref.slot}:${ref.shift}`) ?? [],
      ),
    )
  const [owners, pairs, routers, wraps] = [OWNERS, PAIRS, ROUTERS, WRAPPED].map(named) as [
    Set<string>,
    Set<string>,
    Set<string>,
    Set<string>,
  ]
  const guards = functions.filter((item) => !SELF_SERVICE.has(item.selector))
  const gates = new Set(guards.flatMap((item) => item.callerSlots.map((ref) => `${ref.slot}:${ref.shift}`)))
  const refs = functions.flatMap((item) => [
    ...item.callerSlots,
    ...item.reads.filter((ref) => ref.kind === 'address'),
    ...item.peerSlots.filter(() => SELF_SERVICE.has(item.selector)),
  ])
  // Without a well-known getter: whatever a transfer compares its two sides with, or any getter of an address that
  // guards nothing, may name the pool.
  const shown = new Set([
    ...functions
      .filter((item) => !item.writes && item.args.length === 0)
      .flatMap((item) => item.reads.map((ref) => `${ref.slot}:${ref.shift}`)),
    ...functions
      .filter((item) => TRANSFERS.has(item.selector))
      .flatMap((item) => [...item.callerSlots, ...item.peerSlots].map((ref) => `${ref.slot}:${ref.shift}`)),
  ])
  const mayBePair = (key: string) => pairs.size === 0 && shown.has(key) && !gates.has(key) && !owners.has(key)
  let strangers = 0
  for (const ref of new Map(refs.map((item) => [`${item.slot}:${item.shift}`, item])).values()) {
    const key = `${ref.slot}:${ref.shift}`
    const who = owners.has(key)
      ? owner
      : pairs.has(key) || (mayBePair(key) && !routers.has(key) && !wraps.has(key))
        ? pair
        : routers.has(key)
          ? router
          : wraps.has(key)
            ? wrapped
            : gates.has(key) && owners.size === 0
              ? owner
              : lab.accounts[1 + (strangers++ % 7)]
    state = withPart(state, ref.slot, ref.shift, 160n, BigInt(who ?? owner))
  }
  const number = (answered: string) => answered.length >= 66 && BigInt(answered.slice(0, 66)) > 0n
  const view = (data: string): Goal => ({ from: holder, data, met: number })
  const supply = selectorOf(functions, '0x313ce567') ? SUPPLY : INDIVISIBLE
  await reach(view('0x18160ddd'), 2, [supply, UNLIMITED, 1n])

  // Balances: wherever balanceOf reads.
  const balanceOf = (who: string) => view(`0x70a08231${pad(who)}`)
  const holders = [owner, holder, pair]
  const mapsOf = (selector: string) => (selectorOf(functions, selector)?.maps ?? []).filter((base) => base !== 'other')
  const bases = [...new Set([...mapsOf('0x70a08231'), ...mapsOf('0xa9059cbb')])]
  for (const base of bases) {
    const candidate = new Map(state)
    for (const who of holders) candidate.set(mapSlot(who, base), supply / 4n)
    if (await met(balanceOf(holder), candidate)) {
      state = candidate
      break
    }
  }
  if (!(await met(balanceOf(holder), state))) {
    for (const who of holders) {
      for (const base of bases) state.set(mapSlot(who, base), 1n << 180n)
    }
    await reach(balanceOf(holder), 2)
  }
  const allowances = mapsOf('0xdd62ed3e')[0]
  if (allowances) state.set(mapSlot(owner, mapSlot(holder, allowances)), UNLIMITED)
  const amount = (supply === INDIVISIBLE ? 1n : 10n ** 18n).toString(16).padStart(64, '0')
  const done = (answered: string) => answered === '0x' || BigInt(answered.slice(0, 66) || '0x0') === 1n
  const transfer = (from: string, to: string): Goal => ({ from, data: `0xa9059cbb${pad(to)}${amount}`, met: done })
  const spend: Goal = { from: owner, data: `0x23b872dd${pad(holder)}${pad(pair)}${amount}`, met: done }
  const moves = transfer(holder, other)
  const closed = state
  await reach(transfer(owner, holder), 2)
  let works = await reach(moves, 2)
  let invented = false
  for (const helper of works ? [] : [...missing].slice(0, 3)) {
    invented = true
    for (const code of HELPERS) {
      if (works) break
      await lab.ask('anvil_setCode', helper, code)
      works = await reach(moves, 2)
    }
  }
  const goals = [moves]
  for (const goal of [spend, transfer(pair, other), transfer(holder, pair)]) {
    const before = state
    if (!(await reach(goal, 2))) continue
    goals.push(goal)
    if (!(await allMet(goals))) state = before
  }
  await empower(() => allMet(goals))

  const states = [state]
  if (works && !(await met(moves, closed))) {
    // The insiders keep their entries: only the switches are turned back.
    const switches = [...state].filter(([slot]) => BigInt(slot) < 1n << 128n)
    const back = new Map(state)
    for (const [slot] of switches) back.set(slot, closed.get(slot) ?? 0n)
    states.push(back)
  }
  const lists = [...new Set([...mapsOf('0xa9059cbb'), ...mapsOf('0x23b872dd')])]
  for (const base of lists.filter((item) => !bases.slice(0, 1).includes(item) && item !== allowances)) {
    const slot = mapSlot(pair, base)
    if ((state.get(slot) ?? 0n) !== 0n || states.length > MAX_VARIANTS) continue
    const open = state
    state = withPart(state, slot, 0, 256n, 1n)
    if (await allMet(goals)) states.push(state)
    state = open
  }
  return { works, invented, states }
}

/** A stable address for bytecode without one. */
export const addressFor = (bytecode: string): string => `0x${keccak256(bytesOf(bytecode)).slice(26)}`
