/** One transaction with its accounts and instructions put together. */
import type { TxRowHead } from '../../../../schema/block.ts'
import type { RawMeta, RawTransaction } from '../raw.ts'
import { amountAt, bytesOf, keyAt } from './data.ts'
import { TOKEN, TOKEN_2022, TOKEN_CALL, TRANSFER_CHECKED_WITH_FEE } from './programs.ts'

/** An instruction, or one that a program called, with its accounts named. */
export type Instruction = {
  /** Place in the transaction, from 1: called ones follow the one that called them. */
  event: number
  program: string
  accounts: readonly string[]
  /** Called by a program. */
  inner: boolean
  /** How deep it was called, from 1; undefined where the node does not state it. */
  depth: number | undefined
  /** As nodes spell it. */
  text: string
  data: () => Buffer
}

/** The columns that every row of a transaction begins with, by the place of the event. */
export type HeadOf = (event: number) => TxRowHead

/** A token account: what it holds, and whose it is. */
export type TokenAccount = { mint: string; owner: string; decimals: number | undefined }

/** A transaction ready to be read: accounts by address instead of by number, called instructions in their order. */
export type Transaction = {
  meta: RawMeta
  /** First signer, who pays the fee. */
  payer: string
  signers: ReadonlySet<string>
  /** Accounts of the message, then those loaded from tables. */
  keys: readonly string[]
  instructions: readonly Instruction[]
  /** Token accounts by address. */
  tokenAccounts: ReadonlyMap<string, TokenAccount>
  /** What programs called is part of the answer. */
  seesInner: boolean
}

/** Whether instructions of a program have the layout of `TOKEN_CALL`. */
export const isTokenProgram = (program: string): boolean => program === TOKEN || program === TOKEN_2022

const instructionsOf = ({ transaction: { message }, meta }: RawTransaction, keys: readonly string[]): Instruction[] => {
  const called = new Map(meta.innerInstructions?.map(({ index, instructions }) => [index, instructions]))
  const found: Instruction[] = []
  message.instructions.forEach((top, index) => {
    for (const one of [top, ...(called.get(index) ?? [])]) {
      let bytes: Buffer | undefined
      found.push({
        event: found.length + 1,
        program: keys[one.programIdIndex] ?? '',
        accounts: one.accounts.map((account) => keys[account] ?? ''),
        inner: one !== top,
        depth: one === top ? 1 : typeof one.stackHeight === 'number' ? one.stackHeight : undefined,
        text: one.data,
        data: () => {
          bytes ??= bytesOf(one.data)
          return bytes
        },
      })
    }
  })
  return found
}

/** Token accounts by the balances, and those that were opened and closed within the transaction by their instructions. */
const tokenAccountsOf = (meta: RawMeta, keys: readonly string[], instructions: readonly Instruction[]) => {
  const found = new Map<string, TokenAccount>()
  for (const { program, accounts, data } of instructions) {
    if (!isTokenProgram(program)) continue
    const [account, mint, owner] = accounts
    if (account === undefined || mint === undefined) continue
    const call = data()[0]
    if (call === TOKEN_CALL.initializeAccount && owner !== undefined) {
      found.set(account, { mint, owner, decimals: undefined })
    } else if (call === TOKEN_CALL.initializeAccount2 || call === TOKEN_CALL.initializeAccount3) {
      found.set(account, { mint, owner: keyAt(data(), 1) ?? account, decimals: undefined })
    }
  }
  for (const balance of [...(meta.preTokenBalances ?? []), ...(meta.postTokenBalances ?? [])]) {
    const account = keys[balance.accountIndex]
    if (account === undefined) continue
    const { decimals } = balance.uiTokenAmount
    found.set(account, { mint: balance.mint, owner: balance.owner ?? account, decimals })
  }
  return found
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
