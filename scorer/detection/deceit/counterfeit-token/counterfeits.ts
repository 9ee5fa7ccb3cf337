/**
 * Tokens that pass for a canonical asset of their network (semantics row 18). A name alone harms nobody: movements of the token must name
 * many who did not ask for it, or it must be offered in a pool.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { DEX_FACTORIES, TOKEN_BRIDGES } from '../../../../schema/registry/contracts.ts'
import { inPieces, type LoadContext } from '../../context.ts'
import { byWallet, type OwnContract } from '../../shared/contracts/own-contracts.ts'
import { imitated } from './names.ts'

const AGES = readSql(import.meta.url, '../../shared/sql/first-seen.sql')
const SPREAD = readSql(import.meta.url, './spread.sql')

/** Minimum number of addresses in movements they did not sign: airdrop receivers, or victims of poisoning (semantics row 18). */
const MIN_UNASKED = 50

/** A token that passes for a canonical asset. One of `unasked` and `pools` may be too little to convict on. */
export type Counterfeit = {
  contract: string
  symbol: string
  name: string
  /** The genuine asset; empty for the native coin. */
  original: string
  originalSymbol: string
  /** Number of addresses named in movements they did not sign, at most a thousand. */
  unasked: number
  pools: string[]
  transactions: string[]
}

type Spread = { token: string; creator: string; pools: string[]; unasked: number; transactions: string[] }

/** Loads counterfeits by maker. Tokens that are older than the original or come from a token bridge are excluded. */
export const loadCounterfeits = async (
  { store, network }: LoadContext,
  own: readonly OwnContract[],
): Promise<Map<string, Counterfeit[]>> => {
  const suspects = new Map(
    own.flatMap((contract) => {
      const original = imitated(network, contract)
      return original ? [[contract.contract, { contract, original }] as const] : []
    }),
  )
  if (suspects.size === 0) return new Map()
  const originals = await store.query<{ address: string; first_seen: number }>(
    AGES,
    { network, addresses: [...new Set([...suspects.values()].map(({ original }) => original.address))] },
    { route: 'original_ages' },
  )
  const seen = new Map(originals.map(({ address, first_seen }) => [address, first_seen]))
  const spread = await inPieces(suspects.keys(), (tokens) =>
    store.query<Spread>(
      SPREAD,
      { network, tokens, factories: [...DEX_FACTORIES[network].keys()] },
      { route: 'counterfeit_spread' },
    ),
  )
  const found = new Map<string, Counterfeit>()
  for (const { token, creator, pools, unasked, transactions } of spread) {
    const suspect = suspects.get(token)
    if (!suspect || TOKEN_BRIDGES[network].has(creator)) continue
    const { contract, original } = suspect
    // The first to have a name imitates nobody. Memecoins borrow each other's names, so offering one is no deceit yet.
    if ((seen.get(original.address) ?? 0) > (contract.born ?? 0)) continue
    const offered = pools.length > 0 && !original.flags.includes('meme')
    if (unasked < MIN_UNASKED && !offered) continue
    found.set(token, {
      contract: token,
      symbol: contract.symbol,
      name: contract.name,
      original: original.address,
      originalSymbol: original.symbol,
      unasked,
      pools,
      transactions,
    })
  }
  return byWallet(own, found)
}
