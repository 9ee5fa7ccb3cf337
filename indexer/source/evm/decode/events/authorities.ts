/**
 * Events of registered authorities: sanctions oracles, stablecoin issuers, mixer pools. The same events from any other
 * contract mean nothing and leave no row, or anyone could have anyone listed.
 */
import type { AuthorityRow } from '../../../../../schema/block.ts'
import type { LogReader } from '../cursor.ts'
import { addressAt, addressOfTopic, uintAt, WORD } from '../hex.ts'
import { speak } from './powers.ts'
import { arrayAt, word } from './transfers.ts'

/**
 * One log lists a batch, `address[]` not indexed. Each address gets a row; an address named twice gets one. The
 * oracle's `SanctionedAddress`/`NonSanctionedAddress` echo queries and are not read at all.
 */
const sanctionReader =
  (event: AuthorityRow['event']): LogReader =>
  (at, log, position) => {
    if (!at.registry.sanctionsOracles.has(log.address)) return true
    const list = arrayAt(log.data, word(0))
    if (list === undefined) return false
    const subjects = new Set<string>()
    for (let i = 0; i < list.length; i += 1) {
      const subject = addressAt(log.data, list.first + i * WORD)
      if (subject === undefined) return false
      subjects.add(subject)
    }
    for (const subject of subjects) speak(at, position, log.address, event, subject, '0', '')
    return true
  }

/** `SanctionedAddressesAdded` of a sanctions oracle. The addresses are listed from this block on. */
export const readSanctionsAdded = sanctionReader('sanction_add')
/** `SanctionedAddressesRemoved` of a sanctions oracle. The earlier listing stays in the table. */
export const readSanctionsRemoved = sanctionReader('sanction_remove')

/**
 * Freezes of issuers. The address is in the data on old contracts and indexed on newer ones, which the number of topics shows;
 * `seize` carries the destroyed amount in the word after it.
 */
const issuerReader =
  (event: 'freeze' | 'unfreeze' | 'seize', hasAmount: boolean): LogReader =>
  (at, { topics, data, address }, position) => {
    const issuer = at.registry.issuers.get(address)
    if (issuer === undefined) return true
    const indexed = topics.length > 1
    const subject = indexed ? addressOfTopic(topics[1]) : addressAt(data, word(0))
    const amountAt = word(indexed ? 0 : 1)
    if (subject === undefined || (hasAmount && data.length < amountAt + WORD)) return false
    return speak(at, position, address, event, subject, hasAmount ? uintAt(data, amountAt) : '0', issuer.symbol)
  }

/** An issuer stops an account: `AddedBlackList`, `BlockPlaced`, `Blacklisted`, `AddressFrozen` or `FreezeAddress`. */
export const readFreeze = issuerReader('freeze', false)
/** An issuer lets an account go again: the events that answer those of `readFreeze`. */
export const readUnfreeze = issuerReader('unfreeze', false)
/**
 * An issuer destroys what a stopped account holds: `DestroyedBlackFunds` and `DestroyedBlockedFunds`. Amount in base
 * units.
 */
export const readSeize = issuerReader('seize', true)
/** Paxos wipes without stating the amount; the burn is a Transfer of its own. */
export const readWipe = issuerReader('seize', false)

/**
 * Freezes that name who called before whom they are about, and seizures that may name more after. Only the frozen account is
 * spoken of: who called is the issuer, and who got what was seized did nothing. All addresses are indexed, or none: with some
 * of them nobody could tell which is which.
 */
const callerFirstReader =
  (event: 'freeze' | 'unfreeze' | 'seize', addresses: 2 | 3): LogReader =>
  (at, { topics, data, address }, position) => {
    const issuer = at.registry.issuers.get(address)
    if (issuer === undefined) return true
    const indexed = topics.length === addresses + 1
    if (!indexed && topics.length !== 1) return false
    const subject = indexed ? addressOfTopic(topics[2]) : addressAt(data, word(1))
    const amountAt = word(indexed ? 0 : addresses)
    const hasAmount = event === 'seize'
    if (subject === undefined || (hasAmount && data.length < amountAt + WORD)) return false
    return speak(at, position, address, event, subject, hasAmount ? uintAt(data, amountAt) : '0', issuer.symbol)
  }

/** `Freeze(caller, account)` of FDUSD and USD1. */
export const readFreezeBy = callerFirstReader('freeze', 2)
/** `Unfreeze(caller, account)` of FDUSD and USD1. */
export const readUnfreezeBy = callerFirstReader('unfreeze', 2)
/** `FrozenAccountDrained(caller, account, amount)`: the money leaves the account, amount in base units. */
export const readDrain = callerFirstReader('seize', 2)
/** `FrozenFundsReallocated(caller, from, to, amount)`: the subject is who lost the money, not who got it. */
export const readReallocation = callerFirstReader('seize', 3)

/** One event for both directions: the flag after the account states which. */
export const readBlacklistedSet: LogReader = (at, { topics, data, address }, position) => {
  const issuer = at.registry.issuers.get(address)
  if (issuer === undefined) return true
  const indexed = topics.length === 2
  if (!indexed && topics.length !== 1) return false
  const subject = indexed ? addressOfTopic(topics[1]) : addressAt(data, word(0))
  const flagAt = word(indexed ? 0 : 1)
  const flag = data.length < flagAt + WORD ? '' : uintAt(data, flagAt)
  if (subject === undefined || (flag !== '0' && flag !== '1')) return false
  return speak(at, position, address, flag === '1' ? 'freeze' : 'unfreeze', subject, '0', issuer.symbol)
}

/** The pool's caller is a router often: the depositor is who sent the transaction. */
export const readMixerDeposit: LogReader = (at, { topics, data, address }, position) => {
  const pool = at.registry.mixerPools.get(address)
  if (pool === undefined) return true
  if (topics.length !== 2 || data.length < 2 + 2 * WORD) return false
  return speak(at, position, address, 'mixer_deposit', at.sender, pool.denomination, '')
}

/** `subject` = who received the money, `detail` = relayer, zero where there was none. */
export const readMixerWithdrawal: LogReader = (at, { topics, data, address }, position) => {
  const pool = at.registry.mixerPools.get(address)
  if (pool === undefined) return true
  const beneficiary = addressAt(data, word(0))
  const relayer = addressOfTopic(topics[1])
  if (beneficiary === undefined || relayer === undefined || data.length < 2 + 3 * WORD) return false
  return speak(at, position, address, 'mixer_withdraw', beneficiary, pool.denomination, relayer)
}
