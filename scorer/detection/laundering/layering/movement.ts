/** A movement of value as seen by `address`; `direction` 1 is incoming. `amount` in base units. */
export type Move = {
  address: string
  counterparty: string
  direction: 1 | -1
  asset: string
  amount: bigint
  own: 0 | 1
  tx_hash: string
  time: number
}

/** A movement as returned by the store. */
export type MoveRow = Omit<Move, 'amount'> & { amount: string }

/** Converts amounts to integers. */
export const movesOf = <Row extends MoveRow>(rows: readonly Row[]): (Omit<Row, 'amount'> & { amount: bigint })[] =>
  rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))

/** Sum of the movements. */
export const totalOf = (moves: readonly Pick<Move, 'amount'>[]): bigint =>
  moves.reduce((sum, { amount }) => sum + amount, 0n)
