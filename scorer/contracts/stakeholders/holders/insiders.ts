/** Holdings of a token's owner and creator. */
import type { InsiderHoldings } from '../../../../schema/records/explained/token-facts.ts'
import { decimalText } from '../../../ledger/prices/amounts.ts'
import type { ChainReader } from '../../chain/chain.ts'
import { balanceCall, balanceOf } from '../../market/market.ts'
import { isBlackhole } from '../../subject/blackhole.ts'
import { type RolesInput, shareOf } from './holders.ts'

/** The token and its stakeholders. Only the node is asked, so holdings are known without tables. */
export type InsidersInput = RolesInput & { chain: ChainReader }

/**
 * Balances of owner and creator from the token; null for one that does not exist or was not answered. `held`: the creator's in
 * base units, 0 if it is not known.
 */
export const readInsiders = async ({
  chain,
  known,
  creator,
}: InsidersInput): Promise<{ insiders: InsiderHoldings; held: bigint }> => {
  const { token, supply, decimals, isToken, owner } = known.subject
  if (!isToken || supply === 0n) {
    const held = creator === '' ? 0n : await balanceOf(chain, token, creator)
    return { insiders: { owner: null, creator: null, why: 'the contract is no token, or has no supply' }, held }
  }
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
  return {
    insiders: {
      owner: shown(alive),
      creator: shown(creator),
      why: creator === '' ? 'the creator is not known' : unread,
    },
    held: answers[people.indexOf(creator)] ?? 0n,
  }
}
