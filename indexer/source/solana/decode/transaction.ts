/** Resolves the accounts and instructions of a transaction. */
import type { TxRowHead } from '../../../../schema/block.ts'
import type { RawMeta, RawTransaction } from '../raw.ts'
import { amountAt } from './data.ts'
import { type Instruction, instructionsOf } from './instructions.ts'
import { TOKEN_CALL, TRANSFER_CHECKED_WITH_FEE } from './programs.ts'
import { type TokenAccounts, tokenAccountsOf } from './token-accounts.ts'

/** Common columns of a transaction's rows, by the position of the event. */
export type HeadOf = (event: number) => TxRowHead

/** A resolved transaction: accounts by address instead of index, called instructions in execution order. */
export type Transaction = {
  meta: RawMeta
  /** First signer, which pays the fee. */
  payer: string
  signers: ReadonlySet<string>
  /** Accounts of the message, then those loaded from tables. */
  keys: readonly string[]
  instructions: readonly Instruction[]
  tokenAccounts: TokenAccounts
  /** Whether the answer includes instructions called by programs. */
  seesInner: boolean
}

/** Resolves a transaction. */
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

/** The amount in an instruction of a token program; undefined if its data is cut. */
export const tokenAmount = (data: Buffer): bigint | undefined => amountAt(data, 1)

type TokenTransfer = {
  source: string
  target: string
  /** Undefined if the instruction does not name it. */
  mint: string | undefined
  amount: bigint
  /** Part of the amount, if the instruction states it. */
  fee: bigint
}

/** Offsets of the amount and of the fee in a transfer that states its fee. */
const SENT_PLACE = 2
const FEE_PLACE = 11

/** The transfer of a token program's instruction; undefined if it is not one, or cut. */
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
