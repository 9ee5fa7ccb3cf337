/** Finds the members of a contract's roles (OpenZeppelin AccessControl). */
import type { ChainReader } from '../../chain/chain.ts'
import { addressOf } from '../../code/abstract/facts.ts'
import { wordAt } from '../../market/market.ts'
import type { Subject } from '../../subject/subject.ts'
import { TRANSFERS } from '../calls/arguments.ts'

/** `RoleGranted(bytes32,address,address)` and `getRoleMember(bytes32,uint256)`. */
const ROLE_GRANTED = '0x2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d'
const ROLE_MEMBER = '0x9010d07c'
/** Blocks of logs requested from a node: a range that public endpoints allow. */
const LOG_BLOCKS = 9_000
const MAX_ROLES = 8

const word = (value: bigint) => value.toString(16).padStart(64, '0')

/** Members that `getRoleMember` lists: of the admin role and of every role whose hash a getter returns. */
const listedMembers = async (chain: ChainReader, { token, functions }: Subject): Promise<string[]> => {
  if (!functions.some((facts) => facts.selector === ROLE_MEMBER)) return []
  const getters = functions
    .filter((facts) => !facts.writes && facts.args.length === 0 && facts.selector !== 'fallback')
    .slice(0, 40)
  const answers = await Promise.all(getters.map((facts) => chain.call({ to: token, data: facts.selector })))
  const hashes = answers.flatMap((answer) => wordAt(answer, 0) ?? []).filter((value) => value >> 200n > 0n)
  const roles = [0n, ...new Set(hashes)].slice(0, MAX_ROLES)
  const members = await Promise.all(
    roles.flatMap((role) =>
      [0n, 1n].map((i) => chain.call({ to: token, data: `${ROLE_MEMBER}${word(role)}${word(i)}` })),
    ),
  )
  return members.flatMap((answer) => wordAt(answer, 0) ?? []).map(addressOf)
}

/** Addresses that hold or held a role, from `getRoleMember`, from our tables (`fromTables`) and from recent logs. */
export const roleHolders = async (
  chain: ChainReader,
  subject: Subject,
  fromTables: (token: string) => Promise<string[]>,
): Promise<string[]> => {
  const lists = subject.functions.filter((facts) => facts.writes && !TRANSFERS.has(facts.selector))
  if (!lists.some((facts) => facts.callerMaps.length > 0)) return []
  const [listed, known, logs] = await Promise.all([
    listedMembers(chain, subject),
    fromTables(subject.token),
    chain.logs({
      address: subject.token,
      topics: [ROLE_GRANTED],
      fromBlock: Math.max(0, chain.height - LOG_BLOCKS),
    }),
  ])
  const granted = (logs ?? []).flatMap((log) => (log.topics[2] ? [addressOf(BigInt(log.topics[2]))] : []))
  return [...new Set([...listed, ...known, ...granted])].filter((who) => BigInt(who) > 0xffffn)
}
