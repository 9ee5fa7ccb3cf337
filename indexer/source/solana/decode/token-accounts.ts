/**
 * Owners of token accounts, per instruction. Within a transaction an account may change its owner, be closed, and be opened
 * again for somebody else, so the owner at the end may not be the one who acted before.
 */
import type { RawMeta } from '../raw.ts'
import { keyAt, numberAt } from './data.ts'
import type { Instruction } from './instructions.ts'
import { AUTHORITY_KINDS, isTokenProgram, SYSTEM, SYSTEM_CALL, TOKEN_CALL } from './programs.ts'

/** Mint and owner of a token account. */
export type TokenAccount = { mint: string; owner: string }

/** Token accounts of a transaction. */
export type TokenAccounts = {
  /** The account at the time of an instruction, by its position; undefined if it did not exist. */
  at: (account: string, event: number) => TokenAccount | undefined
  /** Decimals of each mint, if a balance states them. */
  decimals: ReadonlyMap<string, number>
}

/** State from position `from` on. */
type State = { from: number; held: TokenAccount | undefined }

const ACCOUNT_OWNER = AUTHORITY_KINDS.indexOf('account_owner')
/** Offset of the optional key in `setAuthority`: after call, kind and flag. */
const NEW_OWNER_PLACE = 3
const PAYS: ReadonlySet<number> = new Set([
  SYSTEM_CALL.create,
  SYSTEM_CALL.transfer,
  SYSTEM_CALL.createWithSeed,
  SYSTEM_CALL.withdrawNonce,
  SYSTEM_CALL.transferWithSeed,
])

const openedBy = ({ accounts, data }: Instruction): TokenAccount | undefined => {
  const [account, mint, owner] = accounts
  if (account === undefined || mint === undefined) return undefined
  const call = data()[0]
  if (call === TOKEN_CALL.initializeAccount) return owner === undefined ? undefined : { mint, owner }
  if (call !== TOKEN_CALL.initializeAccount2 && call !== TOKEN_CALL.initializeAccount3) return undefined
  return { mint, owner: keyAt(data(), 1) ?? account }
}

/** Reads the states of all token accounts from balances and instructions. */
export const tokenAccountsOf = (
  { preBalances, preTokenBalances, postTokenBalances }: RawMeta,
  keys: readonly string[],
  instructions: readonly Instruction[],
): TokenAccounts => {
  const states = new Map<string, State[]>()
  const decimals = new Map<string, number>()
  const enter = (account: string, state: State) => {
    const list = states.get(account)
    if (list) list.push(state)
    else states.set(account, [state])
  }
  const stated = (
    balances: typeof preTokenBalances,
    from: (account: string, held: TokenAccount) => number | undefined,
  ) => {
    for (const { accountIndex, mint, owner, uiTokenAmount } of balances ?? []) {
      const account = keys[accountIndex]
      decimals.set(mint, uiTokenAmount.decimals)
      if (account === undefined) continue
      const held = { mint, owner: owner ?? account }
      const place = from(account, held)
      if (place !== undefined) enter(account, { from: place, held })
    }
  }
  stated(preTokenBalances, () => 0)

  /** The last position at which an address was used as a plain account. */
  const paid = new Map<string, number>()
  for (const one of instructions) {
    const [account] = one.accounts
    if (account === undefined) continue
    const { event, program } = one
    if (program === SYSTEM && PAYS.has(numberAt(one.data(), 0) ?? -1)) paid.set(account, event)
    if (!isTokenProgram(program)) continue
    const before = states.get(account)?.at(-1)
    const opened = openedBy(one)
    if (opened) {
      // The deposit of a new account belongs to its owner from the start.
      const existed = BigInt(preBalances[keys.lastIndexOf(account)] ?? 0) > 0n
      const since = before?.from ?? (existed ? event : 0)
      if (before && before.held === undefined) states.get(account)?.pop()
      enter(account, { from: Math.max(since, (paid.get(account) ?? -1) + 1), held: opened })
      continue
    }
    const data = one.data()
    if (data[0] === TOKEN_CALL.closeAccount) enter(account, { from: event + 1, held: undefined })
    else if (data[0] === TOKEN_CALL.setAuthority && data[1] === ACCOUNT_OWNER && before?.held) {
      const owner = data[2] === 1 ? keyAt(data, NEW_OWNER_PLACE) : undefined
      if (owner !== undefined) enter(account, { from: event + 1, held: { mint: before.held.mint, owner } })
    }
  }

  /** Balances after the transaction show accounts whose instructions were not recorded. */
  stated(postTokenBalances, (account, { mint, owner }) => {
    const last = states.get(account)?.at(-1)
    if (last === undefined) return 0
    return last.held?.mint === mint && last.held.owner === owner ? undefined : instructions.length + 1
  })

  return {
    at: (account, event) => {
      const list = states.get(account)
      if (list === undefined) return undefined
      let found: TokenAccount | undefined
      for (const { from, held } of list) if (from <= event) found = held
      return found
    },
    decimals,
  }
}
