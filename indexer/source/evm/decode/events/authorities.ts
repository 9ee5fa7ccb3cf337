/**
 * Events of registered authorities: sanctions oracles, stablecoin issuers, mixer pools. The same events of other contracts are
 * ignored; otherwise anyone could have any address listed.
 */
import type { AuthorityRow } from '../../../../../schema/block.ts'
import type { LogReader } from '../cursor.ts'
import { addressAt, addressOfTopic, uintAt, WORD } from '../hex.ts'
import { writeAuthority } from './powers.ts'
import { arrayAt, word } from './transfers.ts'

/**
 * Reads a batch, an unindexed `address[]`. Each address gets one row, even if named twice. The oracle's
 * `SanctionedAddress`/`NonSanctionedAddress` echo queries and are not read.
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
    for (const subject of subjects) writeAuthority(at, position, log.address, event, subject, '0', '')
    return true
  }

/** `SanctionedAddressesAdded` of a sanctions oracle. The addresses are listed from this block on. */
export const readSanctionsAdded = sanctionReader('sanction_add')
/** `SanctionedAddressesRemoved` of a sanctions oracle. The earlier listing stays in the table. */
export const readSanctionsRemoved = sanctionReader('sanction_remove')

/**
 * Reads freezes of issuers. The address is in the data on old contracts and indexed on newer ones, which the number of topics
 * shows; `seize` has the destroyed amount in the word after it.
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
    return writeAuthority(
      at,
      position,
      address,
      event,
      subject,
      hasAmount ? uintAt(data, amountAt) : '0',
      issuer.symbol,
    )
  }

/** An issuer stops an account: `AddedBlackList`, `BlockPlaced`, `Blacklisted`, `AddressFrozen` or `FreezeAddress`. */
export const readFreeze = issuerReader('freeze', false)
/** An issuer releases an account: the counterparts of the events of `readFreeze`. */
export const readUnfreeze = issuerReader('unfreeze', false)
/** An issuer destroys the funds of a frozen account: `DestroyedBlackFunds` and `DestroyedBlockedFunds`. Amount in base units. */
export const readSeize = issuerReader('seize', true)
/** Paxos wipes funds without an amount; the burn is a separate Transfer. */
export const readWipe = issuerReader('seize', false)

/**
 * Reads freezes that name the caller before the frozen account, and seizures that may name more accounts after it. Only the
 * frozen account gets a row: the caller is the issuer, and the receiver of seized funds did nothing. All addresses are
 * indexed, or none: if only some were, it would be unclear which.
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
    return writeAuthority(
      at,
      position,
      address,
      event,
      subject,
      hasAmount ? uintAt(data, amountAt) : '0',
      issuer.symbol,
    )
  }

/** `Freeze(caller, account)` of FDUSD and USD1. */
export const readFreezeBy = callerFirstReader('freeze', 2)
/** `Unfreeze(caller, account)` of FDUSD and USD1. */
export const readUnfreezeBy = callerFirstReader('unfreeze', 2)
/** `FrozenAccountDrained(caller, account, amount)`: the funds leave the account, amount in base units. */
export const readDrain = callerFirstReader('seize', 2)
/** `FrozenFundsReallocated(caller, from, to, amount)`: the subject is the account that lost the funds. */
export const readReallocation = callerFirstReader('seize', 3)

/** One event for both directions; the flag after the account is the direction. */
export const readBlacklistedSet: LogReader = (at, { topics, data, address }, position) => {
  const issuer = at.registry.issuers.get(address)
  if (issuer === undefined) return true
  const indexed = topics.length === 2
  if (!indexed && topics.length !== 1) return false
  const subject = indexed ? addressOfTopic(topics[1]) : addressAt(data, word(0))
  const flagAt = word(indexed ? 0 : 1)
  const flag = data.length < flagAt + WORD ? '' : uintAt(data, flagAt)
  if (subject === undefined || (flag !== '0' && flag !== '1')) return false
  return writeAuthority(at, position, address, flag === '1' ? 'freeze' : 'unfreeze', subject, '0', issuer.symbol)
}

/** The pool's caller is often a router, so the depositor is the transaction's sender. */
export const readMixerDeposit: LogReader = (at, { topics, data, address }, position) => {
  const pool = at.registry.mixerPools.get(address)
  if (pool === undefined) return true
  if (topics.length !== 2 || data.length < 2 + 2 * WORD) return false
  return writeAuthority(at, position, address, 'mixer_deposit', at.sender, pool.denomination, '')
}

/** `subject` = receiver of the money, `detail` = relayer, the zero address if there was none. */
export const readMixerWithdrawal: LogReader = (at, { topics, data, address }, position) => {
  const pool = at.registry.mixerPools.get(address)
  if (pool === undefined) return true
  const beneficiary = addressAt(data, word(0))
  const relayer = addressOfTopic(topics[1])
  if (beneficiary === undefined || relayer === undefined || data.length < 2 + 3 * WORD) return false
  return writeAuthority(at, position, address, 'mixer_withdraw', beneficiary, pool.denomination, relayer)
}
