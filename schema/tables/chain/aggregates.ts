/** Aggregates besides wallet features: edges, protocols, assets, contracts of deployers, pools, listings, approvals. */

import { network, text, word } from '../column.ts'
import { type Aggregate, count, distinct, earliest, largest, latest, least, signedTotal, total } from './aggregate.ts'
import { POOL_KIND } from './chain.ts'

const address = text('Canonical address')
const firstMovement = earliest('Time of the first movement')
const lastMovement = latest('Time of the last movement')
const FIRST_SEEN = 'min(toNullable(block_time))'
const LAST_SEEN = 'max(toNullable(block_time))'

const NATIVE = "kind IN ('native', 'internal')"
const TOKEN = "kind IN ('fungible', 'nft', 'multi')"
const SOMETHING = "(a.amount > 0 OR kind = 'nft')"

const edges: Aggregate = {
  name: 'wallet_edges',
  comment: 'Value between each address and each counterparty. Wraps and self-transfers are left out',
  shows: 'Value between each address and each counterparty',
  keys: { network, address, counterparty: text('The other party') },
  states: {
    native_in_count: count('Native movements from the counterparty, internal calls included'),
    native_out_count: count('Native movements to the counterparty'),
    native_in: total('Native coin from the counterparty, base units'),
    native_out: total('Native coin to the counterparty, base units'),
    token_in_count: count('Token and NFT movements from the counterparty that were not of nothing'),
    token_out_count: count('Token and NFT movements to the counterparty that were not of nothing'),
    own: count('Movements the address signed for itself'),
    first_seen: firstMovement,
    last_seen: lastMovement,
  },
  sources: [
    {
      from: 'ledger',
      fetched: 'ledger_past',
      states: {
        native_in_count: `countIf(${NATIVE} AND direction = 1)`,
        native_out_count: `countIf(${NATIVE} AND direction = -1)`,
        native_in: `sumIf(a.amount, ${NATIVE} AND direction = 1)`,
        native_out: `sumIf(a.amount, ${NATIVE} AND direction = -1)`,
        token_in_count: `countIf(${TOKEN} AND direction = 1 AND ${SOMETHING})`,
        token_out_count: `countIf(${TOKEN} AND direction = -1 AND ${SOMETHING})`,
        own: 'countIf(initiator = address)',
        first_seen: FIRST_SEEN,
        last_seen: LAST_SEEN,
      },
      where: "kind != 'wrap' AND address != '' AND counterparty NOT IN ('', address)",
    },
  ],
}

const protocols: Aggregate = {
  name: 'wallet_protocols',
  comment: 'Contracts called by each address. Direct calls with at least a selector',
  shows: 'Contracts called by each address',
  keys: { network, address: text('Canonical address of the caller'), contract: text('Called contract') },
  states: {
    calls: count('Transactions with calldata'),
    failed: count('Those that failed'),
    value: total('Native coin sent along, base units'),
    first_seen: earliest('Time of the first call'),
    last_seen: latest('Time of the last call'),
  },
  sources: [
    {
      from: 'transactions',
      keys: { address: 'sender', contract: 'receiver' },
      states: {
        calls: 'count()',
        failed: 'countIf(status = 0)',
        value: 'sum(a.value)',
        first_seen: FIRST_SEEN,
        last_seen: LAST_SEEN,
      },
      where: "selector != '' AND sender != '' AND receiver != ''",
    },
  ],
}

const amountIn = total('Received, base units of the asset')
const MOVED_IN = 'sumIf(a.amount, direction = 1)'
const MOVED_OUT = 'sumIf(a.amount, direction = -1)'

