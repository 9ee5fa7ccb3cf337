/** The largest holders of a token with their roles, labels and locks, for the explanation. */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Store } from '../../../../platform/store/store.ts'
import type { Network } from '../../../../schema/networks.ts'
import { timestampOf } from '../../../../schema/records/common.ts'
import type { EmptiedHolders, TokenHolders } from '../../../../schema/records/explained/token-facts.ts'
import { decimalText } from '../../../ledger/prices/amounts.ts'
import type { ChainReader } from '../../chain/chain.ts'
import { isBlackhole } from '../../subject/blackhole.ts'
import type { ContractRegistry } from '../../subject/registry.ts'
import { TOKEN_LOCKS } from '../lockers.ts'
import type { TokenContext } from '../stakeholders.ts'
import { type Balance, readBalances } from './balances.ts'
import { readEmptied } from './emptied.ts'
import type { HistoryGap } from './history.ts'

const LABELS = readSql(import.meta.url, './sql/labels.sql')

/** Input of the holders. */
export type HoldersInput = {
  chain: ChainReader
  registry: ContractRegistry
  store: Store | undefined
  network: Network
  known: Pick<TokenContext, 'subject' | 'market' | 'markets'>
  /** Root creator, empty when unknown. */
  creator: string
  /** Why the tables do not have the token's whole life. */
  missing: HistoryGap
}

type Holder = TokenHolders['top'][number]

/** Latest date a record can state; permanent locks use later ones. */
const MAX_SECONDS = 253_402_300_799

/** End of a lock, from Unix seconds. */
export const lockUntil = (unlock: number): string => timestampOf(1_000 * Math.min(unlock, MAX_SECONDS))

/** Share of the supply, 0..1. */
export const shareOf = (amount: bigint, supply: bigint): number => {
  const share = Number((amount * 1_000_000n) / supply) / 1_000_000
  return Math.min(1, share)
}

/** What determines the roles of an address. */
export type RolesInput = {
  registry: ContractRegistry
  known: Pick<TokenContext, 'subject' | 'market' | 'markets'>
  creator: string
}

/** Roles of an address in a token: creator, owner, pool, locker and others. */
export const rolesOf = (address: string, { registry, known, creator }: RolesInput): string[] => {
  const { subject, markets } = known
  const locker = registry.lockers.some((item) => item.address === address)
  const name = registry.names.get(address)
  return [
    ...(isBlackhole(address) ? ['burned'] : []),
    ...(address === subject.token ? ['token'] : []),
    ...(address === creator ? ['creator'] : []),
    ...(address === subject.owner.address ? ['owner'] : []),
    ...(markets.some(({ pool }) => pool === address) ? ['pool'] : []),
    ...(locker ? ['locker'] : []),
    ...(name === undefined ? [] : [name]),
  ]
}

/** Locks of a registered locker; `null` when it names no date, empty for other holders. */
const locksOf = async ({ address, amount }: Balance, input: HoldersInput): Promise<Holder['locks']> => {
  const { chain, registry, known, creator } = input
  const { token, supply, owner } = known.subject
  const locker = registry.lockers.find((item) => item.address === address)
  if (!locker) return []
  const accounts = [creator, owner.address].filter((who) => who !== '')
  const locks = (await TOKEN_LOCKS[locker.name]?.(chain, address, token, accounts)) ?? []
  const running = locks.filter((lock) => lock.amount > 0n && lock.unlock > chain.time)
  const sum = running.reduce((total, lock) => total + lock.amount, 0n)
  // A locker cannot have locked more than it holds.
  if (running.length === 0 || sum > amount) return null
  return running
    .sort((a, b) => (a.amount < b.amount ? 1 : -1))
    .map((lock) => ({
      share: shareOf(lock.amount, supply),
      until: lockUntil(lock.unlock),
    }))
}

/** Reads the holders. Unknown, with the reason, unless the tables have all of them. */
export const readHolders = async (input: HoldersInput): Promise<{ holders: TokenHolders; emptied: EmptiedHolders }> => {
  const { chain, store, network, known, missing } = input
  const unknown = (why: string): TokenHolders => ({ count: null, top: [], why })
  if (missing !== undefined || !store) {
    const why = missing ?? 'there are no tables'
    return { holders: unknown(why), emptied: { compared: null, holders: null, why } }
  }
  const { subject } = known
  const balances = await readBalances({ chain, store, network, subject })
  const emptied = await readEmptied(chain, subject.token, balances)
  if ('why' in balances) return { holders: unknown(balances.why), emptied }
  const addresses = balances.top.map(({ address }) => address)
  const [labelled, codes, locks] = await Promise.all([
    store.query<{ address: string; labels: string[] }>(LABELS, { network, addresses }, { route: 'contract_labels' }),
    Promise.all(addresses.map((address) => chain.code(address))),
    Promise.all(balances.top.map((balance) => locksOf(balance, input))),
  ])
  const labelsOf = new Map(labelled.map(({ address, labels }) => [address, labels]))
  const top = balances.top.map(
    ({ address, amount }, i): Holder => ({
      address,
      amount: decimalText(amount, subject.decimals),
      share: shareOf(amount, subject.supply),
      contract: (codes[i]?.length ?? 2) > 2,
      tags: [
        ...rolesOf(address, input),
        ...[...(labelsOf.get(address) ?? [])].sort().map((label) => `label: ${label}`),
      ],
      locks: locks[i] ?? null,
    }),
  )
  return { holders: { count: balances.count, top, why: null }, emptied }
}
