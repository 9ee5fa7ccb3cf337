/** Lure tokens: tokens whose name invites to a web page, sent to many. */
import { readSql } from '../../../../platform/store/sql.ts'
import type { LoadContext } from '../../context.ts'
import { byWallet, type OwnContract } from '../../shared/contracts/own-contracts.ts'

const HOLDERS = readSql(import.meta.url, '../../shared/sql/token-holders.sql')

/** Minimum number of holders (semantics row 18: airdropped to 50 or more). */
export const MIN_LURED = 50

/** A token whose name invites to a page. `holders` is counted up to `MIN_LURED`. */
export type Lure = { contract: string; name: string; symbol: string; holders: number }

/** A web address, and a reason to go there. Names with only one of both are honest: yearn.finance, Reward Token. */
const ADDRESS =
  /(?:https?:\/\/|www\.|\b[a-z0-9-]+\.(?:com|org|net|io|xyz|app|site|online|top|gift|finance|fi|cc|me|us|vip|pro|info|live|lol|fun|li)\b)/i
const INVITATION = /\b(?:claim|visit|rewards?|airdrop|voucher|redeem|bonus|gift|giveaway)/i

/** A brand made of such a word and a top-level domain, like gift.xyz, invites to nothing by itself. The surrounding text stays. */
const BRAND = /(^|[^\w-])(?:claim|visit|rewards?|airdrop|voucher|redeem|bonus|gift|giveaway)\.[a-z]{2,7}($|[^\w/])/gi

/** The same expressions for the store, whose syntax is RE2. */
export const INVITING = {
  address: `(?i)${ADDRESS.source}`,
  invitation: `(?i)${INVITATION.source}`,
  brand: `(?i)${BRAND.source}`,
}

/** Removes brands. Two rounds, because neighbouring brands share the character between them. */
const withoutBrands = (text: string): string => text.replace(BRAND, '$1$2').replace(BRAND, '$1$2')

/** Whether a name or symbol invites to a page. */
export const invites = (name: string): boolean => {
  const text = name.normalize('NFKC')
  return ADDRESS.test(text) && INVITATION.test(withoutBrands(text))
}

/** Loads lure tokens by maker. Issues no query unless a token's name invites. */
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
