/**
 * Follows proxies to the code that runs. The addresses that the fallback function delegates to come first, whatever
 * slots and constants they are in; then the code that a call is seen to run. Standard slots (EIP-1967, EIP-1822,
 * ZeppelinOS) may hold a decoy. A diamond (EIP-2535) lists its facets itself.
 */
import type { ChainReader } from '../chain/chain.ts'
import { addressOf, type FunctionFacts } from '../code/abstract/facts.ts'
import { bytesOf } from '../code/bytecode.ts'
import type { CodeReader } from '../code/reader.ts'
import { storedAddress } from '../power/accounts/stored-address.ts'

const SLOTS = {
  eip1967: '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  admin: '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103',
  beacon: '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
  eip1822: '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7',
  zos: '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
} as const
/** Code of an account that delegates to a contract (EIP-7702). */
const ACCOUNT = /^0xef0100([0-9a-f]{40})$/
const SINGLETON_GETTERS = ['0xa619486e', '0x5c60da1b']
const FACETS = '0x7a0ed627'
const TOTAL_SUPPLY = '0x18160ddd'
const MAX_FACETS = 64
/** Maximum number of delegate targets per kind that are looked at. */
const MAX_TARGETS = 4
/** Maximum number of contracts touched by a call that are looked at. */
const MAX_TOUCHED = 8
const MAX_HOPS = 4

/** How a proxy stores its implementation. `slot`: the fallback reads the address from a non-standard slot. */
export type ProxyKind = 'eip1967' | 'beacon' | 'eip1822' | 'zos' | 'diamond' | 'clone' | 'slot' | 'account'
/** The code behind an address. */
export type Resolved = {
  /** Empty for a plain contract; outermost first. */
  hops: { kind: ProxyKind; proxy: string; target: string /** Contract that names the target. */; beacon?: string }[]
  /** Addresses of the code that runs: the implementation, or the facets. */
  implementations: string[]
  /** Whether the code behind the address can be replaced. */
  mutable: boolean
  /** EIP-1967 admin, where set. */
  admin: string
  /** False when there is more code behind the address than was followed. */
  complete: boolean
}

const ZERO = /^0x0*$/

const addressIn = (word: string | undefined): string | undefined =>
  word && !ZERO.test(word) && word.length === 66 ? addressOf(BigInt(word)) : undefined

/** Addresses of a diamond's facets: `facets()` of EIP-2535 returns (address, bytes4[])[]. */
const facetsOf = async (chain: ChainReader, address: string): Promise<{ facets: string[]; complete: boolean }> => {
  const answer = await chain.call({ to: address, data: FACETS })
  if (!answer || answer.length < 2 + 64 * 3) return { facets: [], complete: true }
  const bytes = bytesOf(answer)
  const at = (offset: number) =>
    Number(BigInt(`0x${Buffer.from(bytes.subarray(offset, offset + 32)).toString('hex') || '0'}`))
  const count = Math.min(at(32), MAX_FACETS)
  const found: string[] = []
  for (let i = 0; i < count; i++) {
    const tuple = 64 + at(64 + 32 * i)
    const word = Buffer.from(bytes.subarray(tuple, tuple + 32)).toString('hex')
    if (word.length === 64) found.push(addressOf(BigInt(`0x${word}`)))
  }
  return { facets: [...new Set(found)], complete: at(32) <= MAX_FACETS && found.length === count }
}

/** `incomplete`: code beyond the targets may run. `namedElsewhere`: another contract names the target. */
type Hop = {
  kind: ProxyKind
  targets: string[]
  mutable: boolean
  beacon?: string
  incomplete?: boolean
  namedElsewhere?: boolean
}

const KIND_OF: ReadonlyMap<string, ProxyKind> = new Map([
  [SLOTS.eip1967, 'eip1967'],
  [SLOTS.eip1822, 'eip1822'],
  [SLOTS.zos, 'zos'],
])

/** The addresses that have code. */
const withCode = async (chain: ChainReader, addresses: readonly string[]): Promise<string[]> => {
  const codes = await Promise.all(addresses.map((address) => chain.code(address)))
  return addresses.filter((_, i) => (codes[i]?.length ?? 0) > 2)
}

/** Code that a function delegates to, from its own slots or constants. */
export const delegateTargets = async (
  chain: ChainReader,
  address: string,
  { delegateSlots, delegateConstants }: FunctionFacts,
): Promise<Hop | undefined> => {
  const slots = delegateSlots.slice(0, MAX_TARGETS)
  const stored = await Promise.all(
    slots.map(async ({ slot, shift }) => ({
      target: storedAddress(await chain.slot(address, slot), shift),
      kind: KIND_OF.get(slot) ?? ('slot' as const),
    })),
  )
  const fixed = delegateConstants.slice(0, MAX_TARGETS).map((target) => ({ target, kind: 'clone' as const }))
  const named = [...stored, ...fixed].flatMap(({ target, kind }) => (target ? [{ target, kind }] : []))
  const targets = await withCode(chain, [...new Set(named.map(({ target }) => target))])
  const first = named.find(({ target }) => targets.includes(target))
  if (!first) return undefined
  const incomplete = slots.length < delegateSlots.length || fixed.length < delegateConstants.length
  return { kind: first.kind, targets, mutable: delegateSlots.length > 0, incomplete }
}

