/** Holdings of a token's owner and creator. */
import type { InsiderHoldings } from '../../../../schema/records/explained/token-facts.ts'
import { decimalText } from '../../../ledger/prices/amounts.ts'
import type { ChainReader } from '../../chain/chain.ts'
import { balanceCall } from '../../market/market.ts'
import { isBlackhole } from '../../subject/blackhole.ts'
import { type RolesInput, shareOf } from './holders.ts'

/** The token and its stakeholders. Only the node is asked, so holdings are known without tables. */
export type InsidersInput = RolesInput & { chain: ChainReader }

/** Balances of owner and creator from the token; null for one that does not exist or was not answered. */
export const readInsiders = async ({ chain, known, creator }: InsidersInput): Promise<InsiderHoldings> => {
  const { token, supply, decimals, isToken, owner } = known.subject
  if (!isToken || supply === 0n)
    return { owner: null, creator: null, why: 'the contract is no token, or has no supply' }
  const alive = owner.address !== '' && !isBlackhole(owner.address) ? owner.address : ''
  const people = [...new Set([alive, creator])].filter((who) => who !== '')
  const answers = await chain.words(people.map((who) => balanceCall(token, who)))
  const shown = (address: string) => {
    const amount = answers[people.indexOf(address)]
    return amount === undefined
      ? null
      : { address, amount: decimalText(amount, decimals), share: shareOf(amount, supply) }
  }
  const unread = answers.includes(undefined) ? 'a balance could not be read' : null
  return { owner: shown(alive), creator: shown(creator), why: creator === '' ? 'the creator is not known' : unread }
}
