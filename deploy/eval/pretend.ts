/**
 * Gives bare runtime code a state to run in: owner, supply, balances, then whatever a plain transfer still misses,
 * searched slot by slot. For corpora that hold bytecode without a chain.
 */
import { keccak256 } from 'viem'
import { bytesOf } from '../../scorer/contract/code/bytecode.ts'
import { type FunctionFacts, interpret } from '../../scorer/contract/code/interpret.ts'
import { freshAddress, mapSlot } from '../../scorer/contract/stage.ts'
import type { Lab } from './lab.ts'

export type Pretended = {
  owner: string
  holder: string
  works: boolean
  supply: bigint
  /** A contract that had to be made up for transfers to work; empty when none. */
  helper: string
}
type State = Map<string, bigint>

const SUPPLY = 10n ** 22n
const hex = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
const pad = (address: string) => address.slice(2).toLowerCase().padStart(64, '0')
const selectorOf = (facts: FunctionFacts[], selector: string) => facts.find((item) => item.selector === selector)

/** Getters whose slot is known to hold an exchange or the owner. */
const OWNERS = ['0x8da5cb5b', '0x893d20e8', '0xf851a440']
const PAIRS = ['0x49bd5a5e', '0xa8aa1b31', '0x22a2f4e5']
const ROUTERS = ['0x1694505e', '0xf887ea40', '0x32fe7b26']
const WRAPPED = ['0xad5c4648', '0x3fc8cef3']

const TRIES = [1n, 10n ** 18n, 10n ** 27n, 1n << 200n, 0n]
const SUPPLY_TRIES = [SUPPLY, 1n << 200n, 1n]

/** Answers every call with the number one. */
const YES = '0x600160005260206000f3'

type Goal = { from: string; data: string; met: (answer: string) => boolean }

/** A slot's part: bools and addresses may share a word. */
const withPart = (state: State, slot: string, shift: number, width: bigint, value: bigint): State => {
  const next = new Map(state)
  const mask = ((1n << width) - 1n) << BigInt(shift)
  next.set(slot, ((state.get(slot) ?? 0n) & ~mask) | (value << BigInt(shift)))
  return next
}

export type PretendOptions = { lab: Lab; token: string; pair: string; router: string; wrapped: string }

