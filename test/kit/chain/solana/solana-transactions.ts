/** Signed Solana transactions in the format of nodes, with balances that follow from their instructions. */
import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import {
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
  VoteProgram,
} from '@solana/web3.js'
import { TOKEN, TOKEN_2022 } from '../../../../indexer/source/solana/decode/programs.ts'

/** The wallet of a name; its key is always the same. */
export const wallet = (name: string): Keypair => Keypair.fromSeed(createHash('sha256').update(name).digest())
export const address = (name: string): string => wallet(name).publicKey.toBase58()

/** Content of a token account. */
export type Holding = {
  account: string
  owner: string
  mint: string
  decimals: number
  before: bigint
  after: bigint
  /** Owner afterwards; empty if the account is closed. @default `owner` */
  ownerAfter?: string
  /** The transaction opens it. */
  opened?: true
}

export type Plan = {
  /** Names of wallets; the first pays the fee. */
  signers: readonly string[]
  instructions: readonly TransactionInstruction[]
  /** Change of SOL per account without the fee, in lamports. */
  lamports?: Readonly<Record<string, bigint>>
  tokens?: readonly Holding[]
  /** SOL of accounts before, in lamports. @default a large amount */
  had?: Readonly<Record<string, bigint>>
  /** Instructions called by programs, by the index of the calling instruction. */
  inner?: Readonly<Record<number, readonly TransactionInstruction[]>>
  /** Call depth of each of those. @default 2 each */
  depths?: readonly number[]
  failed?: boolean
  /** @default 'legacy' */
  version?: 'legacy' | 0
}

const FEE = 5_000n
const RICH = 1_000_000_000_000n

/** A transaction as `getBlock` lists it. */
// biome-ignore lint/suspicious/noExplicitAny: the wire format of a node, which the product reads with its own schemas
export type WireTransaction = any

const exactly = (amount: bigint): number | string =>
  amount > BigInt(Number.MAX_SAFE_INTEGER) ? `#${amount}#` : Number(amount)

/** JSON text of an answer: numbers beyond doubles are written in full, as nodes write them. */
export const wireText = (value: unknown): string => JSON.stringify(value).replace(/"#(\d+)#"/g, '$1')

const signed = ({ signers, instructions, version }: Plan, blockhash: string) => {
  const keys = signers.map(wallet)
  const [payer] = keys
  if (!payer) throw new Error('a transaction has a signer')
  if (version === 0) {
    const message = new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash: blockhash,
      instructions: [...instructions],
    }).compileToV0Message()
    const transaction = new VersionedTransaction(message)
    transaction.sign(keys)
    return {
      message,
      keys: message.staticAccountKeys,
      signatures: transaction.signatures.map((one) => base58.encode(one)),
    }
  }
  const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash })
  transaction.add(...instructions)
  transaction.sign(...keys)
  const message = transaction.compileMessage()
  return {
    message,
    keys: message.accountKeys,
    signatures: transaction.signatures.map(({ signature }) => base58.encode(signature ?? new Uint8Array(64))),
  }
}

