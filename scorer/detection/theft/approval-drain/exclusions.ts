/**
 * Exclusions of approval drains: cases in which owners lost everything they had approved, but not to a thief.
 *
 * * The owners are no victims: the taker's side created or funded them, they were never active on their own (deposit addresses sign
 *   nothing but approvals), or they were paid later, as by a desk. Nor are wallets of one owner, such as a farmer of airdrops, who
 *   gathers what they got: accounts that one funder created on one day count as one, and of several, one has to have paid
 *   somebody whom most others did not pay.
 * * There are no proceeds: tokens were burned, went over a bridge, stayed in the contract that was paid (a vault, an exchange) or
 *   came back out of it to many.
 * * The contract was broken rather than malicious: owners used it themselves, and strangers robbed them through it.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { infrastructureOf } from '../../../../schema/registry/infrastructure.ts'
import { groupedBy, inPieces, type LoadContext } from '../../context.ts'
import { fundersOf } from '../../shared/first-funders.ts'
import { loadOrganicActivity, type OrganicActivity, organicallyActive } from '../../shared/organic-activity.ts'
import { loadReturns } from '../../shared/outflows/outflows.ts'
import { loadFunded, oneOfEachSeries } from '../../shared/strangers/strangers.ts'
import type { Drain } from './drain.ts'

const MAKERS = readSql(import.meta.url, './sql/contract-makers.sql')
const OUTFLOW = readSql(import.meta.url, './sql/contract-outflows.sql')
const CALLERS = readSql(import.meta.url, './sql/own-callers.sql')

/** Minimum number of parties that an owner paid before. One is enough to rule out a deposit address. Our choice. */
const OWN_PARTIES = 1
/**
 * Maximum number of accounts that share what a contract took, and the minimum share of its receipts that reached them (as for fake
 * claims).
 */
const MAX_TAKERS = 3
const TAKEN_SHARE = 0.5
/** Minimum share of robbed owners who had called the contract themselves, which shows that it has a use. Our choice. */
const USERS_SHARE = 0.5
/** Parties that at least this share of the owners paid are common to them. Our choice. */
const MOST = 0.5
/** Burn addresses. */
const BURNT = new Set([`0x${'0'.repeat(40)}`, '0x000000000000000000000000000000000000dead', `0x${'0'.repeat(39)}1`])

type Maker = { contract: string; maker: string; creator: string }
type Flow = { contract: string; asset: string; taker: string; went: number; came: number }

const distinctOf = (drains: readonly Drain[], of: (drain: Drain) => readonly string[]): string[] => [
  ...new Set(drains.flatMap(of)),
]

const makersOf = async ({ store, network }: LoadContext, addresses: readonly string[]): Promise<Map<string, Maker>> => {
  const rows = await inPieces(addresses, (contracts) =>
    store.query<Maker>(MAKERS, { network, contracts }, { route: 'makers' }),
  )
  return new Map(rows.map((row) => [row.contract, row]))
}

/** Whether most of a contract's receipts went on to a few accounts, by contract and asset. Concerns takers that are contracts. */
const passedOn = async (
  { store, network }: LoadContext,
  drains: readonly Drain[],
  makers: ReadonlyMap<string, Maker>,
): Promise<(drain: Drain) => boolean> => {
  const toContracts = drains.filter(({ taker, spender }) => taker === spender && makers.has(taker))
  const rows = await inPieces(
    distinctOf(toContracts, ({ taker }) => [taker]),
    (contracts) =>
      store.query<Flow>(
        OUTFLOW,
        { network, contracts, assets: distinctOf(toContracts, ({ asset }) => [asset]) },
        { route: 'asset_outflow' },
      ),
  )
  const victims = new Set(drains.map(({ victim }) => victim))
  const known = infrastructureOf(network)
  const flows = groupedBy(rows, ({ contract, asset }) => `${contract} ${asset}`)
  return ({ taker, spender, asset }) => {
    if (taker !== spender || !makers.has(taker)) return true
    const outflows = flows.get(`${taker} ${asset}`) ?? []
    const passed = outflows.filter((flow) => !victims.has(flow.taker) && known.get(flow.taker)?.category !== 'bridge')
    const total = passed.slice(0, MAX_TAKERS).reduce((sum, flow) => sum + flow.went, 0)
    return total > 0 && total >= TAKEN_SHARE * (outflows[0]?.came ?? 0)
  }
}

