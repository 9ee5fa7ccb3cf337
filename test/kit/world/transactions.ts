/**
 * A small chain described as plain actions, for scoring tests: turns them into base rows and inserts those into the final
 * or the hot tier. Expected features are computed elsewhere, from the actions, never from the rows.
 */
import type { Store } from '../../../platform/store/store.ts'
import { emptyRows, LOG_EVENT_BASE, positionOf, type Rows, TABLES } from '../../../schema/block.ts'
import type { Network } from '../../../schema/networks.ts'
import { FACTS_APART } from '../../../schema/tables/chain/facts.ts'
import { factLines, shouldDeriveFacts } from '../../../scorer/ingest/tiers/facts.ts'

/** Actions inside a transaction besides its own value. */
export type Action =
  | { do: 'token'; from: string; to: string; asset: string; amount: bigint }
  /** Coins that the holder wraps (`in`) or unwraps (`out`); the native side is a separate movement. */
  | { do: 'wrap'; holder: string; asset: string; amount: bigint; way: 'in' | 'out' }
  | { do: 'nft'; from: string; to: string; asset: string; id: bigint }
  /** An amount of a numbered token (ERC-1155). */
  | { do: 'multi'; from: string; to: string; asset: string; id: bigint; amount: bigint }
  | { do: 'internal'; from: string; to: string; amount: bigint }
  | { do: 'approve'; owner: string; spender: string; asset: string; amount: bigint; kind?: Rows['approvals']['kind'] }
  | { do: 'create'; contract: string; creator?: string; code_hash?: string }
  | { do: 'destroy'; contract: string }
  | { do: 'token-name'; token: string; symbol: string; name: string; decimals?: number }
  | {
      do: 'pool'
      pool: string
      token0: string
      token1: string
      factory?: string
      kind?: Rows['pools']['kind']
      hooks?: string
    }
  | {
      do: 'liquidity'
      pool: string
      event: 'add' | 'remove'
      amount0: bigint
      amount1: bigint
      /** Holder of the position in the event. @default the signer */
      owner?: string
    }
  | {
      do: 'swap'
      pool: string
      amount0: bigint
      amount1: bigint
      /** Tokens named by the swap itself, if it does. */
      stated?: { factory: string; token0: string; token1: string }
    }
  | {
      do: 'authority'
      authority: string
      event: Rows['authority']['event']
      subject: string
      amount?: bigint
      detail?: string
    }
  | { do: 'delegate'; authority: string; delegate: string }

export type Tx = {
  from: string
  to: string
  value?: bigint
  fee?: bigint
  failed?: boolean
  call?: boolean
  /** Selector of the call; a meaningless one if `call` is set and this is not. */
  selector?: string
  gas?: number
  /** Calldata that is text. */
  message?: string
  /** Transactions the sender had signed before; none by default. */
  nonce?: number
  /** Block of the transaction; blocks are BLOCK_S seconds apart. */
  block: number
  actions?: Action[]
}

export const GENESIS = 1_700_000_000
export const BLOCK_S = 600
export const timeOf = (block: number): number => GENESIS + block * BLOCK_S
export const hashOf = (block: number, index: number): string => `0x${block.toString(16)}-${index.toString(16)}`

/** A readable address: `0x` and the name's bytes, padded to 20. */
export const named = (name: string): string => `0x${Buffer.from(name).toString('hex').padEnd(40, '0').slice(0, 40)}`

