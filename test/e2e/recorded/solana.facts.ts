/**
 * Facts of recorded Solana transactions counted from their balances alone, with nothing of the decoder: what each owner
 * has more or less of after a transaction, its fee aside. A token account is its owner's, and the SOL in an account of
 * wrapped SOL is counted with the mint, as the tables do.
 */
import type { Json } from '../../kit/chain/solana/recorded-solana.ts'

export const WRAPPED = 'So11111111111111111111111111111111111111112'

export type Change = `${string} ${string}`

/** Change of balances by party and asset; the empty asset is SOL. Nothing for a transaction that failed. */
export const changesOf = ({ transaction, meta }: Json): Map<Change, bigint> => {
  const changes = new Map<Change, bigint>()
  if (meta.err !== null) return changes
  const keys: string[] = [
    ...transaction.message.accountKeys,
    ...(meta.loadedAddresses?.writable ?? []),
    ...(meta.loadedAddresses?.readonly ?? []),
  ]
  const add = (party: string, asset: string, amount: bigint) => {
    const key: Change = `${party} ${asset}`
    const sum = (changes.get(key) ?? 0n) + amount
    if (sum === 0n) changes.delete(key)
    else changes.set(key, sum)
  }
  const tokens: Json[] = [...(meta.preTokenBalances ?? []), ...(meta.postTokenBalances ?? [])]
  const account = (index: number): Json | undefined => tokens.filter((one) => one.accountIndex === index).at(-1)
  keys.forEach((key, index) => {
    const held = account(index)
    const party = held ? (held.mint === WRAPPED ? WRAPPED : (held.owner ?? key)) : key
    add(party, '', BigInt(meta.postBalances[index]) - BigInt(meta.preBalances[index]))
    if (index === 0) add(key, '', BigInt(meta.fee))
  })
  for (const [balances, sign] of [
    [meta.preTokenBalances ?? [], -1n],
    [meta.postTokenBalances ?? [], 1n],
  ] as const) {
    for (const { accountIndex, mint, owner, uiTokenAmount } of balances) {
      add(owner ?? keys[accountIndex], mint, sign * BigInt(uiTokenAmount.amount))
    }
  }
  return changes
}

/** What the programs themselves write that they do, of those that do it for their caller. */
const VERB_OF_LOG: Record<string, string> = {
  Route: 'trade',
  RouteV2: 'trade',
  SharedAccountsRoute: 'trade',
  SharedAccountsRouteV2: 'trade',
  ExactOutRouteV2: 'trade',
  DecreaseLiquidityV2: 'farm',
  ClosePosition: 'farm',
  DelegateStake: 'stake',
  MintToCollectionV1: 'nft',
  Deposit: 'lend',
}
/** Writes no name of its own: everything it does is a trade. */
const RAYDIUM_ROUTER = 'routeUGWgWzqBWFcrCfv8tritsqukccJPu3q5GPP3xS'

/** What a transaction was made for, by its log alone: the first thing that a program which was called directly says it does. */
export const verbOfLog = ({ meta }: Json): string | undefined => {
  let depth = 0
  for (const line of meta.logMessages ?? []) {
    const called = /^Program (\w+) invoke \[(\d+)\]$/.exec(line)
    if (called) depth = Number(called[2])
    if (called?.[1] === RAYDIUM_ROUTER) return 'trade'
    const name = /^Program log: Instruction: (\w+)$/.exec(line)?.[1]
    const verb = name === undefined || depth !== 1 ? undefined : VERB_OF_LOG[name]
    if (verb) return verb
    if (/^Program \w+ (success|failed)/.test(line)) depth -= 1
  }
  return undefined
}
