import { LOG_EVENT_BASE, positionOf } from '../../schema/block.ts'

const TAIL = 1_000_000_000

/** `positionOf` for one transaction, with the BigInt arithmetic done once. */
export const positionsOf = (block: number, txIndex: number): ((event: number) => string) => {
  const base = BigInt(positionOf(block, txIndex, 0))
  const high = (base / BigInt(TAIL)).toString()
  const low = Number(base % BigInt(TAIL))
  if (base < BigInt(TAIL) * 10n) return (event) => positionOf(block, txIndex, event)
  return (event) => {
    const tail = low + event
    if (tail >= TAIL || event >= 2 * LOG_EVENT_BASE) return positionOf(block, txIndex, event)
    return high + String(tail).padStart(9, '0')
  }
}
