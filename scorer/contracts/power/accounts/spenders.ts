/** Accounts that may spend tokens of holders who never approved them, because transfers write the approval. */
import { PERMIT2 } from '../../../../schema/registry/index.ts'
import type { ChainReader } from '../../chain/chain.ts'
import type { FunctionFacts } from '../../code/abstract/facts.ts'
import { isAccountCode } from '../../code/bytecode.ts'
import { TRANSFERS } from '../calls/arguments.ts'
import { APPROVE } from '../calls/selectors.ts'

/** Spenders that are looked at. */
const MAX_SPENDERS = 4

/**
 * Accounts for which `transfer` or `transferFrom` writes an entry of the mapping that `approve` writes. `spenders` have no code. A
 * contract may only spend for holders who ask it to, so for contracts `why` explains what stays unknown.
 */
export const spendersOf = async (
  chain: Pick<ChainReader, 'code'>,
  functions: readonly FunctionFacts[],
  stored: ReadonlyMap<string, string> = new Map(),
): Promise<{ spenders: string[]; why: string | undefined }> => {
  const approvals = new Set(functions.filter(({ selector }) => selector === APPROVE).flatMap(({ stores }) => stores))
  const named = functions
    .filter(({ selector }) => TRANSFERS.has(selector))
    .flatMap(({ writtenEntries }) => writtenEntries.filter(({ base }) => approvals.has(`map:${base}`)))
    .flatMap(({ account }) =>
      typeof account === 'string' ? account : (stored.get(`${account.slot}:${account.shift}`) ?? []),
    )
  const accounts = [...new Set(named)].filter((account) => account !== PERMIT2)
  const checked = accounts.slice(0, MAX_SPENDERS)
  const codes = await Promise.all(checked.map((account) => chain.code(account)))
  const spenders = checked.filter((_, i) => codes[i] === '0x' || isAccountCode(codes[i] ?? ''))
  const why =
    spenders.length < accounts.length ? "a transfer approves a contract to spend the receiver's tokens" : undefined
  return { spenders, why }
}
