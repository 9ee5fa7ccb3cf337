/** A price that rises: a trap may let everybody sell until others have bought. Coins are put into the pool, and much is bought from it. */
import { type Step, ZERO } from '../../chain/simulator/script.ts'
import type { SimulationSetup } from '../simulation-setup.ts'

/** Pairs take what lies beside their reserve for it: `sync()`. */
const SYNC = '0xfff6cae9'
const PAIRS: ReadonlySet<string> = new Set(['v2', 'solidly'])
const RISING: ReadonlySet<string> = new Set([...PAIRS, 'v3', 'v4'])
/** Coins put into a pair, and of each purchase, in tenths of the pool's. */
const [GIVEN, BOUGHT] = [10n, 4n]
/** Who buys: limits for each account leave the coins that were given. What nobody holds often knows none. */
const BUYERS = 3
const DEAD = '0x000000000000000000000000000000000000dead'

/** Steps after which the price of a pool without rules of its own is two to seven times what it was. */
export const riseIn = ({ setup, director, fresh }: SimulationSetup): Step[] => {
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
