/** Schemas of Solana nodes' answers. Fields not listed here are ignored. */
import { z } from 'zod'
import { isListOf, isNone, isObject } from '../guards.ts'

/** A whole number; large ones are text (`thin.ts`). */
const integer = z.union([z.int(), z.string().regex(/^-?\d+$/)])
const amount = z.union([z.int().nonnegative(), z.string().regex(/^\d+$/)])

const instruction = z.object({
  programIdIndex: z.int().nonnegative(),
  accounts: z.array(z.int().nonnegative()),
  data: z.string(),
  /** Call depth, from 1, if the node records it. */
  stackHeight: z.unknown().optional(),
})

const tokenBalance = z.object({
  accountIndex: z.int().nonnegative(),
  mint: z.string(),
  /** Absent in blocks of 2021 and before. */
  owner: z.string().nullish(),
  uiTokenAmount: z.object({ amount: z.string().regex(/^\d+$/), decimals: z.int() }),
})

const meta = z.object({
  /** `null` when the transaction succeeded. */
  err: z.unknown(),
  fee: amount,
  preBalances: z.array(amount),
  postBalances: z.array(amount),
  preTokenBalances: z.array(tokenBalance).nullish(),
  postTokenBalances: z.array(tokenBalance).nullish(),
  /** `null` if the node does not record them. */
  innerInstructions: z.array(z.object({ index: z.int().nonnegative(), instructions: z.array(instruction) })).nullish(),
  loadedAddresses: z.object({ writable: z.array(z.string()), readonly: z.array(z.string()) }).nullish(),
  computeUnitsConsumed: amount.nullish(),
})

/** A transaction with its balances, in encoding `json`. Accepts any version that has these fields. */
export const rawTransaction = z.object({
  transaction: z.object({
    signatures: z.array(z.string().min(1)).min(1),
    message: z.object({
      header: z.object({
        numRequiredSignatures: z.int().positive(),
        numReadonlySignedAccounts: z.int().nonnegative(),
        numReadonlyUnsignedAccounts: z.int().nonnegative(),
      }),
      accountKeys: z.array(z.string()).min(1),
      recentBlockhash: z.string(),
      instructions: z.array(instruction),
    }),
  }),
  meta,
  version: z.union([z.literal('legacy'), z.int().nonnegative()]).optional(),
})

/** A block, with or without transactions, which are parsed one by one (`readTransaction`). */
export const rawHeader = z.object({
  blockhash: z.string().min(1),
  previousBlockhash: z.string().min(1),
  parentSlot: z.int().nonnegative(),
  /** `null` for blocks of the first year. */
  blockHeight: z.int().nonnegative().nullish(),
  blockTime: integer.nullish(),
  transactions: z.array(z.unknown()).optional(),
})

const isText = (value: unknown): value is string => typeof value === 'string'
const isIndex = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
const isCount = (value: unknown): boolean => isIndex(value) || (isText(value) && /^\d+$/.test(value))
const isInstruction = (value: unknown): boolean =>
  isObject(value) && isIndex(value.programIdIndex) && isText(value.data) && isListOf(value.accounts, isIndex)
const isTokenBalance = (value: unknown): boolean =>
  isObject(value) &&
  isIndex(value.accountIndex) &&
  isText(value.mint) &&
  (isNone(value.owner) || isText(value.owner)) &&
  isObject(value.uiTokenAmount) &&
  isText(value.uiTokenAmount.amount) &&
  /^\d+$/.test(value.uiTokenAmount.amount) &&
  Number.isSafeInteger(value.uiTokenAmount.decimals)
const isCalled = (value: unknown): boolean =>
  isObject(value) && isIndex(value.index) && isListOf(value.instructions, isInstruction)
const isLoaded = (value: unknown): boolean =>
  isObject(value) && isListOf(value.writable, isText) && isListOf(value.readonly, isText)

const isMeta = (value: unknown): boolean =>
  isObject(value) &&
  'err' in value &&
  isCount(value.fee) &&
  isListOf(value.preBalances, isCount) &&
  isListOf(value.postBalances, isCount) &&
  (isNone(value.preTokenBalances) || isListOf(value.preTokenBalances, isTokenBalance)) &&
  (isNone(value.postTokenBalances) || isListOf(value.postTokenBalances, isTokenBalance)) &&
  (isNone(value.innerInstructions) || isListOf(value.innerInstructions, isCalled)) &&
  (isNone(value.loadedAddresses) || isLoaded(value.loadedAddresses)) &&
  (isNone(value.computeUnitsConsumed) || isCount(value.computeUnitsConsumed))

const isMessage = (value: unknown): boolean =>
  isObject(value) &&
  isObject(value.header) &&
  isIndex(value.header.numRequiredSignatures) &&
  value.header.numRequiredSignatures !== 0 &&
  isIndex(value.header.numReadonlySignedAccounts) &&
  isIndex(value.header.numReadonlyUnsignedAccounts) &&
  isListOf(value.accountKeys, isText) &&
  (value.accountKeys as unknown[]).length > 0 &&
  isText(value.recentBlockhash) &&
  isListOf(value.instructions, isInstruction)

const isRawTransaction = (value: unknown): value is RawTransaction =>
  isObject(value) &&
  isObject(value.transaction) &&
  isListOf(value.transaction.signatures, (one) => isText(one) && one !== '') &&
  (value.transaction.signatures as unknown[]).length > 0 &&
  isMessage(value.transaction.message) &&
  isMeta(value.meta) &&
  (value.version === undefined || value.version === 'legacy' || isIndex(value.version))

/**
 * A transaction, or `undefined` for one of an unknown shape. Checking the fields directly is several times faster than the
 * schema, which only parses what fails that check.
 */
export const readTransaction = (value: unknown): RawTransaction | undefined =>
  isRawTransaction(value) ? value : rawTransaction.safeParse(value).data

/** Result of a transaction: balances before and after, in the order of its accounts, and called instructions. */
export type RawMeta = z.infer<typeof meta>
/** A transaction as a node returned it. Accounts are indexes into its list of keys. */
export type RawTransaction = z.infer<typeof rawTransaction>
/** A node's block of a slot. It contains its parent's slot, but not its own. */
export type RawHeader = z.infer<typeof rawHeader>

/** A block with its transactions by index: `null` for a vote, `undefined` for one of an unknown shape. */
export type RawBlock = {
  slot: number
  number: number
  time: number
  hash: string
  parentHash: string
  transactions: (RawTransaction | null | undefined)[]
}
