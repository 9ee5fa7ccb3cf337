/** What an analysis states of a token beside its verdict. */
import type { TokenFacts } from '../../../schema/records/explained/token-facts.ts'
import type { Examination } from '../examine.ts'
import type { Stakeholders } from '../stakeholders/stakeholders.ts'

/** Characters of 0x-hex below which equal code says nothing: proxies and stubs. */
const LEAST_CODE = 2 + 2 * 300

const uncomparedOf = ({ subject }: Examination): string | null => {
  const [only, ...others] = subject.runs
  if (!only || subject.familyHash === '') return 'the code could not be read'
  if (others.length > 0) return 'the code is that of several contracts'
  return only.code.length < LEAST_CODE ? 'the code is too short to compare' : null
}

export type FactsInput = {
  examination: Examination
  stakeholders: Pick<Stakeholders, 'holders' | 'launchpad' | 'listing'>
  /** Whether the token is a canonical asset. */
  trusted: boolean
}

export const factsOf = ({ examination, stakeholders, trusted }: FactsInput): TokenFacts => {
  const { trade } = examination
  return {
    holders: stakeholders.holders,
    holderSales: { tried: trade.holdersTried, failed: trade.holdersBlocked.length },
    launchpad: stakeholders.launchpad,
    liquidityEvents: stakeholders.listing,
    trusted,
    uncompared: uncomparedOf(examination),
  }
}
