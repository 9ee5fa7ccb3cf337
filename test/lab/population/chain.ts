/**
 * A simulated chain: stories send transactions at the current time; the chain keeps balances and nonces and writes the
 * base rows an indexer would write for them (conventions of `indexer/source/evm/decode`), as JSON lines per table.
 */
import { LOG_EVENT_BASE, positionOf, type Rows, type TableName, type TxRowHead } from '../../../schema/block.ts'
import type { Rng } from './rng.ts'

export const NETWORK = 'ETH'
export const ZERO = `0x${'0'.repeat(40)}`
export const MAX = 2n ** 256n - 1n
/** Native coin, as spelled in the tables. */
export const NATIVE = ''
/** First block of the history, and seconds from one block to the next. */
export const GENESIS_BLOCK = 22_700_000
export const BLOCK_SECONDS = 12
export const GENESIS_TIME = 1_750_000_000
const GWEI = 1_000_000_000n

/** Spendable amount after gas, which is paid as far as the balance allows: stories reserve gas money only roughly. */
const afterFee = (held: bigint, fee: bigint, value: bigint): bigint => (held >= fee + value ? held - fee : value)

export type Send = {
  from: string
  /** Absent for a creation, whose contract is then created first in the transaction. */
  to?: string
  value?: bigint
  selector?: string
  inputSize?: number
  message?: string
  type?: number
  failed?: boolean
  gas?: number
}

/** Effects within a transaction, in order. */
export type Tx = {
  token: (asset: string, from: string, to: string, amount: bigint) => void
  /** A Transfer event the token emits although no balance changes: forged logs. */
  forged: (asset: string, from: string, to: string, amount: bigint) => void
  nft: (asset: string, from: string, to: string, id: number) => void
  internal: (from: string, to: string, amount: bigint) => void
  /** Deposit (`in`) or withdrawal of the wrapped native coin by its holder. */
  wrap: (asset: string, holder: string, way: 'in' | 'out', amount: bigint) => void
  approve: (kind: Rows['approvals']['kind'], asset: string, owner: string, spender: string, amount: bigint) => void
  create: (contract: string, code: { hash: string; size: number }, creator?: string) => void
  destroy: (contract: string, beneficiary: string) => void
  pool: (row: Pick<Rows['pools'], 'pool' | 'factory' | 'kind' | 'token0' | 'token1' | 'fee'>) => void
  liquidity: (pool: string, event: 'add' | 'remove', owner: string, amount0: bigint, amount1: bigint) => void
  swap: (pool: string, sender: string, recipient: string, amount0: bigint, amount1: bigint) => void
  authority: (
    authority: string,
    event: Rows['authority']['event'],
    subject: string,
    amount?: bigint,
    detail?: string,
  ) => void
  describe: (row: Pick<Rows['tokens'], 'token' | 'standard' | 'name' | 'symbol' | 'decimals'>) => void
  delegate: (authority: string, delegate: string) => void
}

export type Chain = {
  /** Unix seconds. */
  time: () => number
  /** Moves the clock forward; never back. */
  advance: (time: number) => void
  balance: (asset: string, address: string) => bigint
  /** Adds to a balance from before the simulated window, which no row shows. */
  endow: (asset: string, address: string, amount: bigint) => void
  /** Number of transactions an address has sent. */
  sentBy: (address: string) => number
  /** Without effect if the sender lacks the value: such a transaction never gets into a block. */
  send: (send: Send, happenings?: (tx: Tx) => void) => void
  /** Rows written since the last call, as JSON lines. */
  take: () => { table: TableName; lines: string; rows: number }[]
  /** Characters not taken yet. */
  waiting: () => number
  /** Ends the newest block. */
  finish: () => void
  transactions: () => number
}

