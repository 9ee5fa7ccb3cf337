/** Who else rules: members of roles, and contracts every transfer asks. */
import type { ChainReader } from '../../chain/chain.ts'
import { addressOf, type FunctionFacts, hasUnknownLength } from '../../code/abstract/facts.ts'
import { isAccountCode } from '../../code/bytecode.ts'
import type { CodeReader } from '../../code/reader.ts'
import { wordAt } from '../../market/market.ts'
import { isBlackhole } from '../../subject/blackhole.ts'
import { resolveProxy } from '../../subject/proxy.ts'
import type { Subject } from '../../subject/subject.ts'
import { TRANSFERS } from '../calls/arguments.ts'
import type { UnresolvedDependency } from '../power.ts'
import { placeKey, readStored } from './stored.ts'

/** AccessControl of OpenZeppelin: `RoleGranted(bytes32,address,address)`, `getRoleMember(bytes32,uint256)`. */
const ROLE_GRANTED = '0x2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d'
const ROLE_MEMBER = '0x9010d07c'
/** Blocks of logs asked of a node: what public endpoints grant. */
const LOG_BLOCKS = 9_000
const MAX_ROLES = 8
const MAX_HELPERS = 2
/** Addresses that are looked at. */
const MAX_NAMED = 12
/** Contracts that one helper borrows code from. */
const MAX_BORROWED = 4

const word = (value: bigint) => value.toString(16).padStart(64, '0')

/** Members the contract counts itself: of the admin role and of every role whose hash a getter answers. */
const listedMembers = async (chain: ChainReader, { token, functions }: Subject): Promise<string[]> => {
  if (!functions.some((facts) => facts.selector === ROLE_MEMBER)) return []
  const getters = functions
    .filter((facts) => !facts.writes && facts.args.length === 0 && facts.selector !== 'fallback')
    .slice(0, 40)
  const answers = await Promise.all(getters.map((facts) => chain.call({ to: token, data: facts.selector })))
  const hashes = answers.flatMap((answer) => wordAt(answer, 0) ?? []).filter((value) => value >> 200n > 0n)
  const roles = [0n, ...new Set(hashes)].slice(0, MAX_ROLES)
  const members = await Promise.all(
    roles.flatMap((role) =>
      [0n, 1n].map((i) => chain.call({ to: token, data: `${ROLE_MEMBER}${word(role)}${word(i)}` })),
    ),
  )
  return members.flatMap((answer) => wordAt(answer, 0) ?? []).map(addressOf)
}

/** Addresses that were given a role, as far as the contract, the tables (`noted`) or recent logs know them. */
export const roleHolders = async (
  chain: ChainReader,
  subject: Subject,
  noted: (token: string) => Promise<string[]>,
): Promise<string[]> => {
  const lists = subject.functions.filter((facts) => facts.writes && !TRANSFERS.has(facts.selector))
  if (!lists.some((facts) => facts.callerMaps.length > 0)) return []
  const [listed, known, logs] = await Promise.all([
    listedMembers(chain, subject),
    noted(subject.token),
    chain.logs({
      address: subject.token,
      topics: [ROLE_GRANTED],
      fromBlock: Math.max(0, chain.height - LOG_BLOCKS),
    }),
  ])
  const granted = (logs ?? []).flatMap((log) => (log.topics[2] ? [addressOf(BigInt(log.topics[2]))] : []))
  return [...new Set([...listed, ...known, ...granted])].filter((who) => BigInt(who) > 0xffffn)
}

/**
 * Those of these addresses that are contracts which serve everybody alike: nobody rules them, and they borrow no code. Whether such a
 * contract would do what it may do with a token, its own functions decide, for whoever calls them.
 */
