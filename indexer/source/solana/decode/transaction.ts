/** One transaction with its accounts and instructions put together. */
import type { TxRowHead } from '../../../../schema/block.ts'
import type { RawMeta, RawTransaction } from '../raw.ts'
import { amountAt } from './data.ts'
import { type Instruction, instructionsOf } from './instructions.ts'
import { TOKEN_CALL, TRANSFER_CHECKED_WITH_FEE } from './programs.ts'
import { type TokenAccounts, tokenAccountsOf } from './token-accounts.ts'

/** The columns that every row of a transaction begins with, by the place of the event. */
export type HeadOf = (event: number) => TxRowHead

/** A transaction ready to be read: accounts by address instead of by number, called instructions in their order. */
export type Transaction = {
  meta: RawMeta
  /** First signer, who pays the fee. */
  payer: string
  signers: ReadonlySet<string>
  /** Accounts of the message, then those loaded from tables. */
  keys: readonly string[]
  instructions: readonly Instruction[]
  tokenAccounts: TokenAccounts
  /** What programs called is part of the answer. */
  seesInner: boolean
}

/** Puts a transaction together. */
export const readTransaction = (raw: RawTransaction): Transaction => {
  const { message } = raw.transaction
  const { loadedAddresses } = raw.meta
  const keys = [...message.accountKeys, ...(loadedAddresses?.writable ?? []), ...(loadedAddresses?.readonly ?? [])]
  const instructions = instructionsOf(raw, keys)
  return {
    meta: raw.meta,
    payer: keys[0] ?? '',
    signers: new Set(keys.slice(0, message.header.numRequiredSignatures)),
    keys,
    instructions,
    tokenAccounts: tokenAccountsOf(raw.meta, keys, instructions),
    seesInner: Array.isArray(raw.meta.innerInstructions),
  }
}

/** The amount an instruction of a token program names; undefined where its data is cut. */
export const tokenAmount = (data: Buffer): bigint | undefined => amountAt(data, 1)

type TokenTransfer = {
  source: string
  target: string
  /** Where the instruction names it. */
  mint: string | undefined
  amount: bigint
  /** Of the amount, where the instruction states it. */
  fee: bigint
}

/** Places of the fee, and of the amount before it, in a transfer that states its fee. */
const SENT_PLACE = 2
const FEE_PLACE = 11

/** What an instruction of a token program transfers; undefined where it is no transfer, or cut short. */
export const transferOf = ({ accounts, data }: Instruction): TokenTransfer | undefined => {
  const [source, second, third] = accounts
  if (source === undefined || second === undefined) return undefined
  const bytes = data()
  const amount = tokenAmount(bytes)
  switch (bytes[0]) {
    case TOKEN_CALL.transfer:
      return amount === undefined ? undefined : { source, target: second, mint: undefined, amount, fee: 0n }
    case TOKEN_CALL.transferChecked:
      if (amount === undefined || third === undefined) return undefined
      return { source, target: third, mint: second, amount, fee: 0n }
    case TOKEN_CALL.transferFee: {
      const sent = amountAt(bytes, SENT_PLACE)
      if (bytes[1] !== TRANSFER_CHECKED_WITH_FEE || sent === undefined || third === undefined) return undefined
      return { source, target: third, mint: second, amount: sent, fee: amountAt(bytes, FEE_PLACE) ?? 0n }
    }
    default:
      return undefined
  }
}
