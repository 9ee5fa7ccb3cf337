/** Rows of a chain table in another order: final rows are copied, hot rows are read in place. */
import { type Columns, column, network, text, time, uint32, uint64, uint256, word } from '../column.ts'
import type { SchemaObject } from '../ddl.ts'
import { TOKEN_DUST } from '../networks.ts'
import { allView, stored, TOKENS_REMEMBERED, wholeView } from './tiers.ts'

type Selection = {
  name: string
  comment: string
  from: string
  columns: Columns
  /** Expressions of columns with another name in the source. */
  expressions: Readonly<Record<string, string>>
  orderBy: readonly string[]
  where: string
}

const DELTA = { codec: 'Delta, ZSTD(1)' }
const head: Columns = {
  block_number: uint32('Height of the block', DELTA),
  block_time: time('Time of the block', DELTA),
  position: uint64('Sortable position in the network', DELTA),
}

const SELECTIONS: readonly Selection[] = [
  {
    name: 'wallet_swaps',
    comment: 'Swaps by the wallet that started them: who trades, and where',
    from: 'swaps',
    columns: {
      network,
      address: text('Canonical address of the sender of the transaction'),
      ...head,
      pool: text('Pool contract or id'),
      factory: word(
        'Program or vault of the pool, where the swap itself names its tokens (SOLANA, Balancer); empty elsewhere: see pools',
      ),
    },
    expressions: { address: 'initiator' },
    orderBy: ['network', 'address', 'block_time', 'position'],
    where: "initiator != ''",
  },
  {
    name: 'third_party_dust',
    comment:
      'Fungible movements of at most token_dust (table networks) base units between two others than the signer, by signer: address poisoning as its sender made it',
    from: 'ledger',
    columns: {
      network,
      initiator: text('Sender of the transaction, who is no party of the movement'),
      ...head,
      tx_hash: text('Hash of the transaction'),
      from_address: text('Account it moved from'),
      to_address: text('Account it moved to'),
      asset: text('Token contract'),
      amount: uint256('Amount in base units of the asset'),
    },
    expressions: { from_address: 'address', to_address: 'counterparty' },
    orderBy: ['network', 'initiator', 'position'],
    where: `kind = 'fungible' AND direction = -1 AND initiator NOT IN ('', address, counterparty)
  AND amount <= ${TOKEN_DUST}`,
  },
]

const listOf = ({ columns, expressions }: Selection): string =>
  Object.keys(columns)
    .map((one) => (expressions[one] === undefined ? one : `${expressions[one]} AS ${one}`))
    .join(', ')

const objectsOf = (selection: Selection): SchemaObject[] => {
  const { name, comment, from, columns, orderBy, where } = selection
  const list = listOf(selection)
  return [
    {
      kind: 'table',
      name,
      comment: `${comment}. Final blocks only; see ${name}_all`,
      columns: stored(columns),
      engine: 'MergeTree',
      partitionBy: 'network',
      orderBy,
      window: TOKENS_REMEMBERED,
      settings: { index_granularity: 1024 },
    },
    { kind: 'feed', name: `${name}_from_${from}`, to: name, select: `SELECT ${list}\nFROM ${from}\nWHERE ${where}` },
    allView(name, comment, columns, { columns: list, from: `${from}_hot`, where }),
    wholeView(name, comment, columns, { columns: list, from: `${from}_past`, where }),
  ]
}

/** Each selection with the SELECT that builds it again from rows of a table that match `only`. */
export const selectionRecounts = SELECTIONS.map((selection) => ({
  table: selection.name,
  from: selection.from,
  columns: Object.keys(selection.columns),
  orderBy: selection.orderBy,
  select: (table: string, only: readonly string[]) =>
    `SELECT ${listOf(selection)}\nFROM ${table}\nWHERE ${[`(${selection.where})`, ...only].join(' AND ')}`,
}))

/** Tables, feeds and views of all selections. */
export const selectionObjects: SchemaObject[] = SELECTIONS.flatMap(objectsOf)

/** Pairs of addresses that interacted, hot rows included. */
export const walletCounterparties: SchemaObject = {
  kind: 'view',
  name: 'wallet_counterparties',
  comment:
    'Addresses each address had to do with, hot blocks included, any number of times each. Blocks that were undone or are incomplete are included, which makes it cheap: for finding addresses to look at, not for counting',
  columns: { network, address: text('Canonical address'), counterparty: column('String', 'The other address') },
  select:
    'SELECT network, address, counterparty FROM wallet_edges\nUNION ALL\nSELECT network, address, counterparty FROM facts_hot',
}