const assets: Aggregate = {
  name: 'wallet_assets',
  comment: 'Movements of each address in each fungible asset. Balances follow from them',
  shows: 'Movements of each address in each fungible asset',
  keys: { network, address, asset: text('Token contract; empty for the native coin') },
  states: {
    amount_in: amountIn,
    amount_out: total(
      'Sent, base units of the asset; amount_in - amount_out is the balance as far as movements show it (fees of the native coin apart)',
    ),
    count_in: count('Movements to the address'),
    count_out: count('Movements from the address'),
    first_seen: firstMovement,
    last_seen: lastMovement,
  },
  sources: [
    {
      from: 'ledger',
      fetched: 'ledger_past',
      states: {
        amount_in: MOVED_IN,
        amount_out: MOVED_OUT,
        count_in: 'countIf(direction = 1)',
        count_out: 'countIf(direction = -1)',
        first_seen: FIRST_SEEN,
        last_seen: LAST_SEEN,
      },
      where: "kind NOT IN ('nft', 'multi') AND address != ''",
    },
  ],
}

const holders: Aggregate = {
  name: 'asset_holders',
  comment: 'wallet_assets sorted by asset: holders of a token are one range. Final blocks only',
  shows: 'Holders of each asset',
  keys: { network, asset: text('Token contract'), address: text('Canonical address of the holder') },
  states: { amount_in: amountIn, amount_out: total('Sent, base units of the asset') },
  sources: [
    {
      from: 'ledger',
      states: { amount_in: MOVED_IN, amount_out: MOVED_OUT },
      where: "kind NOT IN ('nft', 'multi') AND address != '' AND asset != ''",
    },
  ],
  finalOnly: true,
}

const deployerContracts: Aggregate = {
  name: 'deployer_contracts',
  comment: 'Contracts of each deployer. Factory creations included where traces were visible',
  shows: 'Contracts of each deployer',
  keys: {
    network,
    root_creator: text('Externally owned account the creation goes back to'),
    contract: text('The contract'),
  },
  states: {
    created_at: earliest('Time of the first creation'),
    creations: count('Creations at this address; more than one means it was created again'),
    code_hash: largest('String', 'Hash of the runtime code without metadata; empty when not visible'),
    position: least('UInt64', 'Position of the first creation'),
  },
  sources: [
    {
      from: 'creations',
      fetched: 'creations_past',
      states: {
        created_at: FIRST_SEEN,
        creations: 'count()',
        code_hash: 'max(a.code_hash)',
        position: 'min(a.position)',
      },
      where: "event = 'create' AND root_creator != ''",
    },
  ],
}

/** A token of a pool, from swaps that state its only two. Swaps in vaults of EVM networks state two of several: see `pools`. */
const statedByProgram = (side: 0 | 1) => `maxIf(a.token${side}, NOT startsWith(a.factory, '0x'))`

const poolState: Aggregate = {
  name: 'pool_state',
  comment: 'Liquidity and trades of each pool. Reserves of V2 designs are added - removed + swapped',
  shows: 'Liquidity and trades of each pool',
  keys: { network, pool: text('Pool contract or id') },
  states: {
    kind: largest('String', `${POOL_KIND}; empty when the creation was not seen`),
    token0: largest('String', 'First token'),
    token1: largest('String', 'Second token'),
    created_at: earliest('Time the pool was announced'),
    adds: count('Liquidity additions'),
    removes: count('Liquidity removals'),
    added0: signedTotal('First token added, base units'),
    added1: signedTotal('Second token added, base units'),
    removed0: signedTotal('First token removed, base units'),
    removed1: signedTotal('Second token removed, base units'),
    swaps: count('Swaps'),
    swapped0: signedTotal('First token that came in by swaps less what went out, base units'),
    swapped1: signedTotal('Second token that came in by swaps less what went out, base units'),
    last_seen: latest('Time of the last event'),
  },
  sources: [
    {
      from: 'pools',
      states: {
        kind: 'max(toString(a.kind))',
        token0: 'max(a.token0)',
        token1: 'max(a.token1)',
        created_at: FIRST_SEEN,
        last_seen: LAST_SEEN,
      },
      where: "pool != ''",
    },
    {
      from: 'liquidity',
      states: {
        adds: "countIf(event = 'add')",
        removes: "countIf(event = 'remove')",
        added0: "sumIf(amount0, event = 'add')",
        added1: "sumIf(amount1, event = 'add')",
        removed0: "sumIf(if(amount0 < 0, -amount0, amount0), event = 'remove')",
        removed1: "sumIf(if(amount1 < 0, -amount1, amount1), event = 'remove')",
        last_seen: LAST_SEEN,
      },
      where: "pool != ''",
    },
    {
      from: 'swaps',
      states: {
        token0: statedByProgram(0),
        token1: statedByProgram(1),
        swaps: 'count()',
        swapped0: 'sum(amount0)',
        swapped1: 'sum(amount1)',
        last_seen: LAST_SEEN,
      },
      where: "pool != ''",
    },
  ],
}

