/** Stakeholders and liquidity from the node, completed by the tables when there are some. */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { EVENTS } from '../../../schema/registry/index.ts'
import type { ChainLog, ChainReader } from '../chain/chain.ts'
import { ZERO } from '../chain/simulator/script.ts'
import { addressOf } from '../code/abstract/facts.ts'
import type { KnownPools } from '../market/choose.ts'
import { balancesOf, coins, sharesOf, wordAt } from '../market/market.ts'
import { type V4Pool, v4PoolId } from '../market/pools/v4.ts'
import type { AnnouncedPool } from '../market/pools/venues.ts'
import { announcerOf, type ContractRegistry } from '../subject/registry.ts'
import { readEarlyMarket } from './early.ts'
import { type ListedEvent, LOG_BLOCKS, readEvents } from './events.ts'
import { findExits } from './exits/find.ts'
import { TRANSFER } from './exits/inflows.ts'
import { gaugesOf } from './gauges.ts'
import { missingHistory } from './holders/history.ts'
import { readHolders } from './holders/holders.ts'
import { readInsiders } from './holders/insiders.ts'
import { readLiquidityHolders } from './holders/liquidity.ts'
import type { LiquidityRow } from './liquidity.ts'
import { type LockFacts, lockedOf, readTokenLocks } from './locks.ts'
import { type FindPools, poolsMissing } from './missing-pools.ts'
import { readBinLocks } from './positions/bins.ts'
import { PROVIDER_SHARE, readPositionLocks } from './positions/positions.ts'
import { readRecentSales } from './recent-sales.ts'
import type { LiquidityEvent, StakeholderScore, StakeholderSource, Stakeholders, TokenContext } from './stakeholders.ts'

const ADDED = readSql(import.meta.url, './sql/added.sql')
const CREATION = readSql(import.meta.url, './sql/creation.sql')
const HOLDERS = readSql(import.meta.url, './sql/holders.sql')
const POOLS = readSql(import.meta.url, './sql/pools.sql')
const POOLS_BY_TRADE = readSql(import.meta.url, './sql/pools-by-trade.sql')
const EARLIER = readSql(import.meta.url, './sql/earlier.sql')
const MEMBERS = readSql(import.meta.url, './sql/role-members.sql')
const RENOUNCED = readSql(import.meta.url, './sql/renounced.sql')

const OWNERSHIP = '0x8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0'
/** Maximum number of pools per token. */
const MAX_POOLS = 60
/** Maximum number of role members tried as callers. */
const MAX_MEMBERS = 16
/** Maximum number of accounts whose locks are read, and of transactions whose positions are looked up. */
const MAX_LOCK_ACCOUNTS = 10
const MAX_RECEIPTS = 30

/** Sources beside the node. */
export type StakeholderOptions = {
  network: Network
  /** The tables. Without them facts that only they have are unknown. */
  store?: Store
  /** Wallet scores; unscored addresses are missing from the result. */
  scoresOf?: (addresses: string[]) => Promise<Map<string, StakeholderScore>>
  /** Finds pools created before the index. Without it they are unknown. */
  findPools?: FindPools | undefined
}

/** Locks when no holder of liquidity is known. */
const NOBODY: LockFacts = { share: undefined, undated: 0, free: 0n, holders: [], locked: [], evidence: [] }

const topicAddress = (topic: string | undefined) => (topic ? addressOf(BigInt(topic)) : '')
const receivers = (logs: ChainLog[]): string[] =>
  [...new Set([...logs].reverse().map((log) => topicAddress(log.topics[2])))].filter(
    (who) => who !== '' && BigInt(who) > 0xffffn,
  )

/** The tables have no tick spacing, so it is found by comparing the key's hash with the pool's id. */
const SPACINGS = [1, 10, 60, 200, 2, 20, 30, 50, 100]
type PoolRow = AnnouncedPool & { kind: string; hooks: string; announced: string }
const v4PoolOf = (row: PoolRow): V4Pool[] => {
  const fee = Number(row.fee)
  const key = { token0: row.token0 || ZERO, token1: row.token1, fee, hooks: row.hooks || ZERO }
  const tickSpacing = [...SPACINGS, Math.max(1, Math.round(fee / 50))].find(
    (spacing) => v4PoolId({ ...key, tickSpacing: spacing }) === row.pool,
  )
  return tickSpacing === undefined ? [] : [{ id: row.pool, ...key, tickSpacing, announced: row.announced }]
}
const v4PoolOfLog = (log: ChainLog): V4Pool => ({
  id: log.topics[1] ?? '',
  token0: topicAddress(log.topics[2]),
  token1: topicAddress(log.topics[3]),
  fee: Number(wordAt(log.data, 0) ?? 0n),
  tickSpacing: Number(BigInt.asIntN(24, wordAt(log.data, 1) ?? 0n)),
  hooks: addressOf(wordAt(log.data, 2) ?? 0n),
  announced: log.transactionHash,
})

