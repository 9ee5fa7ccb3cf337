/** Answers of Solana nodes as far as they are read. Fields that are not named here are ignored. */
import { z } from 'zod'

/** A whole number; large ones come as text (`thin.ts`). */
const integer = z.union([z.int(), z.string().regex(/^-?\d+$/)])
const amount = z.union([z.int().nonnegative(), z.string().regex(/^\d+$/)])

const instruction = z.object({
  programIdIndex: z.int().nonnegative(),
  accounts: z.array(z.int().nonnegative()),
  data: z.string(),
})

const tokenBalance = z.object({
  accountIndex: z.int().nonnegative(),
  mint: z.string(),
  /** Missing in blocks of 2021 and before. */
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
  /** `null` where the node does not record them. */
  innerInstructions: z.array(z.object({ index: z.int().nonnegative(), instructions: z.array(instruction) })).nullish(),
  loadedAddresses: z.object({ writable: z.array(z.string()), readonly: z.array(z.string()) }).nullish(),
  computeUnitsConsumed: amount.nullish(),
})

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

export const rawHeader = z.object({
  blockhash: z.string().min(1),
  previousBlockhash: z.string().min(1),
  parentSlot: z.int().nonnegative(),
  /** `null` for blocks of the first year. */
  blockHeight: z.int().nonnegative().nullish(),
  blockTime: integer.nullish(),
  transactions: z.array(z.unknown()).optional(),
})

export type RawMeta = z.infer<typeof meta>
export type RawTransaction = z.infer<typeof rawTransaction>
export type RawHeader = z.infer<typeof rawHeader>

/** A block with its transactions, each at its place: `null` for a vote, `undefined` for one of a shape that is not known. */
export type RawBlock = {
  slot: number
  number: number
  time: number
  hash: string
  parentHash: string
  transactions: (RawTransaction | null | undefined)[]
}
