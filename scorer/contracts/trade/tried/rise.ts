/**
 * Makes the price rise, because a trap may allow sales until others have bought: coins are put into the pool, and large
 * amounts are bought.
 */
import { type Step, ZERO } from '../../chain/simulator/script.ts'
import { DEAD } from '../../subject/blackhole.ts'
import type { SimulationSetup } from '../simulation-setup.ts'

/** `sync()`: pairs add their surplus balance to the reserve. */
const SYNC = '0xfff6cae9'
const PAIRS: ReadonlySet<string> = new Set(['v2', 'solidly'])
const RISING: ReadonlySet<string> = new Set([...PAIRS, 'v3', 'v4'])
/** Coins put into a pair, and coins of each purchase, in tenths of the pool's. */
const [GIVEN, BOUGHT] = [10n, 4n]
/**
 * Number of buyers: limits per account do not affect the coins put in. The dead address is often exempt from limits.
 */
const BUYERS = 3

/** Steps that raise the price two- to sevenfold, in a pool without hooks. */
export const priceRiseSteps = ({ setup, director, fresh }: SimulationSetup): Step[] => {
  const { kind, hooks, pool, large } = setup
  if (!RISING.has(kind) || hooks !== ZERO) return []
  const buyers = [...Array.from({ length: BUYERS }, (_, i) => fresh(`crowd ${i}`)), DEAD]
  const given: Step[] = [
    { op: 'fund', target: pool, amount: large * GIVEN },
    { op: 'call', actor: director, target: pool, data: SYNC },
  ]
  return [
    ...(PAIRS.has(kind) ? given : []),
    ...buyers.map((actor): Step => ({ op: 'buy', actor, amount: large * BOUGHT })),
  ]
}
