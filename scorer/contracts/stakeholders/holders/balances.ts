/**
 * Who holds a token, by its transfers. Transfers are what the token says of itself, so they are believed only where they
 * make up the supply and the balances it answers: tokens that rebase, mint without an event, or announce transfers that
 * never happened are left unknown.
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
/** Others whose balances are compared: announced transfers to strangers show here. */
const SAMPLE = 30
/** Part of the compared balances that may have moved in the blocks the tables do not have yet. */
const MOVED_SINCE = 0.1

/** What an account holds, base units. */
export type Balance = { address: string; amount: bigint }
/** A balance by transfers, and by the token's own answer at the pinned block; `undefined` where it gave none. */
export type Compared = { address: string; moved: bigint; held: bigint | undefined }
/** `height`: newest block of the tables, of which the transfers are. `compared`: none where transfers do not make up the supply. */
export type Balances = { height: number; compared: Compared[] } & ({ count: number; top: Balance[] } | { why: string })

/** The token whose holders are read, and the tables, without which nobody knows all of them. */
export type BalancesInput = {
  chain: ChainReader
  store: Store
  network: Network
  subject: Pick<Subject, 'token' | 'supply' | 'isToken'>
}

type Holding = [address: string, held: string]
type Row = { held: string; holders: number; overdrawn: number; top: Holding[]; some: Holding[] }

/** Amounts are those of the pinned block, base units, largest first. */
export const readBalances = async ({ chain, store, network, subject }: BalancesInput): Promise<Balances> => {
  const { token, supply } = subject
  if (!subject.isToken || supply === 0n)
    return { height: 0, compared: [], why: 'nobody holds a token of this contract' }
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
  const said = [...new Map([...totals.top, ...totals.some])]
  const answers = await chain.words(said.map(([address]) => balanceCall(token, address)))
  const held = said.map(([address], i) => ({ address, amount: answers[i] ?? 0n }))
  const compared = said.map(([address, moved], i) => ({ address, moved: BigInt(moved), held: answers[i] }))
  const different = said.filter(([, amount], i) => BigInt(amount) !== answers[i]).length
  const allowed = height < chain.height ? Math.floor(MOVED_SINCE * said.length) : 0
  if (different > allowed) return { height, compared, why: 'balances are not what transfers show' }
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
