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
 * Those whose lists count. Anybody can make a token that freezes accounts: a source that cannot tell whose events these are
 * states them all.
 */
export const listersOf = (network: Network): string[] => [
  ...SANCTIONS_ORACLES[network].keys(),
  ...ISSUERS[network].keys(),
]

/** What a contract's log is read for: who is sanctioned, whom an issuer froze, who used a mixer. */
export const AUTHORITY_LISTS = ['sanctions', 'freeze', 'mixer'] as const
/** What a contract's log is read for. */
export type AuthorityList = (typeof AUTHORITY_LISTS)[number]

/** A contract whose whole log has to be known before a verdict can be trusted. */
export type AuthorityLog = {
  /** Canonical address. */
  authority: string
  list: AuthorityList
  name: string
  /** A block before which it logged nothing, on the real chain; 0 where no source says. */
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
 * How an authority is asked whether it lists an address; `registry.test.ts` recomputes the selectors. TrueUSD keeps its list to
 * itself: only its log shows it.
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

/** A question that an authority's contract answers with yes or no. */
export type AuthorityQuestion = {
  authority: string
  list: 'sanctions' | 'freeze'
  name: string
  question: string
  selector: string
}

/** What the authorities of a network can be asked about an address. */
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

/** topic0 of the events that an authority's log is read for. */
export const authorityTopics = (list: AuthorityList): string[] => NAMES[list].map((name) => EVENTS[name].topic)
