import type { IssuerFamily } from '../facts/compliance/authorities.ts'
import type { Network } from '../networks.ts'
import { MIXER_POOLS } from './contracts.ts'
import { byNetwork } from './entries.ts'
import { EVENTS, type EventName } from './signatures/events.ts'

export type { Issuer, SanctionsOracle } from '../facts/compliance/authorities.ts'

/** Contracts that list sanctioned addresses, by network and canonical address. */
export const SANCTIONS_ORACLES = byNetwork(({ sanctionsOracles }) => sanctionsOracles)

/** Token contracts whose issuer can freeze accounts, by network and canonical address. */
export const ISSUERS = byNetwork(({ issuers }) => issuers)

/**
 * Oracles and issuers whose lists count. Anybody can create a token that freezes accounts, so sources that cannot check the
 * emitter of an event use this list.
 */
export const listersOf = (network: Network): string[] => [
  ...SANCTIONS_ORACLES[network].keys(),
  ...ISSUERS[network].keys(),
]

/** Purpose of reading a contract's log: sanctions, freezes by issuers, use of mixers. */
export const AUTHORITY_LISTS = ['sanctions', 'freeze', 'mixer'] as const
/** Purpose of reading a contract's log. */
export type AuthorityList = (typeof AUTHORITY_LISTS)[number]

/** A contract whose whole log has to be known before a verdict is reliable. */
export type AuthorityLog = {
  /** Canonical address. */
  authority: string
  list: AuthorityList
  name: string
  /** A block before which it logged nothing, on the real chain; 0 if unknown. */
  since: number
}

/** Contracts whose logs are read from their first block, whatever history of blocks is indexed. */
export const authorityLogsOf = (network: Network): AuthorityLog[] => [
  ...[...SANCTIONS_ORACLES[network].values()].map(
    ({ address, name, since = 0 }): AuthorityLog => ({ authority: address, list: 'sanctions', name, since }),
  ),
  ...[...ISSUERS[network].values()].map(
    ({ address, symbol, since = 0 }): AuthorityLog => ({ authority: address, list: 'freeze', name: symbol, since }),
  ),
  ...[...MIXER_POOLS[network].values()].map(
    ({ address, symbol, since = 0 }): AuthorityLog => ({ authority: address, list: 'mixer', name: symbol, since }),
  ),
]

/**
 * Getters that return whether an authority lists an address; `registry.test.ts` recomputes the selectors. TrueUSD's list is not
 * public: only its log shows it.
 */
export const AUTHORITY_GETTERS: Readonly<
  Record<Exclude<IssuerFamily, 'trueusd'> | 'oracle', { question: string; selector: string }> & { trueusd?: undefined }
> = {
  oracle: { question: 'isSanctioned(address)', selector: '0xdf592f7d' },
  tether: { question: 'isBlackListed(address)', selector: '0xe47d6060' },
  'tether-blocklist': { question: 'isBlocked(address)', selector: '0xfbac3951' },
  circle: { question: 'isBlacklisted(address)', selector: '0xfe575a87' },
  paxos: { question: 'isFrozen(address)', selector: '0xe5839836' },
  'first-digital': { question: 'frozen(address)', selector: '0xd0516650' },
}

/** A yes-or-no getter of an authority's contract. */
export type AuthorityQuestion = {
  authority: string
  list: 'sanctions' | 'freeze'
  name: string
  question: string
  selector: string
}

/** Getters of a network's authorities about an address. */
export const authorityQuestionsOf = (network: Network): AuthorityQuestion[] => [
  ...[...SANCTIONS_ORACLES[network].values()].map(
    ({ address, name }): AuthorityQuestion => ({
      authority: address,
      list: 'sanctions',
      name,
      ...AUTHORITY_GETTERS.oracle,
    }),
  ),
  ...[...ISSUERS[network].values()].flatMap(({ address, symbol, family }): AuthorityQuestion[] => {
    const getter = AUTHORITY_GETTERS[family]
    return getter ? [{ authority: address, list: 'freeze', name: symbol, ...getter }] : []
  }),
]

const NAMES: Readonly<Record<AuthorityList, readonly EventName[]>> = {
  sanctions: ['sanctionsAdded', 'sanctionsRemoved'],
  freeze: [
    'addedBlackList',
    'removedBlackList',
    'destroyedBlackFunds',
    'blockPlaced',
    'blockReleased',
    'destroyedBlockedFunds',
    'blacklisted',
    'unBlacklisted',
    'addressFrozen',
    'addressUnfrozen',
    'freezeAddress',
    'unfreezeAddress',
    'frozenAddressWiped',
    'freeze',
    'unfreeze',
    'frozenAccountDrained',
    'frozenFundsReallocated',
    'blacklistedSet',
  ],
  mixer: ['mixerDeposit', 'mixerWithdrawal'],
}

/** topic0 of the events of an authority's log. */
export const authorityTopics = (list: AuthorityList): string[] => NAMES[list].map((name) => EVENTS[name].topic)
