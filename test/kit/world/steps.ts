/** A sparse chain for profile tests: transactions on days, turned into base rows. Blocks exist only where something happens. */
import { emptyRows, LOG_EVENT_BASE, positionOf, type Rows } from '../../../schema/block.ts'
import type { Network } from '../../../schema/networks.ts'

export const DAY = 86_400
export const GENESIS = 1_700_000_000
export const NOBODY = `0x${'0'.repeat(40)}`

export type Move = {
  from: string
  to: string
  /** Token contract; empty for an internal call. */
  asset: string
  amount: bigint
  kind?: 'fungible' | 'nft'
}

export type Step = {
  /** Days since GENESIS. */
  day: number
  from: string
  to: string
  value?: bigint
  fee?: bigint
  selector?: string
  failed?: boolean
  moves?: Move[]
  /** Announced by `factory`. */
  pool?: { pool: string; factory: string; token0: string; token1: string }
  swap?: { pool: string; amount0: bigint; amount1: bigint }
}

export const timeOf = (step: Pick<Step, 'day'>): number => Math.floor(GENESIS + step.day * DAY)

/** One block for each step, in order of days; number 1 is the first. */
export const rowsOfSteps = (steps: readonly Step[], { network = 'ETH' as Network, first = 1 } = {}) => {
  const rows = emptyRows()
  for (const [nth, step] of [...steps].sort((a, b) => a.day - b.day).entries()) {
    const block_number = first + nth
    const block_time = timeOf(step)
    const head = (event: number) => ({
      network,
      block_number,
      block_time,
      position: positionOf(block_number, 0, event),
      tx_hash: `0xt${block_number}`,
    })
    rows.blocks.push({
      network,
      block_number,
      block_time,
      block_hash: `0xb${block_number}`,
      parent_hash: `0xb${block_number - 1}`,
      transaction_count: 1,
      sees_traces: 1,
    })
    rows.transactions.push({
      ...head(0),
      sender: step.from,
      receiver: step.to,
      value: String(step.value ?? 0n),
      fee: String(step.fee ?? 0n),
      nonce: '0',
      type: 2,
      status: step.failed ? 0 : 1,
      gas_used: '21000',
      selector: step.selector ?? '',
      input_size: step.selector ? 4 : 0,
      message: '',
    })
    if (step.failed) continue
    const move = (event: number, kind: Rows['ledger']['kind'], { from, to, asset, amount }: Move) => {
      const common = { ...head(event), kind, asset, token_id: '0', amount: String(amount), initiator: step.from }
      rows.ledger.push({ ...common, address: from, counterparty: to, direction: -1 })
      rows.ledger.push({ ...common, address: to, counterparty: from, direction: 1 })
    }
    if (step.value) move(0, 'native', { from: step.from, to: step.to, asset: '', amount: step.value })
    for (const [index, one] of (step.moves ?? []).entries()) {
      move(
        (one.asset === '' ? 1 : LOG_EVENT_BASE) + index,
        one.asset === '' ? 'internal' : (one.kind ?? 'fungible'),
        one,
      )
    }
    if (step.pool) rows.pools.push({ ...head(LOG_EVENT_BASE + 90), kind: 'v2', fee: 3000, hooks: '', ...step.pool })
    if (step.swap) {
      const { pool, amount0, amount1 } = step.swap
      const amounts = { amount0: String(amount0), amount1: String(amount1) }
      rows.swaps.push({
        ...head(LOG_EVENT_BASE + 91),
        pool,
        initiator: step.from,
        sender: step.to,
        recipient: step.from,
        ...amounts,
      })
    }
  }
  return rows
}
