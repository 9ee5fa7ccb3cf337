/** Listings by sanctions oracles. */
import { convicted, defineDetector } from '../../detector.ts'
import { inForce } from '../listings.ts'

/**
 * Convicts on listings of oracles, including those of the same key on other networks. Listings are part of the subject, so nothing is
 * loaded. While a log is incomplete, it answers unknown instead of clear.
 */
export const sanctionsOracle = defineDetector({
  id: 'sanctions-oracle',
  version: 1,
  family: 'authorities',
  offence: 'Listed by a sanctions oracle',
  needs: ['sanctions-log'],
  after: [],
  infrastructure: 'judged',
  judge: (_, subject) => convicted(inForce(subject, 'sanctions')),
  exclusions: [
    { who: 'Delisted addresses', why: 'Additions and removals are replayed in block order.' },
    { who: 'Addresses with exposure to a listed one', why: 'Only the listed address itself is flagged.' },
    { who: 'Contracts at the same address elsewhere', why: 'Only accounts share a key between networks.' },
  ],
  confidence: { listed: 1 },
  doc: {
    summary: 'A sanctions oracle currently lists the address.',
    takes: ['A listing in force, on this network or on one that shares its keys.'],
    cannotSee: ['Lists that are kept off chain. Load them as labels.'],
  },
})
