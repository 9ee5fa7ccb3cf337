/**
 * Facts: what a row of a chain table states about each address it names, in one narrow shape between tables and wallet
 * features. Final rows pass through `wallet_facts`, which stores nothing, into the features. Facts of hot rows are stored,
 * because planning a view over every hot table takes about 100 ms: one wallet's hot facts are one range.
 *
 * A table has one view for all its facts, because each view plans `wallet_features` anew with every insert, which takes 12 ms
 * however few rows there are. A move or a small chunk plans it once: a suffix of its insert tokens makes the views pass nothing,
 * and its facts are one insert into `wallet_facts` (ADR 41).
 */
import { type Columns, flag, network, text, time, uint32, uint64, uint256, word } from '../column.ts'
import type { Feed, SchemaObject } from '../ddl.ts'
import { TOKEN_DUST } from '../networks.ts'
import { hotTable, stored } from './tiers.ts'

const FACTS = [
  'sent, received (transactions)',
  'message (text in calldata, inscriptions left out)',
  'in, out (native, internal calls included)',
  'token_in, token_out',
  'nft_in, nft_out',
  'wrap_in, wrap_out',
  'approve, revoke (as owner), approved (as spender)',
  'create (as root creator), created (the contract itself)',
  'lp_add, lp_remove',
  'mixer (the pool), mixer_deposit, mixer_withdraw',
  'delegate (EIP-7702 authority), delegated (the code)',
  'third_party_dust (signed a movement of nothing or of next to nothing between two others)',
]

const identity: Columns = {
  network,
  address: text('Address the fact is about'),
  fact: word(FACTS.join('; ')),
}

const shape: Columns = {
  block_time: time('Time of the block'),
  position: uint64('Sortable position in the network'),
  counterparty: text('The other address of the fact; empty for none'),
  amount: uint256('Base units of whatever moved, else 0'),
  fee: uint256('Native fee paid with a sent transaction, base units, else 0'),
  own: flag('1 when the address signed the transaction'),
  failed: flag('1 when the transaction is known to have failed'),
  pulled: flag('1 when neither party of the movement signed the transaction'),
}

type Branch = {
  /** Chain table of the rows. */
  from: string
  /** Makes one row per fact: `ARRAY JOIN <each>`. */
  each?: string
  address: string
  fact: string
  counterparty: string
  amount?: string
  fee?: string
  own: string
  failed?: string
  pulled?: string
  /** For hot rows: hash of the key's parts other than address, position, fact and counterparty. */
  leg: string
  where: string
}

const ZERO = 'toUInt256(0)'

const BRANCHES: readonly Branch[] = [
  {
    from: 'transactions',
    each: "if(message = '' OR startsWith(message, 'data:'), ['sent', 'received'], ['sent', 'received', 'message']) AS fact",
    address: "if(fact = 'received', receiver, sender)",
    fact: 'fact',
    counterparty: "if(fact = 'received', sender, receiver)",
    amount: "if(fact = 'message', 0, value)",
    fee: "if(fact = 'sent', a.fee, 0)",
    own: "fact != 'received' OR sender = receiver",
    failed: 'status = 0',
    leg: '0',
    where: "address != ''",
  },
  {
    from: 'ledger',
    each: `if(kind = 'fungible' AND direction = -1 AND initiator NOT IN ('', a.address, a.counterparty)
  AND a.amount <= ${TOKEN_DUST}, [0, 1], [0]) AS third_party`,
    address: 'if(third_party, initiator, a.address)',
    fact: `multiIf(third_party, 'third_party_dust',
    kind IN ('native', 'internal'), if(direction = 1, 'in', 'out'),
    kind IN ('nft', 'multi'), if(direction = 1, 'nft_in', 'nft_out'),
    kind = 'wrap', if(direction = 1, 'wrap_in', 'wrap_out'),
    if(direction = 1, 'token_in', 'token_out'))`,
    counterparty: 'if(third_party, a.address, a.counterparty)',
    amount: 'if(third_party, 0, a.amount)',
    own: 'third_party OR initiator = a.address',
    pulled: 'NOT third_party AND initiator NOT IN (a.address, a.counterparty)',
    leg: 'if(third_party, cityHash64(a.counterparty, asset, token_id, a.amount), cityHash64(kind, asset, token_id, a.amount))',
    where: "address != ''",
  },
  {
    from: 'approvals',
    each: "if(a.amount = 0 AND kind != 'nft', ['revoke'], ['approve', 'approved']) AS fact",
    address: "if(fact = 'approved', spender, owner)",
    fact: 'fact',
    counterparty: "if(fact = 'approved', owner, spender)",
    own: 'initiator = address',
    leg: 'cityHash64(asset, kind, a.amount)',
    where: "address != ''",
  },
  {
    from: 'creations',
    each: "['create', 'created'] AS fact",
    address: "if(fact = 'create', root_creator, contract)",
    fact: 'fact',
    counterparty: "if(fact = 'create', contract, root_creator)",
    own: "fact = 'create'",
    leg: '0',
    where: "event = 'create' AND address != ''",
  },
  {
    from: 'liquidity',
    address: 'provider',
    fact: "if(event = 'add', 'lp_add', 'lp_remove')",
    counterparty: 'pool',
    own: '1',
    leg: 'cityHash64(owner)',
    where: "provider != ''",
  },
  {
    from: 'authority',
    each: "[toString(event), 'mixer'] AS fact",
    address: "if(fact = 'mixer', authority, subject)",
    fact: 'fact',
    counterparty: "if(fact = 'mixer', subject, authority)",
    amount: 'a.amount',
    own: "fact != 'mixer' AND actor = subject",
    leg: 'cityHash64(actor, detail)',
    where: "event IN ('mixer_deposit', 'mixer_withdraw') AND address != ''",
  },
  {
    from: 'delegations',
    each: "['delegate', 'delegated'] AS fact",
    address: "if(fact = 'delegate', authority, delegate)",
    fact: 'fact',
    counterparty: "if(fact = 'delegate', delegate, authority)",
    own: "fact = 'delegate' AND initiator = authority",
    leg: '0',
    where: "address != ''",
  },
]

