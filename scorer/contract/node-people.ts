/** People and liquidity read from a node alone: what logs of the token and its pool say. Tables know more. */
import type { ChainLog, ChainReader } from './chain.ts'
import { addressOf } from './code/interpret.ts'
import type { Examination } from './examine.ts'
import { balanceOf } from './market.ts'
import { type People, type PeopleSource, UNKNOWN_PEOPLE } from './people.ts'
import type { ContractRegistry } from './registry.ts'

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const OWNERSHIP = '0x8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0'

const topicAddress = (topic: string | undefined) => (topic ? addressOf(BigInt(topic)) : '')

/** Receivers of the newest transfers, most recent first. */
const receivers = (logs: ChainLog[]): string[] => [...new Set([...logs].reverse().map((log) => topicAddress(log.topics[2])))].filter((who) => who !== '' && BigInt(who) > 0xffffn)

export const createNodePeople = (chain: ChainReader, _registry: ContractRegistry): PeopleSource => {
  const from = (blocks: number) => Math.max(0, chain.height - blocks)
  const creatorOf = async (token: string): Promise<string> => {
    const logs = await chain.logs({ address: token, topics: [OWNERSHIP], fromBlock: from(9_000) })
    const first = logs?.find((log) => BigInt(log.topics[1] ?? '0x1') === 0n)
    return first ? ((await chain.transaction(first.transactionHash))?.from ?? '') : ''
  }
  return {
    creatorOf,
    holdersOf: async (token) => {
      const logs = await chain.logs({ address: token, topics: [TRANSFER], fromBlock: from(2_000) })
      const moved = (logs ?? []).filter((log) => log.topics.length === 3).slice(-400)
      // Buyers, not the team: tokens that came out of a contract, the pool.
      const givers = [...new Set(moved.map((log) => topicAddress(log.topics[1])))].filter((who) => who !== token).slice(0, 60)
      const givenBy = await Promise.all(givers.map((who) => chain.code(who)))
      const contracts = new Set(givers.filter((_, i) => (givenBy[i]?.length ?? 0) > 2))
      const people = receivers(moved.filter((log) => contracts.has(topicAddress(log.topics[1])))).slice(0, 30)
      const codes = await Promise.all(people.map((who) => chain.code(who)))
      const plain = people.filter((_, i) => (codes[i]?.length ?? 0) <= 2)
      const held = await Promise.all(plain.map((who) => balanceOf(chain, token, who)))
      return plain.filter((_, i) => (held[i] ?? 0n) > 0n)
    },
    v4PoolsOf: async () => [],
    describe: async (examination: Examination): Promise<People> => {
      const { subject, creator } = examination
      const held = creator === '' ? 0n : await balanceOf(chain, subject.token, creator)
      return {
        ...UNKNOWN_PEOPLE,
        creator,
        creatorPercent: subject.supply > 0n ? Number((held * 10_000n) / subject.supply) / 100 : 0,
      }
    },
  }
}
