/** The subject of an analysis: the token (or the token of a pool), the code that runs, and its owner. */
import type { ChainReader } from '../chain/chain.ts'
import { ZERO } from '../chain/simulator/script.ts'
import { addressOf, type FunctionFacts } from '../code/abstract/facts.ts'
import { isAccountCode } from '../code/bytecode.ts'
import type { CodeFacts } from '../code/interpret.ts'
import type { CodeReader } from '../code/reader.ts'
import { type CodeReading, type CodeText, UNREAD } from '../code/reading.ts'
import { textOf, wordAt } from '../market/return-data.ts'
import { readStored } from '../power/accounts/stored.ts'
import { isBlackhole } from './blackhole.ts'
import { delegatedFunctions } from './delegated.ts'
import { type Resolved, resolveProxy } from './proxy.ts'
import type { ContractRegistry } from './registry.ts'

/** The owner by the contract's own getters. Others may have control all the same: `power/people`. */
export type OwnerFacts = {
  /** Lower-case; empty when no getter answers; the zero or dead address when renounced. */
  address: string
  getter: string
  type: 'eoa' | 'contract' | 'blackhole' | 'multi-address' | null
}

/** The subject of an analysis. Code is read within limits; `facts.complete` is false when a limit was reached. */
export type Subject = {
  /** The requested address. */
  asked: string
  /** The token that is scored; the requested address when that is neither token nor pool. */
  token: string
  askedPool: string | undefined
  isToken: boolean
  name: string
  decimals: number
  supply: bigint
  code: string
  /** The code that runs: the contract's own, the implementation's, or each facet's. */
  runningCode: { address: string; code: string }[]
  codeHash: string
  familyHash: string
  proxy: Resolved
  facts: CodeFacts
  /** Messages and words of the token's own code. */
  text: CodeText
  /** Functions of proxy and implementations together, with their guards. */
  functions: FunctionFacts[]
  owner: OwnerFacts
  /** `slot:shift` to the address stored there, for slots the code compares with the caller or masks as addresses. */
  stored: Map<string, string>
}

const OWNER_GETTERS = [
  ['owner', '0x8da5cb5b'],
  ['getOwner', '0x893d20e8'],
  ['admin', '0xf851a440'],
  ['governance', '0x5aa6e675'],
  ['controller', '0xf77c4791'],
] as const

const addressAnswer = (answer: string | undefined): string | undefined => {
  const word = wordAt(answer, 0)
  return word === undefined || word >> 160n !== 0n ? undefined : addressOf(word)
}

/** Owner by the first getter that returns an address. */
const ownerOf = async (chain: ChainReader, token: string, admin: string): Promise<OwnerFacts> => {
  const answers = await Promise.all(
    OWNER_GETTERS.map(([, data]) => chain.call({ to: token, data }).then(addressAnswer)),
  )
  const index = answers.findIndex((address) => address !== undefined)
  let address = answers[index] ?? ''
  let getter: string = OWNER_GETTERS[index]?.[0] ?? ''
  if (address === '' && admin !== '') {
    address = (await chain.call({ to: admin, data: '0x8da5cb5b' }).then(addressAnswer)) ?? admin
    getter = 'proxyAdmin'
  }
  if (address === '') return { address: '', getter: '', type: null }
  if (isBlackhole(address)) return { address, getter, type: 'blackhole' }
  const code = await chain.code(address)
  if (code.length <= 2 || isAccountCode(code)) return { address, getter, type: 'eoa' }
  const members = await chain.call({ to: address, data: '0xa0e67e2b' })
  return { address, getter, type: members && members.length > 130 ? 'multi-address' : 'contract' }
}

/** The token of a pool: the less known of the two. Of two base assets, the one that is not the wrapped coin. */
const tokenOfPool = async (
  chain: ChainReader,
  registry: ContractRegistry,
  address: string,
): Promise<string | undefined> => {
  const [t0, t1] = await Promise.all(
    ['0x0dfe1681', '0xd21220a7'].map((data) => chain.call({ to: address, data }).then(addressAnswer)),
  )
  if (!t0 || !t1 || t0 === ZERO || t1 === ZERO) return undefined
  const rank = (token: string) => {
    if (token === registry.wrappedNative) return 3
    if (registry.bases.some((base) => base.address === token)) return 2
    return registry.assets.has(token) ? 1 : 0
  }
  return rank(t0) <= rank(t1) ? t0 : t1
}

/**
 * Whether the contract answers `balanceOf`. Decides whether partly read code belongs to a token, because its functions
 * cannot.
 */
