/**
 * Derives facts about addresses from the rows of a chunk, exactly like the views `wallet_facts_from_*` (`schema/tables/chain/facts.ts`).
 * Small chunks do it here, so that the store plans `wallet_features` once per chunk instead of once per table (ADR 41). `facts.test.ts`
 * checks that both are equal.
 */
import type { Rows, TableName } from '../../../schema/block.ts'
import { networkInfo } from '../../../schema/networks.ts'
import { FACT_TABLES } from '../../../schema/tables/chain/facts.ts'

/** A row of `wallet_facts`, without fields copied from the source row. */
type Fact = {
  address: string
  fact: string
  counterparty: string
  amount?: string
  fee?: string
  own?: boolean
  failed?: boolean
  pulled?: boolean
}

type FactTable = 'transactions' | 'ledger' | 'approvals' | 'creations' | 'liquidity' | 'authority' | 'delegations'

/** A fact about two addresses, stated for both. */
const pair = (of: Fact, other: Omit<Fact, 'address' | 'counterparty'>): Fact[] => [
  of,
  { address: of.counterparty, counterparty: of.address, ...other },
]

const movement = ({ kind, direction }: Rows['ledger']): string => {
  const way = direction === 1 ? 'in' : 'out'
  if (kind === 'native' || kind === 'internal') return way
  if (kind === 'nft' || kind === 'multi') return `nft_${way}`
  return kind === 'wrap' ? `wrap_${way}` : `token_${way}`
}

const FACTS_OF: { [Table in FactTable]: (row: Rows[Table]) => Fact[] } = {
  transactions: ({ sender, receiver, value, fee, status, message }) => {
    const failed = status === 0
    const sent = { address: sender, counterparty: receiver, own: true, failed }
    const text = message !== '' && !message.startsWith('data:')
    return [
      ...pair(
        { ...sent, fact: 'sent', amount: value, fee },
        { fact: 'received', amount: value, own: sender === receiver, failed },
      ),
      ...(text ? [{ ...sent, fact: 'message' }] : []),
    ]
  },
  ledger: (row) => {
    const { address, counterparty, initiator, amount } = row
    const stranger = initiator !== address && initiator !== counterparty
    const dust =
      row.kind === 'fungible' &&
      row.direction === -1 &&
      stranger &&
      initiator !== '' &&
      BigInt(amount) <= networkInfo(row.network).tokenDust
    const moved = { address, fact: movement(row), counterparty, amount, own: initiator === address, pulled: stranger }
    const signed = { address: initiator, fact: 'third_party_dust', counterparty: address, own: true }
    return dust ? [moved, signed] : [moved]
  },
  approvals: ({ owner, spender, kind, amount, initiator }) => {
    const given = { address: owner, counterparty: spender, own: initiator === owner }
    if (kind !== 'nft' && BigInt(amount) === 0n) return [{ ...given, fact: 'revoke' }]
    return pair({ ...given, fact: 'approve' }, { fact: 'approved', own: initiator === spender })
  },
  creations: ({ event, root_creator, contract }) =>
    event === 'create'
      ? pair({ address: root_creator, fact: 'create', counterparty: contract, own: true }, { fact: 'created' })
      : [],
  liquidity: ({ provider, event, pool }) => [
    { address: provider, fact: event === 'add' ? 'lp_add' : 'lp_remove', counterparty: pool, own: true },
  ],
  authority: ({ event, authority, subject, actor, amount }) =>
    event === 'mixer_deposit' || event === 'mixer_withdraw'
      ? pair(
          { address: subject, fact: event, counterparty: authority, amount, own: actor === subject },
          { fact: 'mixer', amount },
        )
      : [],
  delegations: ({ authority, delegate, initiator }) =>
    pair(
      { address: authority, fact: 'delegate', counterparty: delegate, own: initiator === authority },
      { fact: 'delegated' },
    ),
}

const isFactTable = (table: TableName): table is FactTable => FACT_TABLES.includes(table)

const linesOf = <Table extends FactTable>(table: Table, row: Rows[Table]): string[] => {
  const { network, block_time, position } = row
  return FACTS_OF[table](row)
    .filter(({ address }) => address !== '')
    .map(({ address, fact, counterparty, amount = '0', fee = '0', own, failed, pulled }) => {
      const flags = { own: own ? 1 : 0, failed: failed ? 1 : 0, pulled: pulled ? 1 : 0 }
      return `${JSON.stringify({ network, address, fact, block_time, position, counterparty, amount, fee, ...flags })}\n`
    })
}

type Sections = Iterable<readonly [TableName, { rows: readonly Buffer[] }]>

/** Facts of the rows of a chunk, as lines for `wallet_facts`. */
export const factLines = (sections: Sections): string =>
  [...sections]
    .flatMap(([table, { rows }]) => {
      if (!isFactTable(table)) return []
      const lines = rows.flatMap((part) => part.toString('utf8').split('\n'))
      return lines.flatMap((line) => (line === '' ? [] : linesOf(table, JSON.parse(line))))
    })
    .join('')

/** Maximum bytes of rows for which deriving facts here is cheaper than planning `wallet_features` for each table. */
const SMALL_BYTES = 1_000_000

/** Whether deriving the facts of these rows here is cheaper. */
export const shouldDeriveFacts = (sections: readonly { table: TableName; rows: Buffer }[]): boolean => {
  const stating = sections.filter(({ table }) => isFactTable(table))
  const bytes = stating.reduce((sum, { rows }) => sum + rows.length, 0)
  return bytes <= SMALL_BYTES && new Set(stating.map(({ table }) => table)).size > 1
}
