import { networkInfo } from '../../../schema/networks.ts'
import { ISSUERS, SANCTIONS_ORACLES } from '../../../schema/registry/authorities.ts'
import type { Listing } from '../../ledger/labels/known.ts'
import type { Raised, Wallet } from './flag.ts'

/** Networks whose own contracts list addresses, or to which listings come from networks that share keys. */
const time = (seconds: number): string => new Date(seconds * 1_000).toISOString()

/** Listings of one kind that are in force, as findings of full confidence: the authority itself speaks. */
export const inForce = (wallet: Wallet, list: Listing['list'], detector: string): Raised[] =>
  wallet.known.listings
    .filter((listing) => listing.list === list && listing.listed === 1)
    .map((listing) => ({
      detector,
      confidence: 1,
      evidence: {
        network: listing.network,
        authority: listing.authority,
        name: authorityName(listing),
        transaction: listing.listed_in,
        time: time(listing.listed_at),
        ...(listing.seized > 0 ? { seizures: listing.seized } : {}),
      },
    }))

/** What an authority is called, by the registry; its address when it is not there. */
export const authorityName = ({ network, authority, list }: Listing): string =>
  (list === 'sanctions' ? SANCTIONS_ORACLES[network].get(authority)?.name : ISSUERS[network].get(authority)?.symbol) ??
  `${networkInfo(network).code} ${authority}`
