/** A movement of value as one of its parties sees it; `direction` 1 came in. `amount` in base units. */
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

/** A movement as the tables answer it. */
export type MoveRow = Omit<Move, 'amount'> & { amount: string }

/** Rows with amounts as integers. */
export const movesOf = <Row extends MoveRow>(rows: readonly Row[]): (Omit<Row, 'amount'> & { amount: bigint })[] =>
  rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))

/** What some movements add up to. */
export const totalOf = (moves: readonly Pick<Move, 'amount'>[]): bigint =>
  moves.reduce((sum, { amount }) => sum + amount, 0n)
