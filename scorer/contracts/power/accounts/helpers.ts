/** Finds helpers: contracts that a token's transfers call and may depend on. */
import type { ChainReader } from '../../chain/chain.ts'
import { type FunctionFacts, hasUnknownLength } from '../../code/abstract/facts.ts'
import { isAccountCode } from '../../code/bytecode.ts'
import type { CodeReader } from '../../code/reader.ts'
import { isBlackhole } from '../../subject/blackhole.ts'
import { resolveProxy } from '../../subject/proxy.ts'
import type { Subject } from '../../subject/subject.ts'
import { TRANSFERS } from '../calls/arguments.ts'
import type { UnresolvedDependency } from '../power.ts'
import { placeKey, readStored } from './stored.ts'

const MAX_HELPERS = 2
/** Addresses whose code is read. */
const MAX_NAMED = 12
/** Implementations read of one helper. */
const MAX_IMPLEMENTATIONS = 4

/** A contract that transfers call. */
export type Helper = {
  address: string
  /** Contracts whose code it delegates to. */
  implementations: string[]
  /** Its functions that write, implementations included. */
  functions: FunctionFacts[]
  /** Addresses that its functions compare with the caller, by `slot:shift`. */
  stored: Map<string, string>
  /** Whether all its code, and all accounts that it obeys, were read. */
  complete: boolean
}

/** Addresses whose changes may change the helper's answer: the helper, its implementations, and the accounts it obeys. */
export const dependenciesOf = ({ address, implementations, stored }: Helper): string[] => [
  address,
  ...implementations,
  ...stored.values(),
]

/** Functions of a helper and its implementations, and address constants in their code. */
export const readHelper = async (
  chain: ChainReader,
  reader: CodeReader,
  address: string,
  code: string,
): Promise<{ facts: FunctionFacts[]; addresses: string[]; complete: boolean; implementations: string[] }> => {
  const own = await reader.read(code)
  const { functions, addresses } = own.facts
  if (!own.delegates) return { facts: functions, addresses, complete: own.facts.complete, implementations: [] }
  const proxy = await resolveProxy(chain, reader, address)
  const implementations = proxy.implementations.filter((target) => target !== address)
  const codes = await Promise.all(implementations.slice(0, MAX_IMPLEMENTATIONS).map((target) => chain.code(target)))
  const read = [own]
  for (const found of codes) read.push(await reader.read(found))
  return {
    facts: read.flatMap(({ facts }) => facts.functions),
    addresses: [...new Set(read.flatMap(({ facts }) => facts.addresses))],
    implementations,
    complete:
      proxy.complete && implementations.length <= MAX_IMPLEMENTATIONS && read.every(({ facts }) => facts.complete),
  }
}

/**
 * Contracts that transfers may depend on: named in the token's storage or code, not `excluded` (exchanges, assets), and with
 * state that can change. Empty if transfers make no calls. `hooks`: contracts that trades depend on. `removesCode`: whether
 * SELFDESTRUCT removes code on this network. `unresolved`: dependencies that the simulation cannot exercise.
 */
export const helpersOf = async (
  chain: ChainReader,
  reader: CodeReader,
  subject: Subject,
  excluded: ReadonlySet<string>,
  hooks: readonly string[] = [],
  removesCode = false,
): Promise<{ helpers: Helper[]; unresolved: UnresolvedDependency[] }> => {
  const transfers = subject.functions.filter(({ selector }) => TRANSFERS.has(selector))
  const readsAccounts = transfers.some((facts) => facts.readsAccounts)
  // An account that the code names may be the token itself.
  const readsOwnBalance = readsAccounts || transfers.some((facts) => facts.readsOwnBalance)
  const isDependent = readsAccounts || transfers.some((facts) => facts.calls || facts.staticCalls)
  // Contracts whose call is visible in the code come first.
  const called = transfers.flatMap(({ calledSlots, calledConstants }) => [
    ...calledSlots.flatMap((ref) => subject.stored.get(`${ref.slot}:${ref.shift}`) ?? []),
    ...calledConstants,
  ])
  const dependencies = isDependent ? [...called, ...subject.stored.values(), ...subject.facts.addresses] : []
  const named = [...new Set([...hooks, ...dependencies])].filter(
    (address) => address !== subject.token && !excluded.has(address),
  )
  const codes = await Promise.all(named.slice(0, MAX_NAMED).map((address) => chain.code(address)))
  const found: Omit<Helper, 'stored'>[] = []
  const unresolved: UnresolvedDependency[] = readsOwnBalance ? [{ address: subject.token, kind: 'ownBalance' }] : []
  for (const [i, code] of codes.entries()) {
    const address = named[i] ?? ''
    if (code.length <= 2 && !isBlackhole(address)) unresolved.push({ address, kind: 'absent' })
    if (readsAccounts) unresolved.push({ address, kind: 'balance' })
    if (code.length <= 40 || isAccountCode(code)) continue
    if (found.length >= MAX_HELPERS) {
      unresolved.push({ address, kind: 'untried' })
      continue
    }
    const { facts, complete, implementations } = await readHelper(chain, reader, address, code)
    const functions = facts.filter((item) => item.writes)
    if (functions.length > 0 || !complete) found.push({ address, implementations, functions, complete })
    if (removesCode && facts.some((item) => item.destroys)) unresolved.push({ address, kind: 'destructible' })
  }
  unresolved.push(...named.slice(MAX_NAMED).map((address) => ({ address, kind: 'untried' as const })))
  const helpers = await Promise.all(
    found.map(async (helper) => {
      const { stored, functions } = await readStored(chain, helper.address, helper.functions)
      const isWhole = ({ byUnknown, callerRows }: FunctionFacts, i: number) =>
        byUnknown === helper.functions[i]?.byUnknown &&
        !callerRows.some((row) => row.argument === undefined && hasUnknownLength(row))
      const callerPlaces = new Set(functions.flatMap(({ callerSlots }) => callerSlots.map(placeKey)))
      return {
        ...helper,
        functions,
        stored: new Map([...stored].filter(([place]) => callerPlaces.has(place))),
        complete: helper.complete && functions.every(isWhole),
      }
    }),
  )
  return { helpers, unresolved }
}
