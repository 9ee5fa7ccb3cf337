/** Accounts that may spend tokens of holders who never approved them, because transfers write the approval. */
import { PERMIT2 } from '../../../../schema/registry/index.ts'
import type { ChainReader } from '../../chain/chain.ts'
import { type FunctionFacts, MAX_WRITTEN_ENTRIES } from '../../code/abstract/facts.ts'
import { isAccountCode } from '../../code/bytecode.ts'
import { TRANSFERS } from '../calls/arguments.ts'
import { APPROVE, TRANSFER, TRANSFER_FROM } from '../calls/selectors.ts'
import { balancePlaces } from '../sequences/places.ts'

/** Spenders that are looked at. */
const MAX_SPENDERS = 4

/** An account, and where its address comes from: `slot:shift` in storage, or the address itself for a constant of the code. */
export type Spender = { address: string; place: string }

/** Whether transfers write an approval for an account that is not named, or more entries than are noted. */
const approvesUnnamed = (functions: readonly FunctionFacts[], approvals: ReadonlySet<string>): boolean =>
  functions.some(
    ({ selector, stores, writtenEntries }) =>
      selector === TRANSFER &&
      (writtenEntries.some(({ base, account }) => account === undefined && approvals.has(`map:${base}`)) ||
        (writtenEntries.length >= MAX_WRITTEN_ENTRIES && stores.some((place) => approvals.has(place)))),
  )

/**
 * Accounts for which transfers write an entry of a mapping that `approve` writes or `transferFrom` reads. `spenders` have no code. A
 * contract may only spend for holders who ask it to, and not every account can be read: `why` explains what stays unknown.
 */
export const spendersOf = async (
  chain: Pick<ChainReader, 'code'>,
  functions: readonly FunctionFacts[],
  stored: ReadonlyMap<string, string> = new Map(),
): Promise<{ spenders: Spender[]; why: string | undefined }> => {
  const balances = balancePlaces(functions)
  const isOther = (place: string) => !balances.has(place) && !place.endsWith('other')
  const of = (selector: string) => functions.filter((facts) => facts.selector === selector)
  const approvals = new Set(of(APPROVE).flatMap(({ stores }) => stores.filter(isOther)))
  const read = of(TRANSFER_FROM).flatMap(({ maps }) => maps.map((base) => `map:${base}`).filter(isOther))
  const isKnown = new Set([...approvals, ...read])
  const named = functions
    .filter(({ selector }) => TRANSFERS.has(selector))
    .flatMap(({ writtenEntries }) => writtenEntries.filter(({ base }) => isKnown.has(`map:${base}`)))
    .flatMap(({ base, account }) => {
      const place = typeof account === 'object' ? `${account.slot}:${account.shift}` : account
      const address = typeof account === 'object' ? stored.get(`${account.slot}:${account.shift}`) : account
      if (address === undefined || place === undefined || address === PERMIT2) return []
      return [{ address, place, isApproved: approvals.has(`map:${base}`) }]
    })
  const accounts = [...new Map(named.map((one) => [one.address, one])).values()].sort(
    (a, b) => Number(b.isApproved) - Number(a.isApproved),
  )
  const checked = await Promise.all(
    accounts.slice(0, MAX_SPENDERS).map(async (one) => ({ ...one, code: await chain.code(one.address) })),
  )
  const hasCode = ({ code }: { code: string }) => code !== '0x' && !isAccountCode(code)
  const isUnclear =
    checked.some((one) => one.isApproved && hasCode(one)) ||
    accounts.slice(MAX_SPENDERS).some(({ isApproved }) => isApproved)
  return {
    spenders: checked.filter((one) => !hasCode(one)).map(({ address, place }) => ({ address, place })),
    why: approvesUnnamed(functions, approvals)
      ? "a transfer approves an account that cannot be read to spend the receiver's tokens"
      : isUnclear
        ? "a transfer approves a contract to spend the receiver's tokens"
        : undefined,
  }
}
