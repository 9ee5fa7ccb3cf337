/** Lure tokens: a token whose name invites its holders to a web page, sent to many. */
import { readSql } from '../../../../platform/store/sql.ts'
import type { LoadContext } from '../../context.ts'
import { byWallet, type OwnContract } from '../../shared/contracts/own-contracts.ts'

const HOLDERS = readSql(import.meta.url, '../../shared/sql/token-holders.sql')

/** Holders of a lure token (semantics row 18: airdropped to 50 or more). */
export const MIN_LURED = 50

/** A token whose name invites to a page. Counting of `holders` stops at `MIN_LURED`. */
export type Lure = { contract: string; name: string; symbol: string; holders: number }

/** An address of the web, and a reason to go there. Names with one of both alone are honest: yearn.finance, Reward Token. */
const ADDRESS =
  /(?:https?:\/\/|www\.|\b[a-z0-9-]+\.(?:com|org|net|io|xyz|app|site|online|top|gift|finance|fi|cc|me|us|vip|pro|info|live|lol|fun|li)\b)/i
const INVITATION = /\b(?:claim|visit|rewards?|airdrop|voucher|redeem|bonus|gift|giveaway)/i

/** An address that is nothing but such a word, as brands choose it: gift.xyz invites to nothing yet. What is around it stays. */
const BRAND = /(^|[^\w-])(?:claim|visit|rewards?|airdrop|voucher|redeem|bonus|gift|giveaway)\.[a-z]{2,7}($|[^\w/])/gi

/** The same for the engine, whose syntax (RE2) these expressions are as well. */
export const INVITING = {
  address: `(?i)${ADDRESS.source}`,
  invitation: `(?i)${INVITATION.source}`,
  brand: `(?i)${BRAND.source}`,
}

/** Brands that share the character between them take two rounds. */
const withoutBrands = (text: string): string => text.replace(BRAND, '$1$2').replace(BRAND, '$1$2')

/** Whether a token's name or symbol invites to a page. */
export const invites = (name: string): boolean => {
  const text = name.normalize('NFKC')
  return ADDRESS.test(text) && INVITATION.test(withoutBrands(text))
}

/** Lure tokens by the wallet that made them. Nothing is read unless a name among the wallets' tokens invites. */
export const loadLures = async (
  { store, network }: LoadContext,
  own: readonly OwnContract[],
): Promise<Map<string, Lure[]>> => {
  const named = own.filter(({ name, symbol }) => invites(`${name} ${symbol}`))
  if (named.length === 0) return new Map()
  const rows = await store.query<{ token: string; address: string }>(
    HOLDERS,
    { network, tokens: [...new Set(named.map(({ contract }) => contract))], limit: MIN_LURED },
    { route: 'token_holders' },
  )
  const found = new Map<string, Lure>()
  for (const { contract, name, symbol } of named) {
    const holders = rows.filter(({ token }) => token === contract).length
    if (holders >= MIN_LURED) found.set(contract, { contract, name, symbol, holders })
  }
  return byWallet(own, found)
}
