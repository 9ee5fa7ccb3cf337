/**
 * Holders of a token from its transfers. Transfer events are claims by the token, so they are trusted only when they
 * add up to the supply and match its balances. Tokens that rebase, mint without an event or emit false transfers stay
 * unknown.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Store } from '../../../../platform/store/store.ts'
import type { Network } from '../../../../schema/networks.ts'
import type { ChainReader } from '../../chain/chain.ts'
import { ZERO } from '../../chain/simulator/script.ts'
import { balanceCall } from '../../market/market.ts'
import type { Subject } from '../../subject/subject.ts'

const BALANCES = readSql(import.meta.url, './sql/balances.sql')
const HEIGHT = readSql(import.meta.url, '../../records/sql/height.sql')

const TOP = 10
/** Number of other holders whose balances are compared; reveals false transfers to arbitrary accounts. */
const SAMPLE = 30
/** Share of the compared balances that may have changed in blocks that the tables lack. */
const MOVED_SINCE = 0.1

/** Balance of an account, base units. */
export type Balance = { address: string; amount: bigint }
/** Balance from transfers (`moved`) and from the token at the pinned block (`held`); `undefined` when it gave none. */
export type Compared = { address: string; moved: bigint; held: bigint | undefined }
/** `height`: newest block of the tables. `compared`: empty when transfers do not add up to the supply. */
export type Balances = { height: number; compared: Compared[] } & ({ count: number; top: Balance[] } | { why: string })

/** The token and the tables; without tables the holders are unknown. */
export type BalancesInput = {
  chain: ChainReader
  store: Store
  network: Network
  subject: Pick<Subject, 'token' | 'supply' | 'isToken'>
}

type Holding = [address: string, held: string]
type Row = { held: string; holders: number; overdrawn: number; top: Holding[]; some: Holding[] }

/** Reads the holders. Amounts are of the pinned block, base units, largest first. */
export const readBalances = async ({ chain, store, network, subject }: BalancesInput): Promise<Balances> => {
  const { token, supply } = subject
  if (!subject.isToken || supply === 0n)
    return { height: 0, compared: [], why: 'the contract is no token, or has no supply' }
  const [[totals], [newest]] = await Promise.all([
    store.query<Row>(
      BALANCES,
      { network, asset: token, nobody: ZERO, top: TOP, sample: SAMPLE, seed: chain.hash },
      { route: 'contract_balances' },
    ),
    store.query<{ height: number }>(HEIGHT, { network }, { route: 'contract_height' }),
  ])
  const height = Number(newest?.height ?? 0)
  if (!totals || Number(totals.overdrawn) > 0 || BigInt(totals.held) !== supply)
    return { height, compared: [], why: 'transfers in the tables do not add up to the supply' }
  const candidates = [...new Map([...totals.top, ...totals.some])]
  const answers = await chain.words(candidates.map(([address]) => balanceCall(token, address)))
  const held = candidates.map(([address], i) => ({ address, amount: answers[i] ?? 0n }))
  const compared = candidates.map(([address, moved], i) => ({ address, moved: BigInt(moved), held: answers[i] }))
  const different = candidates.filter(([, amount], i) => BigInt(amount) !== answers[i]).length
  const allowed = height < chain.height ? Math.floor(MOVED_SINCE * candidates.length) : 0
  if (different > allowed) return { height, compared, why: 'balances differ from what transfers show' }
  const top = new Set(totals.top.map(([address]) => address))
  return {
    height,
    compared,
    count: Number(totals.holders),
    top: held
      .filter(({ address, amount }) => top.has(address) && amount > 0n)
      .sort((a, b) => (a.amount < b.amount ? 1 : -1)),
  }
}
