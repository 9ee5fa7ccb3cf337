/** The accounts and contracts a contract is examined with: insiders, and the contracts it depends on. */
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
import { isMarketMadeBy } from '../trade/trade-at.ts'

/** Guard addresses that are looked up. */
const MAX_GATES = 16

/** Addresses that the code compares the caller with, stored or hard-coded. */
const gatesOf = ({ functions, stored }: Subject): string[] => [
  ...new Set(
    functions.flatMap((facts) => [
      ...facts.callerSlots.flatMap((ref) => stored.get(`${ref.slot}:${ref.shift}`) ?? []),
      ...facts.callerConstants,
    ]),
  ),
]

/** Contracts with rights over the token that nobody controls, such as Permit2. What they do, they do for any caller. */
export const toolsObeyed = (chain: ChainReader, reader: CodeReader, subject: Subject): Promise<ReadonlySet<string>> =>
  permissionlessContracts(chain, reader, gatesOf(subject).slice(0, MAX_GATES))

/** Insiders that are tried, and additional members of account lists. */
const [MAX_INSIDERS, MAX_ROW_MEMBERS] = [8, 16]

/** Members of the account lists that callers are compared with. */
const rowMembersOf = ({ functions, stored }: Subject): string[] => {
  const refs = functions.flatMap(({ callerSlots }) => callerSlots.filter(({ row }) => row !== undefined))
  return [...new Set(refs.flatMap(({ slot, shift }) => stored.get(`${slot}:${shift}`) ?? []))]
}

/** Live insiders, most powerful first: owner, creator, guard addresses, then role members. */
const insidersOf = (subject: Subject, creator: string, members: string[], excluded: Set<string>): string[] => {
  const isInsider = (address: string) => address !== '' && !isBlackhole(address) && !excluded.has(address)
  const list = [...new Set([subject.owner.address, creator, ...gatesOf(subject), ...members].filter(isInsider))]
  const first = list.slice(0, MAX_INSIDERS)
  return [...new Set([...first, ...rowMembersOf(subject).filter(isInsider).slice(0, MAX_ROW_MEMBERS)])]
}

/** Accounts and contracts that a contract is examined with. */
export type Actors = {
  /** Live addresses that the code grants rights, most powerful first. */
  insiders: string[]
  /** Contracts that transfers query or call, with their functions. */
  helpers: Helper[]
  /** Contracts that the code names and whose answers cannot be tried. */
  unresolved: UnresolvedDependency[]
  /** Contracts that functions query, with the accounts those name. */
  queried: QueriedContract[]
  /** Contracts of exchanges, assets and launchpads. They are never insiders. */
  infrastructure: ReadonlySet<string>
  /** Whether the creator or owner created the deepest market and that market has custom rules. */
  ownMarket: boolean
}

/** Reads the accounts and contracts that the code names or queries, each contract once. */
export const readActors = async (input: {
  chain: ChainReader
  registry: ContractRegistry
  reader: CodeReader
  subject: Subject
  creator: string
  members: string[]
  tools: ReadonlySet<string>
  market: Market | undefined
  markets: readonly Market[]
}): Promise<Actors> => {
  const { chain, registry, reader, subject, creator, members, tools, market, markets } = input
  const infrastructure = new Set([
    subject.token,
    ...registry.bases.map((base) => base.address),
    ...registry.exchanges.flatMap((exchange) => ('router' in exchange ? [exchange.router, exchange.factory] : [])),
    // A launchpad may own the tokens it launched, so its curve can be an insider.
    ...markets.filter((item) => !item.curve).map((item) => item.pool),
  ])
  const makers = [creator, subject.owner.address].filter((who) => who !== '')
  const ownMarket = await isMarketMadeBy(chain, market, makers)
  // The creator of the pool with most liquidity acts through its hook.
  const hooks = ownMarket && market && market.hooks !== ZERO ? [market.hooks] : []
  const { eip6780From } = registry
  const removesCode = eip6780From === null || chain.time < eip6780From
  const [{ helpers, unresolved }, queried] = await Promise.all([
    helpersOf(chain, reader, subject, infrastructure, [...hooks, ...tools], removesCode),
    queriedContracts(chain, reader, subject, new Set([...infrastructure, ...tools, PERMIT2])),
  ])
  // Contracts that transfers query keep their code in the simulation; their controllers act through them.
  const asked = helpers.map((helper) => helper.address)
  const insiders = insidersOf(subject, creator, members, new Set([...infrastructure, ...asked, ...tools, PERMIT2]))
  return { insiders, helpers, unresolved, queried, infrastructure, ownMarket }
}
