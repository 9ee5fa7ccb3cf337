import type { RawReceipt, RawTrace, RawTransaction } from '../raw.ts'
import { numberOf } from './hex.ts'

const BASE_GAS = 21_000
const ZERO_BYTE_GAS = 4
const BYTE_GAS = 68

const intrinsicGas = (input: string): number => {
  let gas = BASE_GAS
  for (let i = 2; i < input.length; i += 2) gas += input.startsWith('00', i) ? ZERO_BYTE_GAS : BYTE_GAS
  return gas
}

/** Stored status: 1 succeeded, 0 failed, 2 not stated by the node. */
export const statusOf = (receipt: RawReceipt | undefined): 0 | 1 | 2 => {
  if (typeof receipt?.status !== 'string') return 2
  return numberOf(receipt.status) === 1 ? 1 : 0
}

/**
 * Whether the transaction took effect. Receipts before Byzantium (EIP-658) have no status. Then the root frame decides; without
 * traces, a failure shows by all gas being used, because failing returned no gas then (EIP-150 era rules). A transaction
 * whose limit was exactly its intrinsic cost ran no code and counts as success. A transaction without a receipt (Ethermint
 * drops it) never ran.
 */
export const tookEffect = (
  transaction: RawTransaction,
  receipt: RawReceipt | undefined,
  root: RawTrace | undefined,
): boolean => {
  if (receipt === undefined) return false
  const status = statusOf(receipt)
  if (status !== 2) return status === 1
  if (root !== undefined) return !root.reverted
  const used = numberOf(receipt.gasUsed)
  if (typeof transaction.gas !== 'string' || used < numberOf(transaction.gas)) return true
  return typeof transaction.to === 'string' && used <= intrinsicGas(transaction.input)
}
