/** A movement of value as one of its parties sees it; `direction` 1 came in. */
export type Move = {
  address: string
  counterparty: string
  direction: 1 | -1
  asset: string
  amount: number
  own: 0 | 1
  tx_hash: string
  time: number
}
