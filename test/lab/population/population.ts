/**
 * A population of wallets with a known truth: roles, their frequency, and the history they make together. Written
 * from descriptions of how people and thieves behave, not from the detectors that are measured on it.
 */
import type { TableName } from '../../../schema/block.ts'
import type { Finding } from '../../../scorer/ledger/labels/write.ts'
import { extortionist, fakeClaim, fakeMining, gasAbuser } from './bad/claims.ts'
import { darkMarket, identitySeller } from './bad/dark.ts'
import { drainer, drainerService, nftDrainer } from './bad/drains.ts'
import { frozen, listed, mixerHabit, mixingThief, peelChain } from './bad/money.ts'
import { poisoner } from './bad/poison.ts'
import { delegatedSweeper, exploiter, keyThief } from './bad/sweeps.ts'
import { counterfeiter, honeypotCreator, ponziOperator, rugPuller, shapeShifter, washRing } from './bad/tokens.ts'
import { bridgeDeployers, developers, redeployers } from './honest/builders.ts'
import { airdroppers, employers, lotteries, runExchanges, sellers, subscriptions } from './honest/business.ts'
import { collectors } from './honest/collectibles.ts'
import { nearLists } from './honest/listed.ts'
import { arbitrageurs, launchers, makers, traders } from './honest/market.ts'
import { nftMakers } from './honest/nft-trade.ts'
import { bridgeRelayers, custodians, desks, dispersers, farmers, gasStations } from './honest/operators.ts'
import { holders, tidiers, vanity, writers } from './honest/people.ts'
import { cleared, dusted, mixerVisitors } from './honest/privacy.ts'
import { bridgers, delegators, paymentProcessors, permitUsers, relayers, stakingPools } from './honest/protocols.ts'
import { liquidators, searchers, whiteHats } from './honest/vaults.ts'
import type { Member } from './roster.ts'
import { createWorld, END, openExchanges, openMarkets, type World } from './world.ts'

/** Share of each part in the honest population; holders are the rest. */
const HONEST: readonly { share: number; make: (world: World, count: number) => void }[] = [
  { share: 0.16, make: traders },
  { share: 0.07, make: employers },
  { share: 0.05, make: permitUsers },
  { share: 0.05, make: collectors },
  { share: 0.04, make: stakingPools },
  { share: 0.04, make: bridgers },
  { share: 0.025, make: subscriptions },
  { share: 0.02, make: custodians },
  { share: 0.015, make: tidiers },
  { share: 0.01, make: relayers },
  { share: 0.01, make: delegators },
  { share: 0.01, make: paymentProcessors },
  { share: 0.01, make: farmers },
  { share: 0.004, make: gasStations },
  { share: 0.005, make: vanity },
  { share: 0.005, make: developers },
  { share: 0.004, make: launchers },
  { share: 0.004, make: mixerVisitors },
  { share: 0.004, make: dusted },
  { share: 0.003, make: writers },
  { share: 0.003, make: nearLists },
  { share: 0.0015, make: arbitrageurs },
  { share: 0.001, make: makers },
  { share: 0.001, make: whiteHats },
  { share: 0.001, make: liquidators },
  { share: 0.001, make: nftMakers },
  { share: 0.0006, make: desks },
  { share: 0.0005, make: searchers },
  { share: 0.0005, make: dispersers },
  { share: 0.0003, make: bridgeRelayers },
  { share: 0.0008, make: airdroppers },
  { share: 0.0008, make: redeployers },
  { share: 0.0005, make: bridgeDeployers },
  { share: 0.0005, make: sellers },
  { share: 0.0003, make: lotteries },
]

