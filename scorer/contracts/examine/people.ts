/** Who and what an examination tries a contract with: whom it obeys, and the contracts it asks. */
import { PERMIT2 } from '../../../schema/registry/index.ts'
import type { ChainReader } from '../chain/chain.ts'
import { ZERO } from '../chain/simulator/script.ts'
import type { CodeReader } from '../code/reader.ts'
import type { Market } from '../market/market.ts'
import { type Helper, helpersOf } from '../power/accounts/helpers.ts'
import { permissionlessContracts } from '../power/accounts/permissionless.ts'
import { queriedContracts } from '../power/accounts/queried.ts'
import type { QueriedContract, UnresolvedDependency } from '../power/power.ts'
import { isBlackhole } from '../subject/blackhole.ts'
import type { ContractRegistry } from '../subject/registry.ts'
import type { Subject } from '../subject/subject.ts'
import { madeByOne } from '../trade/trade-at.ts'

/** Addresses next to caller checks that are looked at. */
const MOST_GATES = 16

/** Everyone stored or hard-coded next to a caller check. */
const gatesOf = ({ functions, stored }: Subject): string[] => [
  ...new Set(
    functions.flatMap((facts) => [
      ...facts.callerSlots.flatMap((ref) => stored.get(`${ref.slot}:${ref.shift}`) ?? []),
      ...facts.callerConstants,
    ]),
  ),
]

/** Contracts that the code obeys and that nobody rules, such as Permit2: what they do, they do for everybody. */
export const toolsObeyed = (chain: ChainReader, reader: CodeReader, subject: Subject): Promise<ReadonlySet<string>> =>
  permissionlessContracts(chain, reader, gatesOf(subject).slice(0, MOST_GATES))

/** Insiders who are tried, and members of rows beside them. */
const [MOST_INSIDERS, MOST_IN_ROWS] = [8, 16]

/** Who stands in a row of accounts that callers are compared with. */
const inRows = ({ functions, stored }: Subject): string[] => {
  const refs = functions.flatMap(({ callerSlots }) => callerSlots.filter(({ row }) => row !== undefined))
  return [...new Set(refs.flatMap(({ slot, shift }) => stored.get(`${slot}:${shift}`) ?? []))]
}

/** Live insiders, most powerful first: owner, creator, then gates, then members of roles. */
const insidersOf = (subject: Subject, creator: string, members: string[], notPeople: Set<string>): string[] => {
  const isInsider = (address: string) => address !== '' && !isBlackhole(address) && !notPeople.has(address)
  const list = [...new Set([subject.owner.address, creator, ...gatesOf(subject), ...members].filter(isInsider))]
  const first = list.slice(0, MOST_INSIDERS)
  return [...new Set([...first, ...inRows(subject).filter(isInsider).slice(0, MOST_IN_ROWS)])]
}

/** Who and what a contract is tried with. */
export type People = {
  /** Addresses the code obeys, live ones, most powerful first. */
  insiders: string[]
  /** Contracts that transfers ask or call, with their functions. */
  helpers: Helper[]
  /** Contracts that the code names and whose word cannot be tried. */
  awaited: UnresolvedDependency[]
  /** Contracts that functions ask, with whom these name. */
  elsewhere: QueriedContract[]
  /** Contracts of exchanges, assets and launchpads: they obey nobody here. */
  notPeople: ReadonlySet<string>
  /** Whether those behind the token made the deepest market, where its maker makes its rules. */
  own: boolean
}

/** Reads whom the code names and what it asks, each contract once. */
export const peopleOf = async (input: {
  chain: ChainReader
  registry: ContractRegistry
  reader: CodeReader
  subject: Subject
  creator: string
  members: string[]
  tools: ReadonlySet<string>
  market: Market | undefined
  markets: readonly Market[]
}): Promise<People> => {
  const { chain, registry, reader, subject, creator, members, tools, market, markets } = input
  const notPeople = new Set([
    subject.token,
    ...registry.bases.map((base) => base.address),
    ...registry.exchanges.flatMap((exchange) => ('router' in exchange ? [exchange.router, exchange.factory] : [])),
    // A launchpad that owns what it launched is asked what it may do to it.
    ...markets.filter((item) => !item.curve).map((item) => item.pool),
  ])
  const makers = [creator, subject.owner.address].filter((who) => who !== '')
  const own = await madeByOne(chain, market, makers)
  // Who made the rules of the pool in which most trade rules them through the hook.
  const hooks = own && market && market.hooks !== ZERO ? [market.hooks] : []
  const { eip6780From } = registry
  const removesCode = eip6780From === null || chain.time < eip6780From
  const [{ helpers, unresolved }, elsewhere] = await Promise.all([
    helpersOf(chain, reader, subject, notPeople, [...hooks, ...tools], removesCode),
    queriedContracts(chain, reader, subject, new Set([...notPeople, ...tools, PERMIT2])),
  ])
  // A contract that transfers ask keeps its code: whoever rules it acts through it.
  const asked = helpers.map((helper) => helper.address)
  const insiders = insidersOf(subject, creator, members, new Set([...notPeople, ...asked, ...tools, PERMIT2]))
  return { insiders, helpers, awaited: unresolved, elsewhere, notPeople, own }
}