/** Pairs of owner and contract where the owner called the contract itself. */
const usersOf = async (
  { store, network }: LoadContext,
  drains: readonly Drain[],
  makers: ReadonlyMap<string, Maker>,
): Promise<ReadonlySet<string>> => {
  const through = drains.filter(({ spender }) => makers.has(spender))
  const rows = await inPieces(
    distinctOf(through, ({ victim }) => [victim]),
    (owners) =>
      store.query<{ owner: string; contract: string }>(
        CALLERS,
        { network, owners, contracts: distinctOf(through, ({ spender }) => [spender]) },
        { route: 'own_callers' },
      ),
  )
  return new Set(rows.map(({ owner, contract }) => `${owner} ${contract}`))
}

/**
 * Whether one of the owners paid somebody whom most others did not pay, before they lost anything. Wallets of one owner pay the same
 * parties, and those that are open to everybody. An attacker would need as many accounts of his own as there are victims.
 */
const liveApart = (
  activity: OrganicActivity,
  group: ReadonlyMap<string, number>,
  sinks: ReadonlySet<string>,
  open: ReadonlyMap<string, unknown>,
): boolean => {
  const payers = new Map<string, number>()
  for (const [owner, time] of group)
    for (const { counterparty, first_seen } of activity.get(owner) ?? [])
      if (first_seen < time && !sinks.has(counterparty) && !group.has(counterparty) && !open.has(counterparty))
        payers.set(counterparty, (payers.get(counterparty) ?? 0) + 1)
  return [...payers.values()].some((count) => count === 1 || count < MOST * group.size)
}

/** Removes drains that are no thefts. `drains` are in time order; those of a spender are judged together. */
export const withoutExclusions = async <T extends Drain>(context: LoadContext, drains: readonly T[]): Promise<T[]> => {
  if (drains.length === 0) return []
  const { network } = context
  const parties = ({ spender, taker, initiator }: Drain) => [spender, taker, initiator]
  const makers = await makersOf(
    context,
    distinctOf(drains, (drain) => [drain.victim, drain.spender, drain.taker]),
  )
  const victims = distinctOf(drains, ({ victim }) => [victim])
  const makerOf = (address: string): string => makers.get(address)?.maker ?? ''
  const [funders, funded, activity, returns, isPassedOn, users] = await Promise.all([
    fundersOf(
      context,
      distinctOf(drains, (drain) => [drain.victim, drain.initiator, makerOf(drain.spender)]),
    ),
    loadFunded(context, victims),
    loadOrganicActivity(context, victims),
    loadReturns(
      context,
      drains.map(({ victim: owner, tx_hash }) => ({ owner, tx_hash })),
      { parties: distinctOf(drains, parties) },
    ),
    passedOn(context, drains, makers),
    usersOf(context, drains, makers),
  ])
  const open = infrastructureOf(network)
  const bySpender = groupedBy(drains, ({ spender }) => spender)
  return [...bySpender].flatMap(([spender, spenderDrains]) => {
    const group = new Map(spenderDrains.toReversed().map(({ victim, time }) => [victim, time]))
    const sinks = new Set(distinctOf(spenderDrains, parties))
    const active = organicallyActive(activity, group, sinks, { least: OWN_PARTIES, open })
    const apart = liveApart(activity, group, sinks, open)
    const maker = makerOf(spender)
    const used = distinctOf(spenderDrains, ({ victim }) => (users.has(`${victim} ${spender}`) ? [victim] : [])).length
    const stranger = ({ initiator, taker }: Drain) =>
      maker !== '' &&
      ![initiator, taker, funders.get(initiator)].includes(maker) &&
      ![initiator, taker].includes(funders.get(maker) ?? '-') &&
      makerOf(taker) !== maker
    const exploited = used >= USERS_SHARE * group.size
    const thefts = spenderDrains.filter((drain) => {
      const { victim, taker, initiator, time } = drain
      const side = new Set([spender, taker, initiator, maker].filter((address) => address !== ''))
      const victimMaker = makers.get(victim)
      const isOwnAccount =
        side.has(funders.get(victim) ?? '-') ||
        (victimMaker && (side.has(victimMaker.maker) || side.has(victimMaker.creator)))
      const paid = parties(drain).some((party) => returns.since(victim, party, time))
      const burntOrBridged = BURNT.has(taker) || open.get(taker)?.category === 'bridge'
      const isActive = victimMaker !== undefined || (active.has(victim) && apart)
      return (
        isActive && !isOwnAccount && !paid && !burntOrBridged && isPassedOn(drain) && !(exploited && stranger(drain))
      )
    })
    const separate = oneOfEachSeries(
      thefts.map(({ victim }) => victim),
      funded,
    )
    return thefts.filter(({ victim }) => separate.has(victim))
  })
}