const txRows = (
  network: Network,
  tx: Tx,
  index: number,
  block_time: number,
  rows: ReturnType<typeof emptyRows>,
): void => {
  const tx_hash = hashOf(tx.block, index)
  const head = (event: number) => ({
    network,
    block_number: tx.block,
    block_time,
    position: positionOf(tx.block, index, event),
    tx_hash,
  })
  rows.transactions.push({
    ...head(0),
    sender: tx.from,
    receiver: tx.to,
    value: String(tx.value ?? 0n),
    fee: String(tx.fee ?? 0n),
    nonce: String(tx.nonce ?? 0),
    type: 2,
    status: tx.failed ? 0 : 1,
    gas_used: String(tx.gas ?? 21_000),
    selector: tx.selector ?? (tx.call ? '0x12345678' : ''),
    input_size: tx.call || tx.selector ? 4 : 0,
    message: tx.message ?? '',
    deeds: '',
  })
  const move = (
    event: number,
    kind: Rows['ledger']['kind'],
    asset: string,
    from: string,
    to: string,
    amount: bigint,
    id = 0n,
  ) => {
    const common = { ...head(event), kind, asset, token_id: String(id), amount: String(amount), initiator: tx.from }
    rows.ledger.push({ ...common, address: from, counterparty: to, direction: -1 })
    rows.ledger.push({ ...common, address: to, counterparty: from, direction: 1 })
  }
  if (tx.failed) return
  if (tx.value && tx.to !== '') move(0, 'native', '', tx.from, tx.to, tx.value)
  for (const [nth, action] of (tx.actions ?? []).entries()) {
    const at = (action.do === 'internal' ? 1 : LOG_EVENT_BASE) + nth
    const here = head(at)
    if (action.do === 'token') move(at, 'fungible', action.asset, action.from, action.to, action.amount)
    if (action.do === 'wrap') {
      const { holder, asset, amount, way } = action
      const [from, to] = way === 'in' ? [asset, holder] : [holder, asset]
      move(at, 'wrap', asset, from, to, amount)
    }
    if (action.do === 'nft') move(at, 'nft', action.asset, action.from, action.to, 1n, action.id)
    if (action.do === 'multi') move(at, 'multi', action.asset, action.from, action.to, action.amount, action.id)
    if (action.do === 'internal') move(at, 'internal', '', action.from, action.to, action.amount)
    if (action.do === 'approve') {
      const { owner, spender, asset, amount, kind = 'fungible' } = action
      rows.approvals.push({
        ...here,
        owner,
        spender,
        asset,
        kind,
        amount: String(amount),
        initiator: tx.from,
      })
    }
    if (action.do === 'create') {
      const { contract, creator = tx.from, code_hash = '' } = action
      rows.creations.push({
        ...here,
        contract,
        event: 'create',
        creator,
        root_creator: tx.from,
        code_hash,
        code_size: 1,
      })
    }
    if (action.do === 'destroy') {
      const { contract } = action
      const common = { creator: tx.from, root_creator: tx.from, code_hash: '', code_size: 0 }
      rows.creations.push({ ...here, contract, event: 'destroy', ...common })
    }
    if (action.do === 'token-name') {
      const { token, symbol, name, decimals = 18 } = action
      rows.tokens.push({ ...here, token, standard: 'erc20', symbol, name, decimals })
    }
    if (action.do === 'pool') {
      const { pool, token0, token1, factory = named('factory'), kind = 'v2', hooks = '' } = action
      rows.pools.push({ ...here, pool, factory, kind, token0, token1, fee: 3000, hooks })
    }
    if (action.do === 'liquidity') {
      const { pool, event, amount0, amount1, owner = tx.from } = action
      const amounts = { amount0: String(amount0), amount1: String(amount1), liquidity: '0' }
      rows.liquidity.push({ ...here, pool, event, provider: tx.from, owner, ...amounts })
    }
    if (action.do === 'swap') {
      const amounts = { amount0: String(action.amount0), amount1: String(action.amount1) }
      const { stated = { factory: '', token0: '', token1: '' } } = action
      const parties = { initiator: tx.from, sender: tx.to, recipient: tx.from }
      rows.swaps.push({ ...here, pool: action.pool, ...parties, ...amounts, ...stated })
    }
    if (action.do === 'authority') {
      const { authority, event, subject, amount = 0n, detail = '' } = action
      rows.authority.push({ ...here, authority, event, subject, actor: tx.from, amount: String(amount), detail })
    }
    if (action.do === 'delegate') {
      rows.delegations.push({ ...here, authority: action.authority, delegate: action.delegate, initiator: tx.from })
    }
  }
}

/** Base rows of the transactions, plus a row for every block up to `head`. `time` maps a block to its Unix time. */
export const rowsOf = (txs: readonly Tx[], { network = 'ETH' as Network, from = 0, head = 0, time = timeOf } = {}) => {
  const rows = emptyRows()
  const nth = new Map<number, number>()
  for (const tx of txs) {
    const index = nth.get(tx.block) ?? 0
    nth.set(tx.block, index + 1)
    txRows(network, tx, index, time(tx.block), rows)
  }
  const last = Math.max(head, ...txs.map((tx) => tx.block))
  for (let block = from; block <= last; block++) {
    rows.blocks.push({
      network,
      block_number: block,
      block_time: time(block),
      block_hash: `0x${block}`,
      parent_hash: `0x${block - 1}`,
      transaction_count: nth.get(block) ?? 0,
      sees_traces: 1,
    })
  }
  return rows
}

let inserts = 0
/**
 * Inserts rows into a tier, final ones as ingest does: facts of few rows in one insert, so that `wallet_features` is planned once
 * instead of once per table (ADR 41). Hot rows need a watermark below them.
 */
export const insertRows = async (store: Store, rows: ReturnType<typeof emptyRows>, tier: 'final' | 'hot' = 'final') => {
  const sections = TABLES.filter((table) => rows[table].length > 0).map((table) => {
    const list: object[] = tier === 'hot' ? rows[table].map((row) => ({ ...row, version: 1 })) : rows[table]
    return { table, rows: Buffer.from(list.map((row) => `${JSON.stringify(row)}\n`).join('')) }
  })
  const apart = tier === 'final' && shouldDeriveFacts(sections)
  const options = (name: string) => (apart ? { token: `${name}:${++inserts}${FACTS_APART}` } : {})
  for (const { table, rows } of sections) {
    await store.insert(tier === 'hot' ? `${table}_hot` : table, rows, options(table))
  }
  if (!apart) return
  const facts = factLines(sections.map(({ table, rows }) => [table, { rows: [rows] }] as const))
  await store.insert('wallet_facts', facts, options('facts'))
}

let version = 0
export const settle = (store: Store, network: Network, settled: number) =>
  store.insert(
    'watermarks',
    `${JSON.stringify({ network, version: ++version, state: 'settled', settled, target: settled })}\n`,
  )
