/** Finds the role admins of a contract whose owner has renounced. */
import type { ChainReader } from '../../chain/chain.ts'
import { isAccountCode } from '../../code/bytecode.ts'
import { wordAt } from '../../market/return-data.ts'
import type { Subject } from '../../subject/subject.ts'
import { CONTROL_EFFECTS } from '../effects/effects.ts'
import type { Power } from '../power.ts'

/** OpenZeppelin AccessControl: `hasRole(bytes32,address)`, and DEFAULT_ADMIN_ROLE, which is zero. */
const HAS_ROLE = '0x91d14854'
const ADMIN_ROLE = '0'.repeat(64)
const ZERO_OWNER = `0x${'0'.repeat(40)}`

/** Accounts that still control a contract without an owner, and their powers. */
export type Admins = {
  /** Admins without code. */
  accounts: string[]
  /** Admins with code. */
  contracts: string[]
  /** Powers over other accounts' tokens that a role grants. */
  powers: Power[]
  /** Whether the contract had an owner that renounced. */
  gaveUp: boolean
}

/** `undefined` if the contract has a live owner or no `hasRole`, or if no role grants a power. */
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
    // A zero owner may have been zero from the start.
    gaveUp: owner.address !== ZERO_OWNER || (await gaveUp(token)),
  }
}
