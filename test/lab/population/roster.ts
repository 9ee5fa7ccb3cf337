/** Roles of all addresses, and the truth about each: the answer key, unknown to detectors. */
import type { ForensicDetails } from '../../../schema/records/common.ts'

/** Flags of a record; `number_of_malicious_contracts_created` counts as raised when it is not 0. */
export type FlagName = Exclude<keyof ForensicDetails, 'data_source'>

export type Truth = {
  /** Flags required by the definitions. A missing one is a miss. */
  expected?: readonly FlagName[]
  /** Flags that may be argued for an address this bad: neither a hit nor a false positive. */
  tolerated?: readonly FlagName[]
}

export type Member = {
  address: string
  role: string
  kind: 'wallet' | 'contract'
  expected: Set<FlagName>
  tolerated: Set<FlagName>
  /** What happened to an honest wallet: drained, poisoned, dusted... */
  harms: Set<string>
  /** Number of harmful acts before the history ended: without any, an address is not bad yet. */
  offences: number
  /** The member's deposit address at its exchange, if it has one. */
  deposit?: string
  exchange: number
}

export type Roster = {
  add: (role: string, address: string, truth?: Truth) => Member
  /** Contracts are scored too, separately from the wallets. */
  addContract: (role: string, address: string, truth?: Truth) => Member
  find: (address: string) => Member | undefined
  /** Ordinary people whom others pay, rob and deceive. */
  people: Member[]
  members: () => IterableIterator<Member>
  wallets: () => number
}

export const createRoster = (exchangeOf: () => number): Roster => {
  const members = new Map<string, Member>()
  const people: Member[] = []
  let wallets = 0
  const join = (kind: Member['kind'], role: string, address: string, { expected, tolerated }: Truth = {}): Member => {
    const member: Member = {
      address,
      role,
      kind,
      expected: new Set(expected),
      tolerated: new Set(tolerated),
      harms: new Set(),
      offences: 0,
      exchange: exchangeOf(),
    }
    if (members.has(address)) throw new RangeError(`${address} plays two parts`)
    members.set(address, member)
    if (kind === 'wallet') wallets++
    return member
  }
  return {
    add: (role, address, truth) => join('wallet', role, address, truth),
    addContract: (role, address, truth) => join('contract', role, address, truth),
    find: (address) => members.get(address),
    people,
    members: () => members.values(),
    wallets: () => wallets,
  }
}
