/** Parties that are labelled for offences that produce proceeds, or as darknet markets. */
import type { Network } from '../../../schema/networks.ts'
import { loadLabelled } from '../../ledger/labels/labelled.ts'
import { isVouchedFor, loadReputations, wordsInForce } from '../../ledger/labels/reputation/reputation.ts'
import { ESTABLISHED_AT } from '../../ledger/labels/vocabulary.ts'
import type { TieredStore } from '../../ledger/reading/tiers.ts'

/**
 * The parties that established labels call one of the words. A vouching label overrides all but labels of authorities. If `words`
 * includes `sanctioned`, parties on a sanctions list are returned too.
 */
export const loadAccused = async (
  store: TieredStore,
  network: Network,
  parties: readonly string[],
  words: readonly string[],
): Promise<string[]> => {
  const askedOf = new Map(parties.map((party) => [party, party]))
  const labelled = await loadLabelled(store, network, { networks: [network], askedOf })
  const lists = words.includes('sanctioned')
  const reputations = await loadReputations(
    store,
    network,
    lists ? labelled : labelled.map((row) => ({ ...row, listed: 0 })),
  )
  return [...reputations].flatMap(([party, reputation]) => {
    const vouched = isVouchedFor(reputation)
    const accused = wordsInForce(reputation, words, ESTABLISHED_AT).some(
      (label) => label.class === 'asserted' || !vouched,
    )
    return accused || (lists && reputation.lists.includes('sanctions')) ? [party] : []
  })
}