/** Builds, signs and answers a transaction. Accounts named only by inner instructions are loaded from a lookup table. */
export const transact = (plan: Plan, blockhash = base58.encode(Buffer.alloc(32, 7))): WireTransaction => {
  const { message, keys, signatures } = signed(plan, blockhash)
  const own = keys.map((key) => key.toBase58())
  const called = Object.values(plan.inner ?? {}).flat()
  const named = [
    ...called.flatMap((one) => [one.programId, ...one.keys.map(({ pubkey }) => pubkey)]).map((key) => key.toBase58()),
    ...Object.keys(plan.lamports ?? {}),
    ...(plan.tokens ?? []).map(({ account }) => account),
  ]
  const loaded = [...new Set(named)].filter((key) => !own.includes(key))
  const all = [...own, ...loaded]
  const indexed = (one: TransactionInstruction, place: number) => ({
    programIdIndex: all.indexOf(one.programId.toBase58()),
    accounts: one.keys.map(({ pubkey }) => all.indexOf(pubkey.toBase58())),
    data: base58.encode(one.data),
    stackHeight: plan.depths?.[place] ?? 2,
  })
  const before = all.map((key) => plan.had?.[key] ?? RICH)
  const changes = all.map((key, index) => (plan.failed ? 0n : (plan.lamports?.[key] ?? 0n)) - (index === 0 ? FEE : 0n))
  const ownerOf = ({ owner, ownerAfter = owner, opened }: Holding, side: 'before' | 'after') =>
    side === 'after' ? ownerAfter : opened ? '' : owner
  const balances = (side: 'before' | 'after') =>
    (plan.tokens ?? [])
      .filter((one) => ownerOf(one, side) !== '')
      .map((one) => ({
        accountIndex: all.indexOf(one.account),
        mint: one.mint,
        owner: ownerOf(one, side),
        programId: TOKEN,
        uiTokenAmount: {
          amount: String(plan.failed ? one.before : one[side]),
          decimals: one.decimals,
          uiAmount: null,
          uiAmountString: '',
        },
      }))
  return {
    transaction: {
      signatures,
      message: {
        header: message.header,
        accountKeys: own,
        recentBlockhash: blockhash,
        instructions: message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
          programIdIndex,
          accounts: [...accountKeyIndexes],
          data: base58.encode(data),
          stackHeight: 1,
        })),
        ...(plan.version === 0 ? { addressTableLookups: [] } : {}),
      },
    },
    meta: {
      err: plan.failed ? { InstructionError: [0, { Custom: 1 }] } : null,
      status: plan.failed ? { Err: {} } : { Ok: null },
      fee: Number(FEE),
      preBalances: before.map(exactly),
      postBalances: before.map((balance, index) => exactly(balance + (changes[index] ?? 0n))),
      innerInstructions: Object.entries(plan.inner ?? {}).map(([index, instructions]) => ({
        index: Number(index),
        instructions: instructions.map(indexed),
      })),
      logMessages: [
        'Program 11111111111111111111111111111111 invoke [1]',
        'Program log: "a \\ quote", [], 12345678901234567890',
      ],
      preTokenBalances: balances('before'),
      postTokenBalances: balances('after'),
      rewards: [],
      loadedAddresses: { writable: loaded, readonly: [] },
      computeUnitsConsumed: 150,
    },
    version: plan.version ?? 'legacy',
  }
}

/** A payment of SOL. */
export const pay = (from: string, to: string, lamports: bigint): WireTransaction =>
  transact({
    signers: [from],
    instructions: [
      SystemProgram.transfer({
        fromPubkey: wallet(from).publicKey,
        toPubkey: wallet(to).publicKey,
        lamports,
      }),
    ],
    lamports: { [address(from)]: -lamports, [address(to)]: lamports },
  })

/** An instruction of a program, with accounts by address. */
export const instruct = (
  program: string,
  accounts: readonly string[],
  data: Uint8Array,
  signers: readonly string[] = [],
) =>
  new TransactionInstruction({
    programId: new PublicKey(program),
    keys: accounts.map((pubkey) => ({
      pubkey: new PublicKey(pubkey),
      isSigner: signers.includes(pubkey),
      isWritable: true,
    })),
    data: Buffer.from(data),
  })

const word = (amount: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(amount)
  return bytes
}

/** An instruction of a token program: its number, an amount if it has one, and the remaining data. */
export const token = (
  call: number,
  accounts: readonly string[],
  {
    amount,
    rest = [],
    signers = [],
    newer = false,
  }: {
    amount?: bigint
    rest?: readonly number[]
    signers?: readonly string[]
    newer?: boolean
  } = {},
) =>
  instruct(
    newer ? TOKEN_2022 : TOKEN,
    accounts,
    Buffer.concat([Buffer.from([call]), amount === undefined ? Buffer.alloc(0) : word(amount), Buffer.from(rest)]),
    signers,
  )

/** A vote, the most frequent transaction of a block. */
export const vote = (validator: string): WireTransaction =>
  transact({
    signers: [validator],
    instructions: [
      instruct(
        VoteProgram.programId.toBase58(),
        [address(`${validator} votes`), address(validator)],
        Buffer.from([14, 0, 0, 0, 1, 2, 3, 4]),
      ),
    ],
  })
