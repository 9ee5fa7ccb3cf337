/**
 * TRON's addresses in the tables' notation. Blocks are decoded with the 20 bytes that TRON's virtual machine uses, as `0x` hex, and
 * rows are converted to base58 at the end.
 */
import { createMemory } from '../../../../platform/memory.ts'
import { tronFromEvm } from '../../../../schema/address/index.ts'
import type { Block, TableName } from '../../../../schema/block.ts'

const MAX_CACHED = 200_000
const cache = createMemory<string, string>(MAX_CACHED)
const HEX = /^0x[0-9a-f]{40}$/
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

/** Base58 of an address in hex. Other texts, such as the number of a TRC10 token, stay unchanged. */
const toBase58 = (text: string): string => {
  if (!HEX.test(text)) return text
  const known = cache.get(text)
  if (known !== undefined) return known
  const address = tronFromEvm(text)
  cache.set(text, address)
  return address
}

/** Columns with addresses; `detail` has one for some events. */
const ADDRESSES = {
  transactions: ['sender', 'receiver'],
  ledger: ['address', 'counterparty', 'asset', 'initiator'],
  approvals: ['owner', 'spender', 'asset', 'initiator'],
  creations: ['contract', 'creator', 'root_creator'],
  pools: ['pool', 'factory', 'token0', 'token1', 'hooks'],
  liquidity: ['pool', 'provider', 'owner'],
  swaps: ['pool', 'initiator', 'sender', 'recipient'],
  authority: ['authority', 'subject', 'actor', 'detail'],
  tokens: ['token'],
  delegations: ['authority', 'delegate', 'initiator'],
  blocks: [],
} as const satisfies { [T in TableName]: readonly (keyof Block['rows'][T][number])[] }

/** Converts the addresses of all rows to base58. The zero address of a movement becomes empty, as on all families but EVM. */
export const spellRows = (rows: Block['rows']): void => {
  for (const row of rows.ledger) {
    if (row.address === ZERO_ADDRESS) row.address = ''
    if (row.counterparty === ZERO_ADDRESS) row.counterparty = ''
  }
  for (const [table, columns] of Object.entries(ADDRESSES)) {
    // The columns belong to the table: `ADDRESSES` is checked above.
    for (const row of rows[table as TableName] as unknown as Record<string, string>[]) {
      for (const column of columns) row[column] = toBase58(row[column] ?? '')
    }
  }
}
