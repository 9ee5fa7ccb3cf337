/** Checks whether the past found is complete, by the state of the account. Pure. */
import type { Block } from '../../../schema/block.ts'
import type { Account, NoAccount } from './account.ts'

type Rows = Block['rows']

/** Deposits of the OP stack are signed on another chain, and had no nonce of their own at first. */
const DEPOSIT = 126

/** Why signed transactions may be missing; `undefined` if none is. */
export const sentMissing = (wallet: string, rows: Rows, account: Account | NoAccount): string | undefined => {
  if ('why' in account) return account.why
  const nonces = new Set(
    rows.transactions.flatMap(({ sender, type, nonce }) =>
      sender === wallet && type !== DEPOSIT ? [Number(nonce)] : [],
    ),
  )
  const found = [...nonces].filter((nonce) => nonce < account.nonce).length
  if (found < account.nonce) return `${account.nonce - found} of ${account.nonce} transactions it signed were not found`
  return nonces.size > account.nonce ? 'it signed more transactions than its nonce counts' : undefined
}

/** Why movements of native coin may be missing; `undefined` if they add up to the balance, to the wei. */
export const nativeMissing = (wallet: string, rows: Rows, account: Account | NoAccount): string | undefined => {
  if ('why' in account) return account.why
  const moved = rows.ledger
    .filter(({ address, asset }) => address === wallet && asset === '')
    .reduce((sum, { amount, direction }) => sum + BigInt(amount) * BigInt(direction), account.genesis)
  const fees = rows.transactions
    .filter(({ sender }) => sender === wallet)
    .reduce((sum, { fee }) => sum + BigInt(fee), 0n)
  return moved - fees === account.balance ? undefined : 'its payments do not add up to its balance'
}

/** Why token movements may be missing: blocks have some, but the log search did not find these blocks. */
export const tokensMissing = (wallet: string, rows: Rows, logged: ReadonlySet<number>): string | undefined => {
  const moved = rows.ledger.find(
    ({ address, asset, kind, block_number }) =>
      address === wallet && asset !== '' && kind !== 'wrap' && !logged.has(block_number),
  )
  return moved && `tokens moved in block ${moved.block_number}, of which no log was answered`
}
