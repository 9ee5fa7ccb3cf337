/** Freezes by issuers of stablecoins. */
import { convicted, defineDetector } from '../../detector.ts'
import { inForce } from '../listings.ts'

/**
 * Convicts on listings of issuers, including those of the same key on other networks. Listings are part of the subject, so nothing is
 * loaded. While a log is incomplete, it answers unknown instead of clear.
 */
export const issuerFreeze = defineDetector({
  id: 'issuer-freeze',
  version: 1,
  family: 'authorities',
  offence: 'Frozen by an issuer',
  needs: ['freeze-log'],
  after: [],
  infrastructure: 'judged',
  judge: (_, subject) => convicted(inForce(subject, 'freeze')),
  exclusions: [
    { who: 'Addresses that were unfrozen', why: 'A freeze counts only until it is lifted.' },
    { who: 'Receivers of money from flagged addresses', why: 'Anyone can be sent money.' },
  ],
  confidence: { listed: 1 },
  doc: {
    summary: 'An issuer of a stablecoin has frozen the address.',
    takes: ['A registered issuer has frozen the address and has not lifted the freeze.'],
    cannotSee: ['Issuers that are not in the registry.'],
  },
})