/** Writes the best state found to the lab chain. */
export const pretendState = async ({ lab, token, pair, router, wrapped }: PretendOptions): Promise<Pretended> => {
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
    const said = await answer(goal, candidate)
    return said !== undefined && goal.met(said)
  }
  /** Slots read before the call fails, last first. */
  const slotsRead = async (goal: Goal, candidate: State): Promise<string[]> => {
    try {
      const trace = await lab.ask<{ structLogs: { op: string; depth: number; stack?: string[] }[] }>(
        'debug_traceCall',
        { from: goal.from, to: token, data: goal.data, gas: '0x989680' },
        'latest',
        { disableMemory: true, disableStorage: true, enableReturnData: false, stateOverrides: diff(candidate) },
      )
      const slots = trace.structLogs
        .filter((log) => log.op === 'SLOAD' && log.depth === 1)
        .map((log) => hex(BigInt(log.stack?.at(-1) ?? '0x0')))
      return [...new Set(slots.reverse())].slice(0, 10)
    } catch {
      return []
    }
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

  /** The last contract without code a call turns to; empty when there is none. */
  const askedOutside = async (goal: Goal): Promise<string> => {
    try {
      const trace = await lab.ask<{ structLogs: { op: string; depth: number; stack?: string[] }[] }>(
        'debug_traceCall',
        { from: goal.from, to: token, data: goal.data, gas: '0x989680' },
        'latest',
        { disableMemory: true, disableStorage: true, stateOverrides: diff(state) },
      )
      const turned = trace.structLogs.filter(
        (log) => log.depth === 1 && ['CALL', 'STATICCALL', 'EXTCODESIZE'].includes(log.op),
      )
      const last = turned.at(-1)
      const word = last?.op === 'EXTCODESIZE' ? last.stack?.at(-1) : last?.stack?.at(-2)
      if (!word || BigInt(word) <= 0xffffn) return ''
      const address = `0x${BigInt(word).toString(16).padStart(40, '0')}`
      if ([token, pair, router, wrapped].includes(address)) return ''
      return (await lab.ask<string>('eth_getCode', address, 'latest')).length <= 40 ? address : ''
    } catch {
      return ''
    }
  }
  /** Makes the owner a member of whatever list refuses it: a mapping entry read last before a refusal. */
  const grantRoles = async () => {
    for (const item of functions.filter((facts) => facts.writes && facts.callerMaps.length > 0).slice(0, 24)) {
      const goal: Goal = {
        from: owner,
        data:
          item.selector +
          item.args
            .map((kind) =>
              kind === 'address' ? pad(other) : kind === 'array' ? '20'.padStart(64, '0') : '1'.padStart(64, '0'),
            )
            .join('') +
          '0'.repeat(64),
        met: () => true,
      }
      if (await met(goal, state)) continue
      for (const slot of (await slotsRead(goal, state)).filter((name) => BigInt(name) > 1n << 128n).slice(0, 3)) {
        if ((state.get(slot) ?? 0n) !== 0n) continue
        const candidate = withPart(state, slot, 0, 256n, 1n)
        if (await met(goal, candidate)) {
          state = candidate
          break
        }
      }
    }
  }

  // Addresses: the owner in every slot compared with the caller, exchanges where a getter names them, strangers elsewhere.
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
  const gates = new Set(functions.flatMap((item) => item.callerSlots.map((ref) => `${ref.slot}:${ref.shift}`)))
  const refs = functions.flatMap((item) => [...item.callerSlots, ...item.reads.filter((ref) => ref.kind === 'address')])
  // Without a getter everyone knows, any getter of an address that guards nothing may name the pool.
  const shown = new Set(
    functions
      .filter((item) => !item.writes && item.args.length === 0)
      .flatMap((item) => item.reads.map((ref) => `${ref.slot}:${ref.shift}`)),
  )
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
  const number = (said: string) => said.length >= 66 && BigInt(said.slice(0, 66)) > 0n
  const view = (data: string): Goal => ({ from: holder, data, met: number })
  await reach(view('0x18160ddd'), 2, SUPPLY_TRIES)

  // Balances: wherever balanceOf looks.
  const balanceOf = (who: string) => view(`0x70a08231${pad(who)}`)
  const holders = [owner, holder, pair]
  const bases = [
    ...new Set([
      ...(selectorOf(functions, '0x70a08231')?.maps ?? []),
      ...(selectorOf(functions, '0xa9059cbb')?.maps ?? []),
    ]),
  ].filter((base) => base !== 'other')
  for (const base of bases) {
    const candidate = new Map(state)
    for (const who of holders) candidate.set(mapSlot(who, base), SUPPLY / 4n)
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
  const amount = (10n ** 18n).toString(16).padStart(64, '0')
  const transfer = (from: string, to: string): Goal => ({
    from,
    data: `0xa9059cbb${pad(to)}${amount}`,
    met: (said) => said === '0x' || BigInt(said.slice(0, 66) || '0x0') === 1n,
  })
  await reach(transfer(owner, holder), 2)
  let works = await reach(transfer(holder, other), 2)
  let helper = ''
  if (!works) {
    helper = await askedOutside(transfer(holder, other))
    if (helper !== '') {
      await lab.ask('anvil_setCode', helper, YES)
      works = await reach(transfer(holder, other), 1)
    }
  }
  await grantRoles()
  await reach(transfer(holder, pair), 1)
  for (const [slot, value] of state) await lab.ask('anvil_setStorageAt', token, slot, hex(value))
  const supply = await answer(view('0x18160ddd'), state)
  return { owner, holder, works, helper, supply: supply && supply.length >= 66 ? BigInt(supply.slice(0, 66)) : 0n }
}

/** A stable address for bytecode without one. */
export const addressFor = (bytecode: string): string => `0x${keccak256(bytesOf(bytecode)).slice(26)}`
