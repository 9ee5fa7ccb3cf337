/**
 * Accounts that other contracts name: what a function asks another contract may be who its caller is. Such accounts stand in the storage or
 * the code of that contract, or of one that it asks in turn. They are no findings: only calls that work as one of them are.
 */
import type { ChainReader } from '../../chain/chain.ts'
import type { FunctionFacts } from '../../code/abstract/facts.ts'
import { isAccountCode } from '../../code/bytecode.ts'
import type { CodeReader } from '../../code/reader.ts'
import { isBlackhole } from '../../subject/blackhole.ts'
import type { Subject } from '../../subject/subject.ts'
import type { QueriedContract } from '../power.ts'
import { storedAddress } from '../probe.ts'
import { calleesOf } from './callees.ts'
import { readHelper } from './helpers.ts'

/** Contracts that are asked first, contracts that are looked at for each of them, and how far these lie behind each other. */
const [MAX_ASKED, MAX_CONTRACTS, MAX_STEPS] = [4, 3, 3]
/** Slots and constants of one contract that are looked at, and accounts it may name. */
const [MAX_SLOTS, MAX_CONSTANTS, MAX_PEOPLE] = [16, 8, 3]

type Looked = { functions: FunctionFacts[]; stored: Map<string, string>; people: string[]; contracts: string[] }

/** Contracts that functions of the subject ask, with whom they name. `excluded`: exchanges, assets, and other common property. */
export const queriedContracts = async (
  chain: ChainReader,
  reader: CodeReader,
  { token, functions, stored }: Subject,
  excluded: ReadonlySet<string>,
): Promise<QueriedContract[]> => {
  const own = functions.filter(
    ({ selector, writes, calls, delegates }) => selector !== 'fallback' && (writes || calls || delegates),
  )
  const isLooked = (address: string) => address !== token && !excluded.has(address) && !isBlackhole(address)
  const roots = [...new Set(own.flatMap((facts) => calleesOf(facts, stored)))].filter(isLooked).slice(0, MAX_ASKED)
  const isAccount = (code: string) => code.length <= 2 || isAccountCode(code)
  const look = async (address: string): Promise<Looked | undefined> => {
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
      (who) => isLooked(who) && who !== address,
    )
    const codes = await Promise.all(named.map((who) => chain.code(who)))
    return {
      functions: facts,
      stored: places,
      people: named.filter((_, i) => isAccount(codes[i] ?? '')),
      contracts: named.filter((_, i) => !isAccount(codes[i] ?? '')),
    }
  }
  const follow = async (root: string): Promise<QueriedContract[]> => {
    const first = await look(root)
    if (first === undefined) return []
    const behind: string[] = []
    const people = [...first.people]
    let next = first.contracts
    for (let step = 1; step < MAX_STEPS && people.length < MAX_PEOPLE; step++) {
      const some = [...new Set(next)].filter((address) => address !== root && !behind.includes(address))
      const room = some.slice(0, MAX_CONTRACTS - 1 - behind.length)
      behind.push(...room)
      const looked = (await Promise.all(room.map(look))).flatMap((one) => one ?? [])
      people.push(...looked.flatMap((one) => one.people))
      next = looked.flatMap((one) => one.contracts)
    }
    const { functions: theirs, stored: places } = first
    return [
      {
        address: root,
        functions: theirs,
        stored: places,
        accounts: [...new Set(people)].slice(0, MAX_PEOPLE),
        indirect: behind,
      },
    ]
  }
  return (await Promise.all(roots.map(follow))).flat()
}