export const permissionlessContracts = async (
  chain: ChainReader,
  reader: CodeReader,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> => {
  const codes = await Promise.all(addresses.map((address) => chain.code(address)))
  const tools = new Set<string>()
  for (const [i, code] of codes.entries()) {
    const address = addresses[i] ?? ''
    // An account that delegates (EIP-7702) has a person behind it.
    if (code.length <= 2 || isAccountCode(code)) continue
    const { facts } = await reader.read(code)
    const rules = ({ callerSlots, callerConstants, callerMaps, callerRows, byOrigin, byUnknown }: FunctionFacts) =>
      byOrigin || byUnknown || callerSlots.length + callerConstants.length + callerMaps.length + callerRows.length > 0
    // What is no instruction, such as metadata, may have any bytes: only code that was reached borrows other code.
    const rulesOrBorrows = facts.functions.some((one) => one.delegates || rules(one))
    if (facts.complete && facts.functions.length > 0 && !rulesOrBorrows) tools.add(address)
  }
  return tools
}

/** A contract that a transfer asks, with what its code shows. */
export type Helper = {
  address: string
  /** Contracts whose code it runs. */
  implementations: string[]
  functions: FunctionFacts[]
  stored: Map<string, string>
  /** Whether all its code was read, and all whom it obeys. */
  complete: boolean
}

/** Everything whose change may change the helper's answer: itself, the code it runs, and whom it obeys. */
export const dependenciesOf = ({ address, implementations, stored }: Helper): string[] => [
  address,
  ...implementations,
  ...stored.values(),
]

/** Functions of a helper and of the code it borrows, and addresses in that code. */
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
  const borrowed = proxy.implementations.filter((target) => target !== address)
  const codes = await Promise.all(borrowed.slice(0, MAX_BORROWED).map((target) => chain.code(target)))
  const read = [own]
  for (const found of codes) read.push(await reader.read(found))
  return {
    facts: read.flatMap(({ facts }) => facts.functions),
    addresses: [...new Set(read.flatMap(({ facts }) => facts.addresses))],
    implementations: borrowed,
    complete: proxy.complete && borrowed.length <= MAX_BORROWED && read.every(({ facts }) => facts.complete),
  }
}

/**
 * Contracts whose word a transfer may depend on: named in the token's storage or code, neither exchange nor asset, and
 * with something that can be changed. Only where transfers turn outside at all. `hooks`: those a trade depends on.
 * `removesCode`: what destroys itself is gone. `unresolved`: those among them whose word cannot be tried.
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
  const weighs = transfers.some((facts) => facts.readsAccounts)
  // An account that the code names may be the token itself.
  const weighsOwn = weighs || transfers.some((facts) => facts.readsOwnBalance)
  const outside = weighs || transfers.some((facts) => facts.calls || facts.staticCalls)
  // Those that the code shows to be called by transfers come first.
  const called = transfers.flatMap(({ calledSlots, calledConstants }) => [
    ...calledSlots.flatMap((ref) => subject.stored.get(`${ref.slot}:${ref.shift}`) ?? []),
    ...calledConstants,
  ])
  const asked = outside ? [...called, ...subject.stored.values(), ...subject.facts.addresses] : []
  const named = [...new Set([...hooks, ...asked])].filter(
    (address) => address !== subject.token && !excluded.has(address),
  )
  const codes = await Promise.all(named.slice(0, MAX_NAMED).map((address) => chain.code(address)))
  const found: Omit<Helper, 'stored'>[] = []
  const unresolved: UnresolvedDependency[] = weighsOwn ? [{ address: subject.token, kind: 'ownBalance' }] : []
  for (const [i, code] of codes.entries()) {
    const address = named[i] ?? ''
    if (code.length <= 2 && !isBlackhole(address)) unresolved.push({ address, kind: 'absent' })
    if (weighs) unresolved.push({ address, kind: 'balance' })
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
      const obeyed = new Set(functions.flatMap(({ callerSlots }) => callerSlots.map(placeKey)))
      return {
        ...helper,
        functions,
        stored: new Map([...stored].filter(([place]) => obeyed.has(place))),
        complete: helper.complete && functions.every(isWhole),
      }
    }),
  )
  return { helpers, unresolved }
}
