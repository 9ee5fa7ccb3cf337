/**
 * Accounts named by contracts that the token's functions call, for example to check the caller's rights. They are in the
 * storage or the code of such a contract, or of one that it calls in turn. They are candidates only: a power needs a call
 * that works as one of them.
 */
import type { ChainReader } from '../../chain/chain.ts'
import type { FunctionFacts } from '../../code/abstract/facts.ts'
import { isAccountCode } from '../../code/bytecode.ts'
import type { CodeReader } from '../../code/reader.ts'
import { isBlackhole } from '../../subject/blackhole.ts'
import type { Subject } from '../../subject/subject.ts'
import type { QueriedContract } from '../power.ts'
import { calleesOf } from './callees.ts'
import { readHelper } from './helpers.ts'
import { storedAddress } from './stored-address.ts'

/** Contracts called directly, contracts read for each of them, and depth of calls that is followed. */
const [MAX_DIRECT, MAX_CONTRACTS, MAX_DEPTH] = [4, 3, 3]
/** Slots and constants read of one contract, and accounts kept of it. */
const [MAX_SLOTS, MAX_CONSTANTS, MAX_ACCOUNTS] = [16, 8, 3]

/** What one contract names: accounts without code, and contracts. */
type Read = { functions: FunctionFacts[]; stored: Map<string, string>; accounts: string[]; contracts: string[] }

/** Contracts that functions of the subject call, with the accounts they name. `excluded`: exchanges, assets and other shared contracts. */
export const queriedContracts = async (
  chain: ChainReader,
  reader: CodeReader,
  { token, functions, stored }: Subject,
  excluded: ReadonlySet<string>,
): Promise<QueriedContract[]> => {
  const own = functions.filter(
    ({ selector, writes, calls, delegates }) => selector !== 'fallback' && (writes || calls || delegates),
  )
  const isIncluded = (address: string) => address !== token && !excluded.has(address) && !isBlackhole(address)
  const roots = [...new Set(own.flatMap((facts) => calleesOf(facts, stored)))].filter(isIncluded).slice(0, MAX_DIRECT)
  const isAccount = (code: string) => code.length <= 2 || isAccountCode(code)
  const read = async (address: string): Promise<Read | undefined> => {
    const code = await chain.code(address)
    if (isAccount(code)) return undefined
    const { facts, addresses } = await readHelper(chain, reader, address, code)
    const refs = new Map(
      facts
        .flatMap(({ callerSlots, peerSlots, reads }) => [
          ...callerSlots,
          ...peerSlots,
          ...reads.filter(({ kind }) => kind === 'address'),
        ])
        .map(({ slot, shift }) => [`${slot}:${shift}`, { slot, shift }]),
    )
    const places = new Map<string, string>()
    await Promise.all(
      [...refs].slice(0, MAX_SLOTS).map(async ([key, { slot, shift }]) => {
        const who = storedAddress(await chain.slot(address, slot), shift)
        if (who) places.set(key, who)
      }),
    )
    const named = [...new Set([...places.values(), ...addresses.slice(0, MAX_CONSTANTS)])].filter(
      (who) => isIncluded(who) && who !== address,
    )
    const codes = await Promise.all(named.map((who) => chain.code(who)))
    return {
      functions: facts,
      stored: places,
      accounts: named.filter((_, i) => isAccount(codes[i] ?? '')),
      contracts: named.filter((_, i) => !isAccount(codes[i] ?? '')),
    }
  }
  const follow = async (root: string): Promise<QueriedContract[]> => {
    const first = await read(root)
    if (first === undefined) return []
    const indirect: string[] = []
    const accounts = [...first.accounts]
    let next = first.contracts
    for (let depth = 1; depth < MAX_DEPTH && accounts.length < MAX_ACCOUNTS; depth++) {
      const some = [...new Set(next)].filter((address) => address !== root && !indirect.includes(address))
      const room = some.slice(0, MAX_CONTRACTS - 1 - indirect.length)
      indirect.push(...room)
      const found = (await Promise.all(room.map(read))).flatMap((one) => one ?? [])
      accounts.push(...found.flatMap((one) => one.accounts))
      next = found.flatMap((one) => one.contracts)
    }
    const { functions: theirs, stored: places } = first
    return [
      {
        address: root,
        functions: theirs,
        stored: places,
        accounts: [...new Set(accounts)].slice(0, MAX_ACCOUNTS),
        indirect,
      },
    ]
  }
  return (await Promise.all(roots.map(follow))).flat()
}
