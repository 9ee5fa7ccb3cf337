/** What the tables add to an analysis: pools against any asset, holders, the whole list of events, equal code. */
import { equalCodeHolds } from './cases/equal-code.ts'
import { holdersHold } from './cases/holders.ts'
import { poolsHold } from './cases/pools.ts'
import { rolesHold } from './cases/roles.ts'
import { tradesHold } from './cases/trades.ts'
import { createBesideWorld } from './world.ts'

const world = createBesideWorld()
poolsHold(world)
holdersHold(world)
tradesHold(world)
equalCodeHolds(world)
rolesHold(world)