/** @throws RangeError if an account spends more than it has: a bug in a story */
export const createChain = (rng: Rng): Chain => {
  let now = GENESIS_TIME
  let block = GENESIS_BLOCK
  let index = 0
  let sent = 0
  let waiting = 0
  const balances = new Map<string, Map<string, bigint>>()
  const nonces = new Map<string, number>()
  const buffers = new Map<TableName, string[]>()

  const write = <T extends TableName>(table: T, row: Rows[T]) => {
    const line = JSON.stringify(row)
    const lines = buffers.get(table) ?? []
    if (lines.push(line) === 1) buffers.set(table, lines)
    waiting += line.length + 1
  }
  const accounts = (asset: string) => {
    const held = balances.get(asset) ?? new Map<string, bigint>()
    balances.set(asset, held)
    return held
  }
  const balance = (asset: string, address: string) => balances.get(asset)?.get(address) ?? 0n
  const add = (asset: string, address: string, amount: bigint) =>
    void accounts(asset).set(address, balance(asset, address) + amount)
  const shift = (asset: string, from: string, to: string, amount: bigint) => {
    if (from !== ZERO) {
      const left = balance(asset, from) - amount
      if (left < 0n) throw new RangeError(`${from} gives ${amount} of '${asset}' and lacks ${-left}`)
      accounts(asset).set(from, left)
    }
    add(asset, to, amount)
  }
  const timeOf = (number: number) => GENESIS_TIME + (number - GENESIS_BLOCK) * BLOCK_SECONDS
  const endBlock = () => {
    if (index === 0) return
    write('blocks', {
      network: NETWORK,
      block_number: block,
      block_time: timeOf(block),
      block_hash: `0x${block.toString(16).padStart(64, '0')}`,
      parent_hash: `0x${(block - 1).toString(16).padStart(64, '0')}`,
      transaction_count: index,
      sees_traces: 1,
    })
    index = 0
  }

  const happeningsOf = (from: string, tx_hash: string, nth: number) => {
    let log = LOG_EVENT_BASE
    let frame = 1
    const head = (event: number): TxRowHead => ({
      network: NETWORK,
      block_number: block,
      block_time: timeOf(block),
      position: positionOf(block, nth, event),
      tx_hash,
    })
    const record = (
      event: number,
      kind: Rows['ledger']['kind'],
      asset: string,
      giver: string,
      receiver: string,
      token_id: string,
      amount: bigint,
    ) => {
      const common = { ...head(event), kind, asset, token_id, amount: String(amount), initiator: from }
      write('ledger', { ...common, address: giver, counterparty: receiver, direction: -1 })
      write('ledger', { ...common, address: receiver, counterparty: giver, direction: 1 })
    }
    const tx: Tx = {
      token: (asset, giver, receiver, amount) => {
        shift(asset, giver, receiver, amount)
        record(log++, 'fungible', asset, giver, receiver, '0', amount)
      },
      forged: (asset, giver, receiver, amount) => record(log++, 'fungible', asset, giver, receiver, '0', amount),
      nft: (asset, giver, receiver, id) => record(log++, 'nft', asset, giver, receiver, String(id), 1n),
      internal: (giver, receiver, amount) => {
        shift(NATIVE, giver, receiver, amount)
        record(frame++, 'internal', '', giver, receiver, '0', amount)
      },
      wrap: (asset, holder, way, amount) => {
        if (way === 'in') add(asset, holder, amount)
        else shift(asset, holder, ZERO, amount)
        const [giver, receiver] = way === 'in' ? [asset, holder] : [holder, asset]
        record(log++, 'wrap', asset, giver, receiver, '0', amount)
      },
      approve: (kind, asset, owner, spender, amount) =>
        write('approvals', { ...head(log++), owner, spender, asset, kind, amount: String(amount), initiator: from }),
      create: (contract, { hash, size }, creator = from) =>
        write('creations', {
          ...head(creator === from ? 0 : frame++),
          contract,
          event: 'create',
          creator,
          root_creator: from,
          code_hash: hash,
          code_size: size,
        }),
      destroy: (contract, beneficiary) =>
        write('creations', {
          ...head(frame++),
          contract,
          event: 'destroy',
          creator: beneficiary,
          root_creator: from,
          code_hash: '',
          code_size: 0,
        }),
      pool: (row) => write('pools', { ...head(log++), ...row, hooks: '' }),
      liquidity: (pool, event, owner, amount0, amount1) =>
        write('liquidity', {
          ...head(log++),
          pool,
          event,
          provider: from,
          owner,
          amount0: String(amount0),
          amount1: String(amount1),
          liquidity: '0',
        }),
      swap: (pool, sender, recipient, amount0, amount1) =>
        write('swaps', {
          ...head(log++),
          pool,
          initiator: from,
          sender,
          recipient,
          amount0: String(amount0),
          amount1: String(amount1),
          factory: '',
          token0: '',
          token1: '',
        }),
      authority: (authority, event, subject, amount = 0n, detail = '') =>
        write('authority', {
          ...head(log++),
          authority,
          event,
          subject,
          actor: from,
          amount: String(amount),
          detail,
        }),
      describe: (row) => write('tokens', { ...head(log++), ...row }),
      delegate: (authority, delegate) => write('delegations', { ...head(0), authority, delegate, initiator: from }),
    }
    return { tx, native: (to: string, value: bigint) => record(0, 'native', '', from, to, '0', value) }
  }

  return {
    time: () => now,
    advance: (time) => {
      now = Math.max(now, time)
      const next = GENESIS_BLOCK + Math.floor((now - GENESIS_TIME) / BLOCK_SECONDS)
      if (next > block) {
        endBlock()
        block = next
      }
    },
    balance,
    endow: add,
    sentBy: (address) => nonces.get(address) ?? 0,
    send: (send, happenings) => {
      const { from, to = '', value = 0n, failed = false, message = '', selector = '', gas = 21_000 } = send
      if (balance(NATIVE, from) < value) return
      const nth = index++
      sent++
      const nonce = nonces.get(from) ?? 0
      nonces.set(from, nonce + 1)
      const fee = BigInt(gas) * BigInt(Math.floor(rng.between(1, 12))) * GWEI
      const held = balance(NATIVE, from)
      accounts(NATIVE).set(from, afterFee(held, fee, value))
      const tx_hash = `0x${rng.hex(64)}`
      const { tx, native } = happeningsOf(from, tx_hash, nth)
      write('transactions', {
        network: NETWORK,
        block_number: block,
        block_time: timeOf(block),
        position: positionOf(block, nth, 0),
        tx_hash,
        sender: from,
        receiver: to,
        value: String(value),
        fee: String(fee),
        nonce: String(nonce),
        type: send.type ?? 2,
        status: failed ? 0 : 1,
        gas_used: String(gas),
        selector,
        input_size: send.inputSize ?? (message ? Buffer.byteLength(message) : selector ? 68 : 0),
        message,
        deeds: '',
      })
      if (failed) return
      if (value > 0n && to !== '') {
        shift(NATIVE, from, to, value)
        native(to, value)
      }
      happenings?.(tx)
    },
    take: () => {
      const taken = [...buffers].map(([table, lines]) => ({
        table,
        lines: `${lines.join('\n')}\n`,
        rows: lines.length,
      }))
      buffers.clear()
      waiting = 0
      return taken
    },
    waiting: () => waiting,
    finish: endBlock,
    transactions: () => sent,
  }
}
