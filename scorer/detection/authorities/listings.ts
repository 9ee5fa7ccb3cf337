/** Listings by authorities as findings. */
import { networkInfo } from '../../../schema/networks.ts'
import { ISSUERS, SANCTIONS_ORACLES } from '../../../schema/registry/authorities.ts'
import type { Listing } from '../../ledger/labels/known.ts'
import type { Subject } from '../detector.ts'

/** Name of an authority in the registry, or else its address. */
export const authorityName = ({ network, authority, list }: Listing): string =>
  (list === 'sanctions' ? SANCTIONS_ORACLES[network].get(authority)?.name : ISSUERS[network].get(authority)?.symbol) ??
  `${networkInfo(network).code} ${authority}`

const TITLES: Readonly<Record<Listing['list'], (name: string, chain: string) => string>> = {
  sanctions: (name, chain) => `Listed as sanctioned by ${name} on ${chain}`,
  freeze: (name, chain) => `Frozen by the issuer of ${name} on ${chain}`,
}

/** Findings for listings of one kind that are in force. */
export const inForce = ({ known }: Subject, list: Listing['list']) =>
  known.listings
    .filter((listing) => listing.list === list && listing.listed === 1)
    .map((listing) => ({
      grade: 'listed' as const,
      title: TITLES[list](authorityName(listing), networkInfo(listing.network).code),
      evidence: {
        network: listing.network,
        authority: listing.authority,
        name: authorityName(listing),
        transaction: listing.listed_in,
        time: new Date(listing.listed_at * 1_000).toISOString(),
        ...(listing.seized > 0 ? { seizures: listing.seized } : {}),
      },
    }))
