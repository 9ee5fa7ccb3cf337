/**
 * State of an account at a block. It shows whether a found past is complete: the nonce counts the signed transactions, and the
 * balance is the sum of all movements. Needs an archive node.
 */
import { z } from 'zod'
import type { RpcErrorKind } from '../../../platform/rpc/errors.ts'
import type { Node, RpcPool } from '../../../platform/rpc/pool.ts'
import { read } from '../../source/answers.ts'
import { quantity } from '../../source/evm/fetch.ts'
import { refusalIn } from './rpc.ts'

/** Account state to check a past against. */
export type Account = {
  /** Number of transactions it signed up to the block, including creations and authorizations (EIP-7702). */
  nonce: number
  /** Wei at the block, and in the genesis block. */
  balance: bigint
  genesis: bigint
  /** Whether it is a contract, with its own code. */
  contract: boolean
}

/** The reason why the account state is unknown. */
export type NoAccount = { why: string }

const number = z.string().startsWith('0x').transform(Number)
const amount = z.string().startsWith('0x').transform(BigInt)
const code = z.string().startsWith('0x')
/** Code that delegates to a contract: EIP-7702. */
const DELEGATED = /^0xef0100/i

const ask = async (node: Node, wallet: string, at: number): Promise<Account> => {
  const [nonce, balance, genesis, runtime] = await node.batch([
    { method: 'eth_getTransactionCount', params: [wallet, quantity(at)] },
    { method: 'eth_getBalance', params: [wallet, quantity(at)] },
    { method: 'eth_getBalance', params: [wallet, '0x0'] },
    { method: 'eth_getCode', params: [wallet, quantity(at)] },
  ])
  const own = read(runtime, code, 'code')
  return {
    nonce: read(nonce, number, 'nonce'),
    balance: read(balance, amount, 'balance'),
    genesis: read(genesis, amount, 'balance at block 0'),
    contract: own !== '0x' && !DELEGATED.test(own),
  }
}

/** Permanent refusals. */
const PERMANENT: ReadonlySet<RpcErrorKind> = new Set<RpcErrorKind>(['pruned', 'missing', 'answer'])

const textOf = ({ nonce, balance, genesis, contract }: Account) => `${nonce} ${balance} ${genesis} ${contract}`

/** @throws RetryableError when no endpoint answered; the signal's reason */
export const loadAccount = async (
  pool: RpcPool,
  wallet: string,
  at: number,
  signal: AbortSignal,
): Promise<Account | NoAccount> => {
  try {
    const accounts = await pool.everywhere((node) => ask(node, wallet, at), { signal, deadlineMs: 30_000, attempts: 4 })
    const [first] = accounts
    if (!first || new Set(accounts.map(textOf)).size > 1)
      return { why: `endpoints disagree about the account at block ${at}` }
    return first
  } catch (error) {
    signal.throwIfAborted()
    const refusal = refusalIn(error)
    if (refusal && PERMANENT.has(refusal.kind)) return { why: `no endpoint has the state of block ${at}` }
    throw error
  }
}
