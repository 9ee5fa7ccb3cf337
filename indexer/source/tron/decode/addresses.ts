/**
 * TRON's addresses as the tables spell them. Blocks are decoded in the 20 bytes that TRON's virtual machine knows, as `0x`
 * hex, and their rows are spelled in base58 at the end.
 */
import { createMemory } from '../../../../platform/memory.ts'
import { tronFromEvm } from '../../../../schema/address/index.ts'
import type { Block, TableName } from '../../../../schema/block.ts'

const REMEMBERED = 200_000
const spelled = createMemory<string, string>(REMEMBERED)
const HEX = /^0x[0-9a-f]{40}$/
const NOBODY = `0x${'0'.repeat(40)}`

/** Base58 of an address in hex. Texts that are none, such as the number of a TRC10 token, stay as they are. */
const spell = (text: string): string => {
  if (!HEX.test(text)) return text
  const known = spelled.get(text)
  if (known !== undefined) return known
  const address = tronFromEvm(text)
  spelled.set(text, address)
  return address
}

/** Columns that hold addresses. `detail` holds one in some events. */
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

/** Spells the addresses of all rows in base58. Where a movement's party is nobody, it stays empty, as on all families but EVM. */
export const spellRows = (rows: Block['rows']): void => {
  for (const row of rows.ledger) {
    if (row.address === NOBODY) row.address = ''
    if (row.counterparty === NOBODY) row.counterparty = ''
  }
  for (const [table, columns] of Object.entries(ADDRESSES)) {
    // Each list of columns belongs to its table: `ADDRESSES` is checked above.
    for (const row of rows[table as TableName] as unknown as Record<string, string>[]) {
      for (const column of columns) row[column] = spell(row[column] ?? '')
    }
  }
}
