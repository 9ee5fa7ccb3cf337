/**
 * Decodes Solana blocks to the chain-neutral block. Pure and synchronous: the same answer gives the same rows.
 *
 * Not visible here: votes (counted, not stored), rewards of leaders and stakes (they belong to no transaction), token names
 * (accounts of other programs have them), the content of pools, and changes of their liquidity.
 */
import { type Block, emptyRows } from '../../../../schema/block.ts'
import type { Network } from '../../../../schema/networks.ts'
import { wrappedNative } from '../../../../schema/registry/index.ts'
import { type Protocol, protocolsOf } from '../../../../schema/registry/protocols.ts'
import { callDeedsOf, spellDeeds } from '../../../../schema/registry/signatures/instructions.ts'
import { positionsOf } from '../../positions.ts'
import type { RawBlock, RawTransaction } from '../raw.ts'
import type { Instruction } from './instructions.ts'
import { type Movement, movementsOf } from './movements.ts'
import { powersOf } from './powers.ts'
import { SYSTEM, UTILITY_PROGRAMS } from './programs.ts'
import { swapsOf } from './swaps.ts'
import { readTransaction, type Transaction } from './transaction.ts'

/** Versioned messages begin with this bit plus their version, legacy ones do not (Solana docs, "Versioned Transactions"). */
const VERSIONED = 0x80

/** The main call of a transaction, as the called contract on EVM networks. */
type Called = { receiver: string; value: string; selector: string; input_size: number; deeds: string }

const firstBytes = (data: Buffer) => (data.length < 4 ? '' : `0x${data.toString('hex', 0, 4)}`)

const call = (one: Instruction, deeds: string): Called => {
  const data = one.data()
  return { receiver: one.program, value: '0', selector: firstBytes(data), input_size: data.length, deeds }
}

/** Deeds that take out what was put in; seldom the purpose of a transaction. */
const UNDOING_DEEDS: ReadonlySet<string> = new Set(['withdraw', 'repay'])

/**
 * Finds the main call: of a known protocol for its purpose; else of any known protocol; else of one that the called programs
 * call, as trading services do; else of the first program that is not a utility of every transaction. For a transaction that
 * only pays SOL, the receiver is who was paid, as on other networks.
 */
const mainCallOf = (
  { instructions }: Transaction,
  movements: readonly Movement[],
  known: ReadonlyMap<string, Protocol>,
) => {
  const top = instructions.filter(({ inner }) => !inner)
  const deedsOf = (one: Instruction) => {
    const protocol = known.get(one.program)
    return protocol ? callDeedsOf(protocol, firstBytes(one.data()), one.data()) : []
  }
  const doesIt = (one: Instruction): boolean => deedsOf(one).some((deed) => !UNDOING_DEEDS.has(deed))
  const about =
    top.find(doesIt) ??
    top.find(({ program }) => known.has(program)) ??
    instructions.find((one) => one.inner && doesIt(one)) ??
    top.find(({ program }) => !UTILITY_PROGRAMS.has(program))
  if (about) {
    if (!known.has(about.program)) return call(about, '')
    const alike = instructions.filter(({ program, inner }) => program === about.program && inner === about.inner)
    return call(about, spellDeeds(alike.length === 1 ? deedsOf(about) : alike.flatMap(deedsOf)))
  }
  const [paid] = movements
  if (paid && movements.length === 1 && paid.kind === 'native' && paid.to !== '') {
    return { receiver: paid.to, value: String(paid.amount), selector: '', input_size: 0, deeds: '' }
  }
  const other = top.find(({ program }) => program !== SYSTEM && !program.startsWith('ComputeBudget')) ?? top[0]
  return other ? call(other, '') : { receiver: '', value: '0', selector: '', input_size: 0, deeds: '' }
}

const typeOf = (version: RawTransaction['version']): number => (typeof version === 'number' ? VERSIONED + version : 0)

/**
 * Decodes one block. Unreadable transactions get no row, and the block is then marked as not showing everything.
 * @throws RangeError when a block exceeds the range of positions.
 */
export const decodeBlock = (network: Network, raw: RawBlock): Block => {
  const { number, hash, parentHash, time } = raw
  const rows = emptyRows()
  const wrapped = wrappedNative(network)?.address ?? ''
  const known = protocolsOf(network)
  let seesInner = true

  raw.transactions.forEach((one, index) => {
    if (one === null) return
    if (one === undefined) {
      seesInner = false
      return
    }
    const transaction = readTransaction(one)
    const { meta, payer, signers } = transaction
    // Without the accounts loaded from tables, the instructions' account indexes are meaningless.
    if (transaction.keys.length !== meta.preBalances.length || meta.preBalances.length !== meta.postBalances.length) {
      seesInner = false
      return
    }
    const succeeded = meta.err === null || meta.err === undefined
    const movements = succeeded ? movementsOf(transaction, wrapped) : []
    const positions = positionsOf(number, index)
    const tx_hash = one.transaction.signatures[0] ?? ''
    const { receiver, value, selector, input_size, deeds } = mainCallOf(transaction, movements, known)
    rows.transactions.push({
      network,
      block_number: number,
      block_time: time,
      position: positions(0),
      tx_hash,
      sender: payer,
      fee: String(meta.fee),
      nonce: '0',
      type: typeOf(one.version),
      status: succeeded ? 1 : 0,
      gas_used: String(meta.computeUnitsConsumed ?? 0),
      message: '',
      receiver,
      value,
      selector,
      input_size,
      deeds: succeeded ? deeds : '',
    })
    if (!succeeded) return
    if (!transaction.seesInner) seesInner = false

    /** Initiator of a movement: the party that signed, else the fee payer. */
    const initiatorOf = ({ from, to }: Movement) => (signers.has(from) ? from : signers.has(to) ? to : payer)
    for (const movement of movements) {
      const { event, kind, from, to, asset } = movement
      const position = positions(event)
      const amount = String(movement.amount)
      const initiator = initiatorOf(movement)
      const row = (address: string, counterparty: string, direction: -1 | 1) => ({
        network,
        block_number: number,
        block_time: time,
        position,
        tx_hash,
        kind,
        asset,
        token_id: '0',
        amount,
        address,
        counterparty,
        direction,
        initiator,
      })
      if (from !== '') rows.ledger.push(row(from, to, -1))
      if (to !== '') rows.ledger.push(row(to, from, 1))
    }
    const headOf = (event: number) => ({
      network,
      block_number: number,
      block_time: time,
      position: positions(event),
      tx_hash,
    })
    const powers = powersOf(transaction, headOf)
    rows.swaps.push(...swapsOf(transaction, headOf))
    rows.approvals.push(...powers.approvals)
    rows.authority.push(...powers.authority)
    rows.creations.push(...powers.creations)
  })

  rows.blocks.push({
    network,
    block_number: number,
    block_time: time,
    block_hash: hash,
    parent_hash: parentHash,
    transaction_count: raw.transactions.length,
    sees_traces: seesInner ? 1 : 0,
  })
  return { network, number, hash, parentHash, time, rows }
}