/** Tier of the rows: facts of final rows pass through, others are stored. */
type Tier = 'final' | 'hot' | 'past'

const selectOf = (branch: Branch, tier: Tier, from = branch.from, only: readonly string[] = []): string => {
  const hot = tier === 'hot'
  const columns = {
    network: 'network',
    address: branch.address,
    fact: branch.fact,
    block_time: 'block_time',
    position: 'position',
    counterparty: branch.counterparty,
    amount: branch.amount ?? ZERO,
    fee: branch.fee ?? ZERO,
    own: branch.own,
    failed: branch.failed ?? '0',
    pulled: branch.pulled ?? '0',
    ...(tier === 'final' ? {} : { block_number: 'block_number', leg: branch.leg }),
    ...(hot ? { version: 'version' } : {}),
  }
  const list = Object.entries(columns).map(([name, expression]) =>
    expression === name ? name : `${expression} AS ${name}`,
  )
  return [
    `SELECT ${list.join(',\n  ')}`,
    `FROM ${from}${tier === 'final' ? '' : `_${tier}`} AS a`,
    ...(branch.each === undefined ? [] : [`ARRAY JOIN ${branch.each}`]),
    `WHERE ${[...(hot ? ['is_deleted = 0'] : []), branch.where, ...only].join(' AND ')}`,
  ].join('\n')
}

/** Number of inserts into `wallet_facts` that a chunk of blocks makes: one per table with facts. */
export const FACT_SOURCES = BRANCHES.length

/** Suffix of insert tokens whose facts are a separate insert into `wallet_facts` (ADR 41). */
export const FACTS_APART = ':facts apart'

/** In a view: whether the current insert leaves its facts to it. */
const NOT_APART = `NOT endsWith(getSetting('insert_deduplication_token'), '${FACTS_APART}')`

const feeds = (to: string, tier: Tier): Feed[] =>
  BRANCHES.map((branch) => ({
    kind: 'feed',
    name: `${to}_from_${branch.from}`,
    to,
    select: selectOf(branch, tier, branch.from, tier === 'final' ? [NOT_APART] : []),
  }))

const readable = { ...identity, ...shape }

/** Chain tables whose rows state facts. */
export const FACT_TABLES: readonly string[] = BRANCHES.map(({ from }) => from)

/** Facts of final rows, read again from the tables that `tableOf` names. */
export const factsSelect = (tableOf: (name: string) => string, only: readonly string[]): string =>
  BRANCHES.map((branch) => selectOf(branch, 'final', tableOf(branch.from), only)).join('\nUNION ALL\n')

const storedShape: Columns = {
  ...identity,
  block_number: uint32('Height of the block'),
  ...shape,
  leg: uint64('Hash of what else the key of the row holds, so that facts that are otherwise the same stay apart'),
}
const ONE_FACT = ['network', 'address', 'position', 'fact', 'counterparty', 'leg']

/** Facts of the past tier, created after its tables. */
export const pastFactObjects: SchemaObject[] = [
  {
    kind: 'table',
    name: 'facts_past',
    comment:
      'Facts of rows from before the first covered block. Read with FINAL and only below it (first_covered_blocks)',
    columns: stored(storedShape),
    engine: 'ReplacingMergeTree',
    partitionBy: 'network',
    orderBy: ONE_FACT,
    settings: { index_granularity: 256 },
  },
  ...feeds('facts_past', 'past'),
]

/** Facts of final rows on their way into wallet features, and facts of hot rows as stored and as readers may count them. */
export const factObjects: SchemaObject[] = [
  {
    kind: 'table',
    name: 'wallet_facts',
    comment:
      'What chain rows state about the addresses they name: the shape between tables and wallet features. Holds nothing',
    columns: readable,
    engine: 'Null',
  },
  ...feeds('wallet_facts', 'final'),
  hotTable({
    name: 'facts_hot',
    comment:
      'Facts of rows whose blocks are not final yet. Read with FINAL; partitions below the watermark are dropped',
    columns: storedShape,
    orderBy: ONE_FACT,
    settings: { index_granularity: 256 },
  }),
  ...feeds('facts_hot', 'hot'),
  {
    kind: 'view',
    name: 'wallet_facts_hot',
    comment: 'Facts of hot rows above the watermark: what final states do not hold yet',
    columns: readable,
    select: `WITH (SELECT mapFromArrays(groupArray(network), groupArray((settled, head))) FROM hot_bounds) AS bounds
SELECT ${Object.keys(readable).join(', ')}
FROM facts_hot FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2`,
  },
]
