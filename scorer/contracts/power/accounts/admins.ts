/** Who administers the roles of a contract whose `owner()` answers nobody, as after giving it up. */
import type { ChainReader } from '../../chain/chain.ts'
import { isAccountCode } from '../../code/bytecode.ts'
import { wordAt } from '../../market/words.ts'
import type { Subject } from '../../subject/subject.ts'
import { CONTROL_EFFECTS } from '../effects/effects.ts'
import type { Power } from '../power.ts'

/** AccessControl of OpenZeppelin: `hasRole(bytes32,address)`, and the role that grants all others, which is zero. */
const HAS_ROLE = '0x91d14854'
const ADMIN_ROLE = '0'.repeat(64)
const ZERO_OWNER = `0x${'0'.repeat(40)}`

/** Who still rules a contract that reads as given up, and by which powers. */
export type Admins = {
  /** Members of the admin role without code, and with. */
  accounts: string[]
  contracts: string[]
  /** Powers of accounts with a role over other people's tokens. */
  powers: Power[]
  /** Whether somebody owned the contract and gave that up. */
  gaveUp: boolean
}

/** `undefined` where an owner lives, there never was such a getter, or roles rule over nobody. */
export const adminsOf = async (
  chain: ChainReader,
  subject: Subject,
  insiders: readonly string[],
  found: readonly Power[],
  gaveUp: (token: string) => Promise<boolean>,
): Promise<Admins | undefined> => {
  const { owner, token, functions } = subject
  const lists = new Set(functions.find(({ selector }) => selector === HAS_ROLE)?.maps)
  if (owner.type !== 'blackhole' || lists.size === 0) return undefined
  const guarded = new Set(
    functions.filter(({ callerMaps }) => callerMaps.some((base) => lists.has(base))).map(({ selector }) => selector),
  )
  const powers = found.filter(
    ({ anyone, selector, effect, target }) =>
      !anyone && target === token && guarded.has(selector) && CONTROL_EFFECTS.includes(effect),
  )
  if (powers.length === 0) return undefined
  const asked = await Promise.all(
    insiders.map(async (who) => {
      const data = `${HAS_ROLE}${ADMIN_ROLE}${who.slice(2).padStart(64, '0')}`
      const [answer, code] = await Promise.all([chain.call({ to: token, data }), chain.code(who)])
      return { who, admin: wordAt(answer, 0) === 1n, person: code.length <= 2 || isAccountCode(code) }
    }),
  )
  const admins = asked.filter(({ admin }) => admin)
  if (admins.length === 0) return undefined
  return {
    accounts: admins.filter(({ person }) => person).map(({ who }) => who),
    contracts: admins.filter(({ person }) => !person).map(({ who }) => who),
    powers,
    // An owner of zero may never have been another one.
    gaveUp: owner.address !== ZERO_OWNER || (await gaveUp(token)),
  }
}
