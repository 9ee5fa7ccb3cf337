/**
 * What an account had become at a block, by which it is known whether everything that made it so was found: its number counts the
 * transactions it signed, its balance is the sum of all that moved. Needs an archive node.
 */
import { z } from 'zod'
import type { RpcErrorKind } from '../../../platform/rpc/errors.ts'
import type { Node, RpcPool } from '../../../platform/rpc/pool.ts'
import { read } from '../../source/answers.ts'
import { quantity } from '../../source/evm/fetch.ts'
import { refusalIn } from './rpc.ts'

/** The state against which a past that was found is proved. */
export type Account = {
  /** Transactions it signed up to the block, creations by it and authorizations (EIP-7702) included. */
  nonce: number
  /** Wei at the block, and what it was given in the genesis block. */
  balance: bigint
  genesis: bigint
  /** Whether it has code of its own. */
  contract: boolean
}

/** Why it is not known. */
export type NoAccount = { why: string }

const number = z.string().startsWith('0x').transform(Number)
const amount = z.string().startsWith('0x').transform(BigInt)
const code = z.string().startsWith('0x')
/** Code that only names a contract: EIP-7702. */
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

/** Refusals that waiting does not cure. */
const LASTING: ReadonlySet<RpcErrorKind> = new Set<RpcErrorKind>(['pruned', 'missing', 'answer'])

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
    if (refusal && LASTING.has(refusal.kind)) return { why: `no endpoint has the state of block ${at}` }
    throw error
  }
}
