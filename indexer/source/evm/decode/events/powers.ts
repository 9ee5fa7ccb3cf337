/** Changes of powers over contracts, and their use: ownership, proxies, roles, pausing. */
import type { AuthorityRow } from '../../../../../schema/block.ts'
import type { Cursor, LogReader } from '../cursor.ts'
import { addressAt, addressOfTopic } from '../hex.ts'
import { ONE_WORD, word } from './transfers.ts'

/** Writes one authority row. */
export const writeAuthority = (
  at: Cursor,
  position: string,
  authority: string,
  event: AuthorityRow['event'],
  subject: string,
  amount: string,
  detail: string,
): true => {
  at.rows.authority.push({
    network: at.network,
    block_number: at.number,
    block_time: at.time,
    position,
    tx_hash: at.txHash,
    authority,
    event,
    subject,
    actor: at.sender,
    amount,
    detail,
  })
  return true
}

/** Two addresses, indexed in most contracts and in the data of others. */
const pairReader =
  (event: AuthorityRow['event']): LogReader =>
  (at, { topics, data, address }, position) => {
    const indexed = topics.length === 3
    if (!indexed && topics.length !== 1) return false
    const before = indexed ? addressOfTopic(topics[1]) : addressAt(data, word(0))
    const after = indexed ? addressOfTopic(topics[2]) : addressAt(data, word(1))
    if (before === undefined || after === undefined) return false
    return writeAuthority(at, position, address, event, after, '0', before)
  }

/** `subject` = new owner, `detail` = previous owner. */
export const readOwnershipTransferred = pairReader('owner_change')
/** `subject` = new admin, `detail` = previous admin. */
export const readAdminChanged = pairReader('admin_change')

/** One address, indexed or not. */
const subjectReader =
  (event: AuthorityRow['event'], detail: string): LogReader =>
  (at, { topics, data, address }, position) => {
    const subject = topics.length === 1 ? addressAt(data, word(0)) : addressOfTopic(topics[1])
    if (subject === undefined || topics.length > 2) return false
    return writeAuthority(at, position, address, event, subject, '0', detail)
  }

/** `Upgraded` of a proxy (EIP-1967). `subject` = new implementation. */
export const readUpgraded = subjectReader('upgrade', '')
/** `BeaconUpgraded` of a proxy (EIP-1967). `subject` = new beacon, `detail` = `beacon`. */
export const readBeaconUpgraded = subjectReader('upgrade', 'beacon')
/** `Paused(account)` of OpenZeppelin. `subject` = account that paused. */
export const readPaused = subjectReader('pause', '')
/** `Unpaused(account)` of OpenZeppelin. `subject` = account that ended the pause. */
export const readUnpaused = subjectReader('unpause', '')

/** Older tokens' `Pause()` and `Unpause()` name no account: the subject is the transaction's sender. */
const bareReader =
  (event: AuthorityRow['event']): LogReader =>
  (at, { topics, address }, position) =>
    topics.length === 1 && writeAuthority(at, position, address, event, at.sender, '0', '')

/** `Pause()` of older tokens. */
export const readPause = bareReader('pause')
/** `Unpause()` of older tokens. */
export const readUnpause = bareReader('unpause')

/** `detail` = role hash. */
const roleReader =
  (event: AuthorityRow['event']): LogReader =>
  (at, { topics, address }, position) => {
    const role = topics[1]
    const account = addressOfTopic(topics[2])
    if (topics.length !== 4 || role?.length !== ONE_WORD || account === undefined) return false
    return writeAuthority(at, position, address, event, account, '0', role)
  }

/** `RoleGranted` of OpenZeppelin's AccessControl. `subject` = new holder of the role. */
export const readRoleGranted = roleReader('role_grant')
/** `RoleRevoked` of OpenZeppelin's AccessControl. `subject` = account that lost the role. */
export const readRoleRevoked = roleReader('role_revoke')