const LISTED = "event IN ('sanction_add', 'freeze')"

const listings: Aggregate = {
  name: 'authority_listings',
  comment: 'Newest event of each authority about each subject. Listed while the second part of latest is 1',
  shows: 'Whether each authority lists each subject',
  keys: {
    network,
    subject: text('Address the list is about'),
    list: word('sanctions or freeze'),
    authority: text('Contract that emitted the events: oracle or issuer'),
  },
  states: {
    latest: {
      ...largest(
        "Tuple(position UInt64, listed UInt8, time DateTime('UTC'), tx_hash String)",
        'Position of the newest event about the subject, what it was (1 listed, 0 released), its time and transaction',
      ),
      parts: {
        listed: { index: 2, type: 'UInt8', comment: '1 while the subject is listed, 0 after its release' },
        changed_at: { index: 3, type: "DateTime('UTC')", comment: 'Time of the newest event about the subject' },
        changed_in: { index: 4, type: 'String', comment: 'Transaction of that event' },
      },
    },
    latest_add: {
      ...largest(
        "Tuple(position UInt64, time DateTime('UTC'), tx_hash String)",
        'Position, time and transaction of the newest listing; zeroes when there was none',
      ),
      parts: {
        listed_at: {
          index: 2,
          type: "DateTime('UTC')",
          comment: 'Time of the newest listing; the epoch when there was none',
        },
        listed_in: { index: 3, type: 'String', comment: 'Transaction of the newest listing' },
      },
    },
    seized: count("Times the issuer destroyed the subject's funds"),
  },
  sources: [
    {
      from: 'authority',
      past: 'authority_past',
      keys: { list: "if(startsWith(event, 'sanction'), 'sanctions', 'freeze')" },
      states: {
        latest: `max(if(event = 'seize', (toUInt64(0), 0, toDateTime(0, 'UTC'), ''), (position, ${LISTED}, block_time, tx_hash)))`,
        latest_add: `max(if(${LISTED}, (position, block_time, tx_hash), (toUInt64(0), toDateTime(0, 'UTC'), '')))`,
        seized: "countIf(event = 'seize')",
      },
      where: "event IN ('sanction_add', 'sanction_remove', 'freeze', 'unfreeze', 'seize')",
    },
  ],
}

// A token contract can emit approvals in anyone's name, so approvals whose owner signed nothing only count as far as other
// owners of the asset did sign (scorer/detection).
const assetApprovals: Aggregate = {
  name: 'asset_approvals',
  comment:
    'Owners who signed for their approvals, by asset. Merge with uniqCombined64Merge(12); asset_approvals_all does',
  shows: 'How many owners signed for approvals of each asset',
  keys: { network, asset: text('Token contract that emitted the approvals; approvals through Permit2 are left out') },
  states: { signers: distinct('Distinct owners who sent the transaction of an approval they gave') },
  sources: [
    {
      from: 'approvals',
      states: { signers: 'uniqCombined64State(12)(owner)' },
      where: "owner != '' AND initiator = owner AND kind != 'permit2' AND NOT (a.amount = 0 AND kind != 'nft')",
    },
  ],
}

/** All aggregates except wallet features, in creation order. */
export const AGGREGATES: readonly Aggregate[] = [
  edges,
  protocols,
  assets,
  holders,
  deployerContracts,
  poolState,
  listings,
  assetApprovals,
]
