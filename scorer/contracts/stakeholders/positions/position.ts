/** Liquidity positions that are NFTs of a manager, for all pool versions. */
import type { ChainLog, ChainReader } from '../../chain/chain.ts'
import { addressOf } from '../../code/abstract/facts.ts'
import { type Market, wordAt } from '../../market/market.ts'
import type { ContractRegistry } from '../../subject/registry.ts'

/** A position with liquidity. */
export type Position = {
  manager: string
  id: bigint
  owner: string
  lower: number
  upper: number
  liquidity: bigint
}
/** The pool whose positions are looked for, and the logs that name them. */
export type PositionSearch = {
  chain: ChainReader
  registry: ContractRegistry
  token: string
  market: Market
  /** Logs of the transactions that added liquidity. */
  logs: readonly ChainLog[]
}
/** Finds the positions of a pool with liquidity, as far as the logs name them. */
export type FindPositions = (search: PositionSearch) => Promise<Position[]>

/** `ownerOf(uint256)` */
const OWNER_OF = '0x6352211e'

/** Holder of an NFT; `undefined` when it does not exist. */
export const ownerOf = async (chain: ChainReader, manager: string, id: bigint): Promise<string | undefined> => {
  const owner = wordAt(await chain.call({ to: manager, data: `${OWNER_OF}${id.toString(16).padStart(64, '0')}` }), 0)
  return owner === undefined ? undefined : addressOf(owner)
}