/** Bad parts and their weights. `room`: number of bad wallets still to create. */
const BAD: readonly { weight: number; make: (world: World, room: number, authority: string) => void }[] = [
  { weight: 4, make: (world, _, authority) => listed(world, authority) },
  { weight: 4, make: (world, _, authority) => frozen(world, authority) },
  { weight: 4, make: mixerHabit },
  { weight: 6, make: drainer },
  { weight: 1.5, make: drainerService },
  { weight: 2, make: nftDrainer },
  { weight: 2, make: poisoner },
  { weight: 3, make: fakeClaim },
  { weight: 2, make: fakeMining },
  { weight: 2, make: gasAbuser },
  { weight: 3, make: extortionist },
  { weight: 3, make: delegatedSweeper },
  { weight: 3, make: keyThief },
  { weight: 2, make: exploiter },
  { weight: 4, make: rugPuller },
  { weight: 4, make: honeypotCreator },
  { weight: 4, make: counterfeiter },
  { weight: 2, make: ponziOperator },
  { weight: 1.5, make: washRing },
  { weight: 2, make: shapeShifter },
  { weight: 1, make: peelChain },
  { weight: 3, make: mixingThief },
  { weight: 1, make: darkMarket },
  { weight: 1.5, make: identitySeller },
]
/** Fills the remaining room if a scheme of several wallets might not fit. */
const FILLER = mixerHabit
const LARGEST_SCHEME = 12

export type Spec = {
  /** Total number of wallets. */
  wallets: number
  /** Share of them that are bad, 0 to 1. */
  bad: number
  seed: number
}

export type Sink = (chunk: { table: TableName; lines: string; rows: number }[]) => Promise<void>

const pickBad = (world: World) => {
  const total = BAD.reduce((sum, { weight }) => sum + weight, 0)
  let left = world.rng.next() * total
  for (const entry of BAD) {
    left -= entry.weight
    if (left < 0) return entry
  }
  return undefined
}

const castBad = (world: World, wanted: number, authority: string): void => {
  const bad = () => {
    let count = 0
    for (const member of world.roster.members()) if (member.kind === 'wallet' && member.expected.size > 0) count++
    return count
  }
  // Every part once before random choices, as far as there is room; large schemes only while they fit.
  for (const { make } of BAD) {
    const room = wanted - bad()
    if (room < LARGEST_SCHEME) break
    make(world, room, authority)
  }
  for (let room = wanted - bad(); room > 0; room = wanted - bad()) {
    if (room < LARGEST_SCHEME) FILLER(world)
    else pickBad(world)?.make(world, room, authority)
  }
}

const castHonest = (world: World, wanted: number, authority: string): void => {
  const free = wanted - world.roster.wallets()
  cleared(world, Math.round(free * 0.0008), authority)
  for (const { share, make } of HONEST) {
    const count = Math.round(free * share)
    if (count > 0) make(world, count)
  }
  holders(world, Math.max(0, wanted - world.roster.wallets()))
}

export type Population = { members: Member[]; transactions: number; labels: Finding[] }

const CHUNK_CHARACTERS = 48_000_000

/** Runs the history and emits its rows in chunks, in chain order. */
export const populate = async ({ wallets, bad, seed }: Spec, sink: Sink): Promise<Population> => {
  const world = createWorld(seed)
  openExchanges(world)
  openMarkets(world)
  runExchanges(world)
  const authority = world.wallet('authority')
  castBad(world, Math.round(wallets * bad), authority)
  castHonest(world, wallets, authority)
  for (let next = world.schedule.next(); next && next.at < END; next = world.schedule.next()) {
    world.chain.advance(next.at)
    const { value, done } = next.story.next()
    if (!done) world.schedule.start(Math.max(value, world.chain.time()), next.story)
    if (world.chain.waiting() > CHUNK_CHARACTERS) await sink(world.chain.take())
  }
  for (const member of world.roster.members()) {
    if (member.expected.size === 0 || member.offences > 0) continue
    member.expected.clear()
    member.role = `${member.role}, before any deed`
  }
  world.chain.advance(END)
  world.chain.finish()
  await sink(world.chain.take())
  return { members: [...world.roster.members()], transactions: world.chain.transactions(), labels: world.labels }
}
