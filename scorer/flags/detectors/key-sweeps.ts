/**
 * Key-compromise sweeps: several unrelated accounts, in transactions they signed, give all they have to one address that
 * just sent them the gas for it, within minutes (semantics row 13). Exchanges and payment gateways collect from deposit
 * addresses in the same way, and people from their own old wallets. What chain data can tell apart: the victims led lives
 * of their own (lives.ts), nothing links them, and none was funded by another, by the sweeper, or by the same party.
 * A custodian that moves its users' used wallets would look the same; see docs/flags.md.
 */
import { readSql } from '../../../platform/store/sql.ts'
import { ASSETS } from '../../../schema/registry/assets.ts'
import { readTiers } from '../../features/tiers.ts'
import { isContract, type WalletFeatures } from '../../features/wallet.ts'
import { type LoadContext, those } from './context.ts'
import { independent } from './lives.ts'

const AFFAIRS = readSql(import.meta.url, '../sql/short-affairs.sql')
const EMPTIED = readSql(import.meta.url, '../sql/emptied.sql')
const FUNDERS = readSql(import.meta.url, '../sql/funders.sql')

/** Unrelated accounts (semantics row 13). */
export const MIN_EMPTIED = 5
/** Part of each asset that went (semantics row 13: 95 %). */
const EMPTIED_SHARE = 0.95
/** From the first to the last account emptied, s: "within minutes". */
const WITHIN_S = 30 * 60
/** From the gas to the sweep at most, s. */
const AFFAIR_S = 3_600
/** Accounts younger than this when the gas came had no life to speak of, s. */
const LIFE_S = 7 * 86_400
/** A funder of more parties than this is an exchange or a bridge: being funded by it links nobody. Our choice. */
const HUB_PAYEES = 500
/** Wallets that deal with more parties than this are services. */
const MOST_PARTIES = 5_000

export type KeySweep = {
  accounts: { account: string; gasAt: number; emptiedAt: number; assets: string[]; transactions: string[] }[]
}

type Affair = { sink: string; account: string; first_seen: number; last_seen: number }
type Emptied = {
  account: string
  asset: string
  given: number
  lent: number
  left_over: number
  transactions: string[]
}

const mayCollect = (wallet: WalletFeatures): boolean =>
  !isContract(wallet) &&
  wallet.sent - wallet.sent_zero >= MIN_EMPTIED &&
  wallet.native_out_count >= MIN_EMPTIED &&
  wallet.in_counterparties >= MIN_EMPTIED &&
  wallet.out_counterparties >= MIN_EMPTIED &&
  wallet.in_counterparties <= MOST_PARTIES &&
  wallet.out_counterparties <= MOST_PARTIES

/** Largest run of affairs whose ends lie within WITHIN_S of each other. Affairs are in the order of their ends. */
const together = (affairs: readonly Affair[]): Affair[] => {
  let best: Affair[] = []
  for (const [index, first] of affairs.entries()) {
    const run = affairs.slice(index).filter(({ last_seen }) => last_seen <= first.last_seen + WITHIN_S)
    if (run.length > best.length) best = run
  }
  return best
}

/** Gas may be left over from what the sink lent; of everything else nearly all has to be gone. */
const isEmptied = (rows: readonly Emptied[], fees: number): boolean =>
  rows.some(({ asset, given, lent }) => given > (asset === '' ? lent : 0)) &&
  rows.every(({ asset, given, lent, left_over }) => {
    const left = asset === '' ? Math.max(0, left_over - fees) : left_over
    return left - lent <= (1 - EMPTIED_SHARE) * (given + left)
  })

type Account = { address: string; funder: string; fees: number; first_seen: number | null; payees: number }

/** Affairs with accounts that nothing links to each other or to the sink, and what those paid in fees. */
const unrelated = async (
  context: LoadContext,
  sink: string,
  run: readonly Affair[],
): Promise<(Affair & { fees: number })[]> => {
  const group = new Map(run.map(({ account, first_seen }) => [account, first_seen]))
  const [lives, accounts] = await Promise.all([
    independent(context, group, sink),
    context.store.query<Account>(
      FUNDERS,
      { network: context.network, addresses: [...group.keys()] },
      { route: 'funders' },
    ),
  ])
  const known = new Map(accounts.map((row) => [row.address, row]))
  const funded = new Map<string, number>()
  for (const { funder } of accounts) funded.set(funder, (funded.get(funder) ?? 0) + 1)
  return run.flatMap((affair) => {
    const row = known.get(affair.account)
    if (!row || !lives.has(affair.account)) return []
    if (affair.first_seen - (row.first_seen ?? affair.first_seen) < LIFE_S) return []
    const alone = funded.get(row.funder) === 1 || row.payees > HUB_PAYEES
    return row.funder !== '' && row.funder !== sink && !group.has(row.funder) && alone
      ? [{ ...affair, fees: row.fees }]
      : []
  })
}

export const loadKeySweeps = async (context: LoadContext): Promise<Map<string, KeySweep>> => {
  const { store, network } = context
  const found = new Map<string, KeySweep>()
  const addresses = those(context, mayCollect)
  if (addresses.length === 0) return found
  const tables = { final: 'wallet_edges', all: 'wallet_edges_all' } as const
  const rows = await readTiers(context.tiers, addresses, tables, (edges, addresses) =>
    store.query<Affair>(AFFAIRS, { edges, network, addresses, within: AFFAIR_S }, { route: 'short_affairs' }),
  )
  const bySink = new Map<string, Affair[]>()
  for (const row of rows) bySink.set(row.sink, [...(bySink.get(row.sink) ?? []), row])
  const runs = [...bySink].map(([sink, affairs]) => ({ sink, run: together(affairs) }))
  const candidates = await Promise.all(
    runs
      .filter(({ run }) => run.length >= MIN_EMPTIED)
      .map(async ({ sink, run }) => ({ sink, run: await unrelated(context, sink, run) })),
  )
  const grave = candidates.filter(({ run }) => run.length >= MIN_EMPTIED)
  if (grave.length === 0) return found
  const all = grave.flatMap(({ run }) => run)
  const emptied = await store.query<Emptied>(
    EMPTIED,
    {
      network,
      accounts: all.map(({ account }) => account),
      sinks: all.map(({ sink }) => sink),
      until: all.map(({ last_seen }) => last_seen),
      assets: ['', ...ASSETS[network].keys()],
    },
    { route: 'emptied' },
  )
  for (const { sink, run } of grave) {
    const accounts = run.flatMap(({ account, first_seen, last_seen, fees }) => {
      const of = emptied.filter((row) => row.account === account)
      if (!isEmptied(of, fees)) return []
      return [
        {
          account,
          gasAt: first_seen,
          emptiedAt: last_seen,
          assets: of.filter(({ given }) => given > 0).map(({ asset }) => asset),
          transactions: [...new Set(of.flatMap(({ transactions }) => transactions))].sort(),
        },
      ]
    })
    if (accounts.length >= MIN_EMPTIED) found.set(sink, { accounts })
  }
  return found
}
