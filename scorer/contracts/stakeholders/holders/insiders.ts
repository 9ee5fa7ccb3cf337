/** What the owner and the creator of a token hold of it. */
import type { InsiderHoldings } from '../../../../schema/records/explained/token-facts.ts'
import { decimalText } from '../../../ledger/prices/amounts.ts'
import type { ChainReader } from '../../chain/chain.ts'
import { balanceCall } from '../../market/market.ts'
import { isBlackhole } from '../../subject/blackhole.ts'
import { type RolesInput, shareOf } from './holders.ts'

/** The token and its people. The node alone is asked, so that holdings are known without tables too. */
export type InsidersInput = RolesInput & { chain: ChainReader }

/** Holdings of owner and creator by the token's own answer; null for one that is not there or was not answered. */
export const readInsiders = async ({ chain, known, creator }: InsidersInput): Promise<InsiderHoldings> => {
  const { token, supply, decimals, isToken, owner } = known.subject
  if (!isToken || supply === 0n) return { owner: null, creator: null, why: 'nobody holds a token of this contract' }
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