const countsBalances = async (chain: ChainReader, token: string): Promise<boolean> =>
  wordAt(await chain.call({ to: token, data: `0x70a08231${token.slice(2).padStart(64, '0')}` }), 0) !== undefined

/** Addresses whose code is fetched in parallel. */
const AT_ONCE = 8
/** Limits per subject: characters of code, and milliseconds of thread time to read it. */
const MAX_CHARACTERS = 1_200_000
const MAX_READING_MS = 3_000
/** Maximum number of functions per subject: diamonds with dozens of facets have a few hundred. */
const MAX_FUNCTIONS = 2_048

type Run = { address: string; code: string; reading: CodeReading }

const borrows = ({ facts }: CodeReading): boolean =>
  facts.functions.some(({ selector, delegates }) => selector === 'fallback' && delegates)

/** Reads the code that runs, within the limits. */
const readRuns = async (
  chain: ChainReader,
  codes: CodeReader,
  addresses: readonly string[],
): Promise<{ runs: Run[]; complete: boolean }> => {
  const runs: Run[] = []
  let complete = true
  let characters = 0
  let ms = 0
  let functions = 0
  for (let at = 0; at < addresses.length; at += AT_ONCE) {
    const some = addresses.slice(at, at + AT_ONCE)
    const found = await Promise.all(some.map((address) => chain.code(address)))
    for (const [i, code] of found.entries()) {
      characters += code.length
      if (runs.length > 0 && (characters > MAX_CHARACTERS || ms > MAX_READING_MS || functions > MAX_FUNCTIONS))
        return { runs, complete: false }
      const reading = await codes.read(code)
      ms += reading.ms
      functions += reading.facts.functions.length
      runs.push({ address: some[i] ?? '', code, reading })
      // Delegation is not followed beyond a diamond's facets.
      complete &&= addresses.length === 1 || !borrows(reading)
    }
  }
  return { runs, complete }
}

/** Reads the subject; `undefined` when there is no code at the address. */
export const readSubject = async (
  chain: ChainReader,
  registry: ContractRegistry,
  codes: CodeReader,
  asked: string,
): Promise<Subject | undefined> => {
  const look = (token: string) =>
    Promise.all([
      chain.code(token),
      resolveProxy(chain, codes, token),
      chain.call({ to: token, data: '0x18160ddd' }).then((answer) => wordAt(answer, 0)),
      chain.call({ to: token, data: '0x313ce567' }).then((answer) => wordAt(answer, 0)),
      chain.call({ to: token, data: '0x06fdde03' }).then(textOf),
    ])
  // Most requests are for tokens, so the address is read as a token while that is still being determined.
  const [seen, poolToken] = await Promise.all([look(asked), tokenOfPool(chain, registry, asked)])
  if (seen[0].length <= 2 || isAccountCode(seen[0])) return undefined
  const token = poolToken ?? asked
  const [code, proxy, supplyWord, decimalsWord, name] = poolToken ? await look(poolToken) : seen
  const [own, { runs, complete }] = await Promise.all([codes.read(code), readRuns(chain, codes, proxy.implementations)])
  const all = (proxy.hops.length > 0 ? [own, ...runs.map(({ reading }) => reading)] : [own]).map(({ facts }) => facts)
  const read = all.flatMap((facts) => facts.functions)
  const handed = await delegatedFunctions(chain, codes, token, read)
  const { functions, stored } = await readStored(chain, token, [...read, ...handed.functions])
  const whole = complete && proxy.complete && handed.complete && all.every((facts) => facts.complete)
  const moves = proxy.hops.length > 0 || functions.some(({ selector }) => selector === '0xa9059cbb')
  const [owner, isToken] = await Promise.all([
    ownerOf(chain, token, proxy.admin),
    supplyWord !== undefined &&
      (moves || (!whole && decimalsWord !== undefined && (await countsBalances(chain, token)))),
  ])
  const first = runs[0]?.reading ?? UNREAD
  return {
    asked,
    token,
    askedPool: poolToken ? asked : undefined,
    isToken,
    name,
    decimals: decimalsWord !== undefined && decimalsWord < 78n ? Number(decimalsWord) : 18,
    supply: supplyWord ?? 0n,
    code,
    runningCode: runs.map(({ address, code }) => ({ address, code })),
    codeHash: first.codeHash,
    familyHash: first.familyHash,
    proxy,
    facts: {
      functions,
      addresses: [...new Set(all.flatMap((facts) => facts.addresses))],
      complete: whole,
    },
    text: own.text,
    functions,
    owner,
    stored,
  }
}
