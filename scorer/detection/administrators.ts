/**
 * Whether a contract is a wallet's to administer, though somebody else made it: bought, or handed over. Two signs: the
 * contract's own events put the wallet in charge, in transactions of those in charge then (the maker at first) or a week before,
 * and nobody else since; or a week before the wallet called with success what only administrators may call, as they did.
 *
 * Powers taken through a hole are none: an unguarded `initialize` or `transferOwnership` is called by the thief or by an
 * accomplice, and neither was in charge. So acquittal takes the consent of an owner, or a hole that was used in the open and left
 * to others for a week; a contract that swallows every call will not do, as functions that owners use exist. Roles that
 * customers get (depositor, minter) do not count. Not seen: members of a multisig in charge, and whom contracts without standard
 * events or names put in charge.
 */
import { readSql } from '../../platform/store/sql.ts'
import { infrastructureOf } from '../../schema/registry/infrastructure.ts'
import { SELECTORS } from '../../schema/registry/selectors.ts'
import type { LoadContext } from './context.ts'

const GIVEN = readSql(import.meta.url, './sql/powers-given.sql')
const USED = readSql(import.meta.url, './sql/powers-used.sql')

/** OpenZeppelin AccessControl: `DEFAULT_ADMIN_ROLE`, and the keccak-256 of `ADMIN_ROLE` and `GOVERNOR_ROLE`. */
const ROLES = [
  `0x${'0'.repeat(64)}`,
  '0xa49807205ce4d355092ef5a8a18f56e8913cf4a201fbe287825b095693c21775',
  '0x7935bd0ae54bc31f548c14dba4d37c5c64b3f8ca900cb468fb8abd54d5894f55',
]
const ACCEPT = '0x79ba5097'
/** Powers got or used in ways we cannot follow have to be older than this, s: thieves do not leave a hole open. Our choice. */
const TENURE_S = 7 * 86_400
/** A proxy's admin is a contract with an owner of its own, a timelock may stand between: so far we look. */
const MOST_LEVELS = 3

type Given = {
  event: 'owner_change' | 'admin_change' | 'role_grant' | 'role_revoke'
  subject: string
  actor: string
  detail: string
  called: string
  selector: string
  time: number
}

type Charged = {
  contract: string
  maker: string
  /** Contracts that do what anybody tells them. */
  open: { has: (address: string) => boolean }
  /** What happened until then (Unix seconds) and was let stand counts as lawful. */
  settled: number
}

/** Who is in charge after all that, and everybody who lawfully ever was. Rows are in chain order. */
const inCharge = ({ contract, maker, open, settled }: Charged, rows: readonly Given[]) => {
  const lawful = new Set([maker])
  const now = new Map<string, string>()
  for (const { event, subject, actor, detail, called, selector, time } of rows) {
    const role = event === 'role_grant' || event === 'role_revoke'
    const key = role ? `role ${detail} ${subject}` : event
    if (event === 'role_revoke') {
      now.delete(key)
      continue
    }
    const holders = new Set([maker, ...now.values()])
    const accepted = actor === subject && selector === ACCEPT && holders.has(detail)
    // A call of a contract in charge (a multisig, a timelock) does what those behind it agreed on.
    const through = called !== contract && !open.has(called) && holders.has(called)
    if (holders.has(actor) || through || accepted || time <= settled) {
      lawful.add(subject)
      now.set(key, subject)
    } else if (!role) now.delete(key)
  }
  return { lawful, now: new Set(now.values()) }
}

/**
 * Whether one of `side` (a wallet and its contracts) was in charge of a contract that `maker` made, before `position`, whose
 * time is `time` (Unix seconds).
 */
export const administers = async (
  { store, network }: LoadContext,
  side: ReadonlySet<string>,
  { contract, maker, position: before, time }: { contract: string; maker: string; position: string; time: number },
): Promise<boolean> => {
  const open = infrastructureOf(network)
  const settled = time - TENURE_S
  const known = new Set([maker])
  let level = [contract]
  for (let depth = 0; depth < MOST_LEVELS && level.length > 0; depth++) {
    const above = new Set<string>()
    for (const one of level) {
      const rows = await store.query<Given>(
        GIVEN,
        { network, contract: one, before, roles: ROLES },
        { route: 'powers_given' },
      )
      const { lawful, now } = inCharge({ contract: one, maker, open, settled }, rows)
      for (const address of lawful) known.add(address)
      for (const address of now) above.add(address)
    }
    if ([...above].some((address) => side.has(address))) return true
    level = [...above].filter((address) => address !== maker && !level.includes(address) && !open.has(address))
  }
  const used = await store.query<{ sender: string; selector: string }>(
    USED,
    {
      network,
      contract,
      until: settled,
      senders: [...known, ...side],
      selectors: Object.keys(SELECTORS.administer),
    },
    { route: 'powers_used' },
  )
  const theirs = new Set(used.filter(({ sender }) => !side.has(sender)).map(({ selector }) => selector))
  return used.some(({ sender, selector }) => side.has(sender) && theirs.has(selector))
}