/** Code that runs when another contract names the implementation: found among the contracts that a call touches. */
const namedByAccessList = async (chain: ChainReader, codes: CodeReader, address: string): Promise<Hop | undefined> => {
  const seen = (await chain.accessList({ to: address, data: TOTAL_SUPPLY, gas: '0x1e8480' })) ?? []
  const others = seen.map((entry) => entry.address.toLowerCase()).filter((other) => other !== address)
  const found = await withCode(chain, others)
  const targets: string[] = []
  for (const target of found.slice(0, MAX_TOUCHED)) {
    const { facts } = await codes.read(await chain.code(target))
    if (facts.functions.some(({ selector }) => selector === TOTAL_SUPPLY)) targets.push(target)
  }
  return targets.length > 0
    ? { kind: 'slot', targets, mutable: true, incomplete: found.length > MAX_TOUCHED }
    : undefined
}

/** Code that standard slots and getters name. Other code may run all the same. */
const namedBySlotsAndGetters = async (
  chain: ChainReader,
  { address, storage, code }: { address: string; storage: string; code: string },
): Promise<Hop | undefined> => {
  const [implementation, beacon, uups, zos] = await Promise.all(
    [SLOTS.eip1967, SLOTS.beacon, SLOTS.eip1822, SLOTS.zos].map(async (slot) =>
      addressIn(await chain.slot(address, slot)),
    ),
  )
  if (implementation) return { kind: 'eip1967', targets: [implementation], mutable: true }
  if (beacon) {
    for (const data of ['0x5c60da1b', '0xda525716']) {
      // A beacon may answer the proxy differently from other callers.
      const target = addressIn(await chain.call({ from: storage, to: beacon, data }))
      if (target) return { kind: 'beacon', targets: [target], mutable: true, beacon }
    }
  }
  if (uups) return { kind: 'eip1822', targets: [uups], mutable: true }
  if (zos) return { kind: 'zos', targets: [zos], mutable: true }
  const { facets, complete } = await facetsOf(chain, address)
  if (facets.length > 0) return { kind: 'diamond', targets: facets, mutable: true, incomplete: !complete }
  if (code.length >= 2 * 1500) return undefined
  for (const data of SINGLETON_GETTERS) {
    const target = addressIn(await chain.call({ to: address, data }))
    if (target && target !== address) return { kind: 'slot', targets: [target], mutable: true }
  }
  const first = addressIn(await chain.slot(address, `0x${'0'.repeat(64)}`))
  return first && (await chain.code(first)).length > 2 ? { kind: 'slot', targets: [first], mutable: true } : undefined
}

/**
 * One hop from `address`; `undefined` when its own code runs. Delegated code uses the `storage` of the outermost
 * contract.
 */
const hop = async (
  chain: ChainReader,
  codes: CodeReader,
  { address, storage, code }: { address: string; storage: string; code: string },
): Promise<Hop | undefined> => {
  const account = ACCOUNT.exec(code)?.[1]
  if (account) return { kind: 'account', targets: [`0x${account}`], mutable: true }
  const { delegates, facts } = await codes.read(code)
  if (!delegates) return undefined
  const fallback = facts.functions.find(({ selector, delegates }) => selector === 'fallback' && delegates)
  if (!fallback) return namedBySlotsAndGetters(chain, { address, storage, code })
  const { delegatesToReturned, delegatesToUnknown } = fallback
  const own = await delegateTargets(chain, storage, fallback)
  if (own) return { ...own, incomplete: own.incomplete || delegatesToReturned || delegatesToUnknown }
  const found =
    (await namedBySlotsAndGetters(chain, { address, storage, code })) ??
    (await namedByAccessList(chain, codes, storage))
  if (!found) return { kind: 'slot', targets: [], mutable: true, incomplete: true }
  return { ...found, incomplete: found.incomplete || delegatesToUnknown, namedElsewhere: delegatesToReturned }
}

/** Resolves an address through at most four hops. */
export const resolveProxy = async (chain: ChainReader, codes: CodeReader, address: string): Promise<Resolved> => {
  const hops: Resolved['hops'] = []
  let mutable = false
  let complete = true
  let answered = false
  let implementations = [address]
  for (let depth = 0; depth < MAX_HOPS; depth++) {
    const current = implementations[0]
    if (!current || implementations.length > 1) break
    const code = await chain.code(current)
    const next = await hop(chain, codes, { address: current, storage: address, code })
    if (!next || next.targets.includes(current)) break
    mutable ||= next.mutable
    complete &&= next.incomplete !== true
    answered ||= next.namedElsewhere === true
    // The delegate target is unknown.
    if (next.targets.length === 0) break
    const { kind, beacon } = next
    hops.push({ kind, proxy: current, target: next.targets[0] ?? '', ...(beacon ? { beacon } : {}) })
    implementations = next.targets
  }
  const [last] = implementations
  if (complete && hops.length === MAX_HOPS && last && implementations.length === 1) {
    const beyond = await hop(chain, codes, { address: last, storage: address, code: await chain.code(last) })
    complete = beyond === undefined || beyond.targets.includes(last)
  }
  if (answered) {
    const seen = await namedByAccessList(chain, codes, address)
    const known = new Set([...implementations, ...hops.map(({ target }) => target)])
    implementations = [...implementations, ...(seen?.targets ?? []).filter((target) => !known.has(target))]
    complete &&= seen?.incomplete !== true
  }
  const admin = mutable ? (addressIn(await chain.slot(address, SLOTS.admin)) ?? '') : ''
  return { hops, implementations, mutable, admin, complete }
}
