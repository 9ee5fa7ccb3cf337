/** A sparse chain for profile tests: transactions on days, turned into base rows. Blocks exist only for steps. */
import type { Network } from '../../../schema/networks.ts'
import { type Action, GENESIS, rowsOf, type Tx } from './transactions.ts'

export const DAY = 86_400
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
  pool?: Omit<Extract<Action, { do: 'pool' }>, 'do'>
  swap?: { pool: string; amount0: bigint; amount1: bigint }
}

export const timeOf = (step: Pick<Step, 'day'>): number => Math.floor(GENESIS + step.day * DAY)

const moveOf = ({ from, to, asset, amount, kind }: Move): Action => {
  if (asset === '') return { do: 'internal', from, to, amount }
  return kind === 'nft' ? { do: 'nft', from, to, asset, id: 0n } : { do: 'token', from, to, asset, amount }
}

const txOf = ({ day, moves = [], pool, swap, ...step }: Step, block: number): Tx => ({
  ...step,
  block,
  actions: [
    ...moves.map(moveOf),
    ...(pool ? [{ do: 'pool', ...pool } as const] : []),
    ...(swap ? [{ do: 'swap', ...swap } as const] : []),
  ],
})

/** One block for each step, ordered by day; the first has number 1. */
export const rowsOfSteps = (steps: readonly Step[], { network = 'ETH' as Network, first = 1 } = {}) => {
  const sorted = [...steps].sort((a, b) => a.day - b.day)
  const txs = sorted.map((step, nth) => txOf(step, first + nth))
  return rowsOf(txs, { network, from: first, time: (block) => timeOf(sorted[block - first] ?? { day: 0 }) })
}