/** `by`: the direct creator, a contract or account; `undefined` when unknown. */
type Creation = { creator: string; by?: string; time: number | undefined; direct: boolean; path: string[] }

const shownEvent = (
  { event, base, pool, provider, txHash, time }: ListedEvent,
  score: StakeholderScore | undefined,
): LiquidityEvent => ({
  eventType: event,
  amount: coins(base, pool.base.decimals),
  token: pool.base.symbol,
  tx_hash: txHash,
  from_address: provider,
  from_fraud_probability: score?.probability ?? 0,
  from_fraud_status: (score?.probability ?? 0) >= 0.5 ? 'Fraud' : 'Not Fraud',
  createdAt: new Date(time * 1_000).toISOString(),
})

/** Creates the stakeholder source of one network; call the result with the pinned reader. */
export const createStakeholders =
  ({ network, store, scoresOf, findPools }: StakeholderOptions) =>
  (chain: ChainReader, registry: ContractRegistry): StakeholderSource => {
    const creations = new Map<string, Promise<Creation>>()

    const fromTables = async (contract: string): Promise<Creation | undefined> => {
      const rows = await store?.query<{ root_creator: string; creator: string; time: number }>(
        CREATION,
        { network, contract },
        { route: 'contract_creation' },
      )
      const row = rows?.[0]
      if (!row) return undefined
      const direct = row.creator === row.root_creator || registry.publicFactories.includes(row.creator)
      return {
        creator: row.root_creator,
        by: row.creator,
        time: Number(row.time),
        direct,
        path: direct ? [] : [`${row.root_creator} through ${row.creator}`],
      }
    }
    /**
     * Without tables: the sender of the transaction with the first mint or first owner, if that transaction created a
     * contract.
     */
    const fromLogs = async (contract: string): Promise<Creation> => {
      const fromBlock = Math.max(0, chain.height - LOG_BLOCKS)
      const logs = (await chain.logs({ address: contract, topics: [[OWNERSHIP, TRANSFER]], fromBlock })) ?? []
      const first = logs.find((log) => BigInt(log.topics[1] ?? '0x1') === 0n)
      if (!first) return { creator: '', time: undefined, direct: true, path: [] }
      const [sent, time] = await Promise.all([
        chain.transaction(first.transactionHash),
        chain.blockTime(Number(first.blockNumber)),
      ])
      const created = sent?.to === null
      return {
        creator: created ? sent.from : '',
        ...(created && { by: sent.from }),
        time: created ? time : undefined,
        direct: true,
        path: [],
      }
    }
    const creationOf = (contract: string): Promise<Creation> => {
      const known = creations.get(contract) ?? fromTables(contract).then((found) => found ?? fromLogs(contract))
      creations.set(contract, known)
      return known
    }

    const buyersFromLogs = async (token: string): Promise<string[]> => {
      const logs = await chain.logs({
        address: token,
        topics: [TRANSFER],
        fromBlock: Math.max(0, chain.height - 2_000),
      })
      const moved = (logs ?? []).filter((log) => log.topics.length === 3).slice(-400)
      // Buyers are those who received tokens from a contract, the pool.
      const givers = [...new Set(moved.map((log) => topicAddress(log.topics[1])))]
        .filter((who) => who !== token)
        .slice(0, 60)
      const givenBy = await Promise.all(givers.map((who) => chain.code(who)))
      const contracts = new Set(givers.filter((_, i) => (givenBy[i]?.length ?? 0) > 2))
      return receivers(moved.filter((log) => contracts.has(topicAddress(log.topics[1])))).slice(0, 30)
    }

    /** Without tables: pools from the manager's recent logs. */
    const v4PoolsFromLogs = async (token: string): Promise<V4Pool[]> => {
      const manager = registry.exchanges.find((exchange) => exchange.kind === 'v4')?.manager
      if (!manager) return []
      const topic = `0x${token.slice(2).padStart(64, '0')}`
      const fromBlock = Math.max(0, chain.height - LOG_BLOCKS)
      const { topic: initialize } = EVENTS.v4Initialize
      const found = await Promise.all(
        [
          [initialize, null, topic],
          [initialize, null, null, topic],
        ].map((topics) => chain.logs({ address: manager, topics, fromBlock })),
      )
      return found.flatMap((logs) => (logs ?? []).slice(-MAX_POOLS).map(v4PoolOfLog))
    }

    const providersOf = async (
      examination: TokenContext,
      rows: LiquidityRow[],
      { free, holders: holding, share: kept = 0 }: LockFacts,
    ): Promise<{ address: string; share: number }[]> => {
      const { market } = examination
      const shares = market && sharesOf(market)
      if (shares === undefined || free === 0n) {
        const added = new Map<string, bigint>()
        for (const row of rows)
          added.set(row.provider, (added.get(row.provider) ?? 0n) + (row.event === 'add' ? row.base : -row.base))
        const total = [...added.values()].reduce((sum, value) => (value > 0n ? sum + value : sum), 0n)
        // Liquidity without a known NFT holder is divided among those who added liquidity.
        const rest = holding.length > 0 ? holding.reduce((left, { share }) => left - share, 1 - kept) : 1
        const shares = new Map(holding.map(({ address, share }) => [address, share]))
        for (const [address, value] of rest > PROVIDER_SHARE ? added : []) {
          const share = value > 0n ? rest * (Number((value * 10_000n) / total) / 10_000) : 0
          if (share > 0) shares.set(address, (shares.get(address) ?? 0) + share)
        }
        return [...shares].map(([address, share]) => ({ address, share })).sort((a, b) => b.share - a.share)
      }
      const holders =
        (await store?.query<{ address: string }>(
          HOLDERS,
          { network, asset: shares, limit: 20 },
          { route: 'contract_holders' },
        )) ?? []
      const gauges = await gaugesOf(chain, registry, shares)
      const accounts = [...new Set([...holders.map((row) => row.address), ...rows.map((row) => row.provider)])]
        .filter((who) => who !== ZERO && !gauges.includes(who))
        .filter((who) => !registry.lockers.some((locker) => locker.address === who))
        .slice(0, 30)
      // Liquidity staked in a gauge belongs to its depositor; gauges answer `balanceOf` like tokens.
      const places = await Promise.all([shares, ...gauges].map((place) => balancesOf(chain, place, accounts)))
      const heldBy = (i: number) => places.reduce((sum, held) => sum + (held[i] ?? 0n), 0n)
      return accounts
        .map((address, i) => ({ address, share: Number((heldBy(i) * 10_000n) / free) / 10_000 }))
        .filter((provider) => provider.share > PROVIDER_SHARE)
        .sort((a, b) => b.share - a.share)
    }

    const locksOf = async (
      { subject, market, creator }: TokenContext,
      made: Promise<Creation>,
      listed: Promise<LiquidityRow[] | undefined>,
    ): Promise<LockFacts | undefined> => {
      const accounts = async () => {
        const givers = ((await listed) ?? []).map((row) => row.provider)
        const all = [creator, (await made).creator, subject.owner.address, ...givers]
        return [...new Set(all)].filter((who) => who !== '').slice(0, MAX_LOCK_ACCOUNTS)
      }
      if (!market) return undefined
      if (market.kind === 'infinity-bin') return readBinLocks(chain, registry, market, accounts)
      if (market.kind !== 'v3' && market.kind !== 'v4' && market.kind !== 'infinity-cl') {
        const shares = sharesOf(market)
        return shares === undefined ? undefined : readTokenLocks(chain, registry, shares, accounts)
      }
      const known = await store?.query<{ tx_hash: string }>(
        ADDED,
        { network, pool: market.id },
        { route: 'contract_positions' },
      )
      const rows = (await listed) ?? []
      const added = [
        ...(known ?? []).map((row) => row.tx_hash),
        ...rows.filter((row) => row.event === 'add').map((row) => row.txHash),
      ].slice(0, MAX_RECEIPTS)
      return readPositionLocks(chain, registry, subject.token, market, added, accounts)
    }

    return {
      creatorOf: async (token) => (await creationOf(token)).creator,
      holdersOf: async (token) => {
        const rows = await store?.query<{ address: string }>(
          HOLDERS,
          { network, asset: token, limit: 60 },
          { route: 'contract_holders' },
        )
        const accounts = rows && rows.length > 0 ? rows.map((row) => row.address) : await buyersFromLogs(token)
        const codes = await Promise.all(accounts.map((who) => chain.code(who)))
        const plain = accounts.filter((_, i) => (codes[i]?.length ?? 0) <= 2)
        const held = await balancesOf(chain, token, plain)
        return plain.filter((_, i) => (held[i] ?? 0n) > 0n)
      },
      poolsOf: async (token): Promise<KnownPools> => {
        const missing = store && (await poolsMissing(store, network, token, findPools))
        const asked = { network, token, factories: registry.exchanges.map(announcerOf) }
        const ask = async (text: string, params: object): Promise<PoolRow[]> =>
          (await store?.query<PoolRow>(text, { ...asked, ...params }, { route: 'contract_pools' })) ?? []
        const few = await ask(POOLS, { limit: 2 })
        // Most tokens have one pool. Ranking by trade is three quarters of the query, so it is only done for several
        // pools.
        const ranked = { limit: MAX_POOLS, assets: [...registry.assets.keys()] }
        const rows = few.length > 1 ? await ask(POOLS_BY_TRADE, ranked) : few
        const v4 = rows.filter(({ kind }) => kind === 'v4').flatMap(v4PoolOf)
        return {
          missing,
          v4: v4.length > 0 ? v4 : await v4PoolsFromLogs(token),
          contracts: rows.filter(({ kind }) => kind !== 'v4').map((row) => ({ ...row, fee: Number(row.fee) })),
        }
      },
      membersOf: async (contract) => {
        const rows = await store?.query<{ address: string }>(
          MEMBERS,
          { network, contract, limit: MAX_MEMBERS },
          { route: 'contract_members' },
        )
        return (rows ?? []).map(({ address }) => address)
      },
      isRenounced: async (contract) => {
        const rows = await store?.query<{ given_up: number }>(
          RENOUNCED,
          { network, contract, nobody: ZERO },
          { route: 'contract_given_up' },
        )
        if (rows?.[0]?.given_up) return true
        const fromBlock = Math.max(0, chain.height - LOG_BLOCKS)
        const nobody = `0x${'0'.repeat(64)}`
        const logs = await chain.logs({ address: contract, topics: [OWNERSHIP, null, nobody], fromBlock })
        return (logs ?? []).some(({ topics }) => topics[1] !== nobody)
      },
      describe: async (examination): Promise<Stakeholders> => {
        const { subject, market } = examination
        const missing = missingHistory(store, network, subject.token)
        const creationRead = creationOf(subject.token)
        const eventsRead = readEvents({ chain, store, network, known: examination, missing })
        const marketEvents = eventsRead.then(({ market }) => market)
        const [creation, { listed, listing }, rows, locks] = await Promise.all([
          creationRead,
          eventsRead,
          marketEvents,
          locksOf(examination, creationRead, marketEvents),
        ])
        const creator = examination.creator || creation.creator
        const recent = readRecentSales({
          store,
          network,
          token: subject.token,
          markets: examination.markets,
          height: chain.height,
          insiders: [creator, subject.owner.address].filter((who) => who !== ''),
        })
        // Awaited later, after other requests that may fail first.
        recent.catch(() => undefined)
        const events = rows ?? []
        const roles = { chain, registry, known: examination, creator }
        const [{ insiders, held }, providers, earlier] = await Promise.all([
          readInsiders(roles),
          providersOf(examination, events, locks ?? NOBODY),
          creator === ''
            ? undefined
            : store?.query<{ network: string; contract: string; honeypot: number; dead: number }>(
                EARLIER,
                { creator, contract: subject.token },
                { route: 'contract_earlier' },
              ),
        ])
        const accounts = [
          ...new Set([creator, ...providers.map((provider) => provider.address), ...listed.map((row) => row.provider)]),
        ].filter((who) => who !== '')
        const scores = (await scoresOf?.(accounts)) ?? new Map<string, StakeholderScore>()
        const creatorSupply = subject.supply > 0n ? Number((held * 10_000n) / subject.supply) / 10_000 : 0
        const [{ withdrawn, sold }, early, { holders, emptied }, liquidityHolders] = await Promise.all([
          findExits({
            chain,
            registry,
            store,
            network,
            known: examination,
            creator,
            createdAt: creation.time,
            listed,
          }),
          readEarlyMarket({
            store,
            network,
            token: subject.token,
            market,
            now: chain.time,
            creator,
            providers,
            lockedShare: locks?.share,
            creatorSupply,
          }),
          readHolders({ ...roles, store, network, missing: await missing }),
          readLiquidityHolders({ ...roles, locks, providers }),
        ])
        const honeypots = (earlier ?? []).filter((row) => Number(row.honeypot) === 1)
        return {
          creator,
          createdAt: creation.time === undefined ? null : new Date(creation.time * 1_000).toISOString(),
          creatorScore: scores.get(creator),
          creatorPercent: 100 * creatorSupply,
          obfuscatedDeployment: !creation.direct,
          deploymentPath: creation.path,
          honeypotsBefore: earlier && honeypots.length,
          honeypotEvidence: honeypots.slice(0, 5).map((row) => `${row.network} ${row.contract}`),
          deadTokensBefore: (earlier ?? []).filter((row) => Number(row.dead) === 1).length,
          providers: providers.map((provider) => ({ ...provider, score: scores.get(provider.address) })),
          ...lockedOf(locks),
          lockEvidence: locks?.evidence ?? [],
          withdrawn,
          sold,
          events: listed.map((event) => shownEvent(event, scores.get(event.provider))),
          listing,
          early,
          holders,
          emptied,
          recentSales: await recent,
          liquidityHolders,
          insiders,
          launchpad:
            creation.by === undefined
              ? { name: null, why: 'the contract that created the token is not known' }
              : { name: registry.launchpads.get(creation.by) ?? null, why: null },
        }
      },
    }
  }
