import type { PoolRow } from '../../../../../schema/block.ts'
import { type Cursor, headOf, type LogReader } from '../cursor.ts'
import { addressAt, addressOfTopic, uintAt, WORD } from '../hex.ts'
import { ONE_WORD, word } from './transfers.ts'

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

type Pool = Pick<PoolRow, 'pool' | 'kind' | 'fee' | 'hooks'>

/** Writes a pool of two tokens. */
export const announce = (
  at: Cursor,
  position: string,
  factory: string,
  token0: string,
  token1: string,
  { pool, kind, fee, hooks }: Pool,
): true => {
  at.rows.pools.push({ ...headOf(at, position), pool, factory, kind, token0, token1, fee, hooks })
  return true
}

/** Writes a pool whose tokens are both indexed. */
const create = (
  at: Cursor,
  position: string,
  factory: string,
  first: string | undefined,
  second: string | undefined,
  pool: Pool | undefined,
): boolean => {
  const token0 = addressOfTopic(first)
  const token1 = addressOfTopic(second)
  if (token0 === undefined || token1 === undefined || pool === undefined) return false
  return announce(at, position, factory, token0, token1, pool)
}

/** Reads events that index both tokens first and have the pool in data word `poolWord`. */
const poolReader =
  (kind: PoolRow['kind'], topicCount: number, poolWord: number, feeTopic?: number): LogReader =>
  (at, log, position) => {
    const { topics, data, address } = log
    const pool = addressAt(data, word(poolWord))
    if (topics.length !== topicCount || pool === undefined) return false
    const feeText = feeTopic === undefined ? undefined : topics[feeTopic]
    const fee = feeText?.length === ONE_WORD ? Number(uintAt(feeText, 2)) : 0
    if (!(fee <= 0xffffff)) return false
    return create(at, position, address, topics[1], topics[2], { pool, kind, fee, hooks: '' })
  }

/** `PairCreated` of V2 factories. It has no fee: rows have 0, and the registry has the fee of each factory. */
export const readPairCreated = poolReader('v2', 3, 0)
/** `PairCreated` of Solidly, with the flag for stable pairs before the pair. */
export const readSolidlyPairCreated = poolReader('solidly', 3, 1)
/** `PoolCreated` of V3. The fee is in hundredths of a basis point. */
export const readV3PoolCreated = poolReader('v3', 4, 1, 3)
/** `PoolCreated` of Velodrome and Aerodrome, the successors of Solidly. */
export const readSolidlyPoolCreated = poolReader('solidly', 4, 0)
/** `PoolCreated` of Slipstream: as in V3, but with a tick spacing instead of the fee, so rows have 0. */
export const readSlipstreamPoolCreated = poolReader('v3', 4, 0)

const readAlgebraPool = poolReader('v3', 3, 0)
/** Algebra's `Pool` is a common name, so only registered factories count. */
export const readAlgebraPoolCreated: LogReader = (at, log, position) =>
  at.registry.dexFactories.has(log.address) ? readAlgebraPool(at, log, position) : true

/** V4 singleton: the pool is an id. The native coin is the zero address, stored as the empty asset. */
export const readV4Initialize: LogReader = (at, log, position) => {
  const { topics, data, address } = log
  const id = topics[1]
  const hooks = addressAt(data, word(2))
  if (id?.length !== ONE_WORD || hooks === undefined || data.length < 2 + 5 * WORD) return false
  const fee = Number(uintAt(data, word(0)))
  if (!(fee <= 0xffffff)) return false
  const before = at.rows.pools.length
  const known = create(at, position, address, topics[2], topics[3], {
    pool: id,
    kind: 'v4',
    fee,
    hooks: hooks === ZERO_ADDRESS ? '' : hooks,
  })
  const row = at.rows.pools[before]
  if (row?.token0 === ZERO_ADDRESS) row.token0 = ''
  return known
}
