/** A wallet's own use of mixers, and how much of its value went through them. */
import { readSql } from '../../../../platform/store/sql.ts'
import { MIXER_POOLS } from '../../../../schema/registry/contracts.ts'
import { loadPastMixing } from '../../../ledger/authorities/mixing.ts'
import { type LoadContext, walletsWhere } from '../../context.ts'
import { usdThresholds } from '../../shared/usd-thresholds.ts'

const MIXING = readSql(import.meta.url, '../../shared/sql/mixer-transfers.sql')
const ASSET_FLOW = readSql(import.meta.url, './asset-flow.sql')

/** A share of one asset counts when at least this part of the wallet's movements are in that asset (or it is the coin). */
const MAIN_ASSET_SHARE = 0.25

/**
 * Mixer flow that is less than this of everything with a price is a trifle, however large a part of its asset: a fifth of the
 * share that makes a habit, as whoever swaps what it mixes moves it twice, and low fixed prices may halve it. Our choice.
 */
const TRIFLE_SHARE = 0.05

/** A deposit or withdrawal; `own` where the wallet signed it. `time` in Unix seconds. */
type MixerMove = {
  pool: string
  event: 'mixer_deposit' | 'mixer_withdraw'
  own: boolean
  tx_hash: string
  time: number
}

/** A wallet's dealings with mixers, from which both detectors of their use judge, and the model its term about them. */
export type Mixing = {
  moves: MixerMove[]
  /** Deposits and withdrawals the wallet signed for itself. */
  own: number
  /** Share of the wallet's flow in the mixed asset that is mixer flow, or in everything with a price where that is a trifle; 0 to 1, `null` when amounts are not known. */
  share: number | null
  /** What the moves carried, by asset, where the pools take one amount only; base units. */
  mixed: { asset: string; amount: bigint }[]
  /** Some of the moves are from before the first covered block, of which the rest of the flow is not known. */
  before: boolean
}

type Move = {
  address: string
  pool: string
  event: MixerMove['event']
  own: 0 | 1
  position: string
  tx_hash: string
  time: number
}
/** `moved` in base units. */
type Flow = { address: string; asset: string; moved: string; movements: number }

/**
 * Mixing of those of the batch that had any, logs from before the first covered block included. Withdrawals to a wallet
 * that sent nothing afterwards are left out: anybody can have them sent to it.
 */
export const loadMixing = async (context: LoadContext): Promise<Map<string, Mixing>> => {
  const { store, network, wallets, late } = context
  const past = await loadPastMixing(store, network, [...wallets.keys()], await late)
  const before = new Set(past.map(({ address }) => address))
  const streamed = walletsWhere(context, (wallet) => wallet.mixer_deposits + wallet.mixer_withdrawals > 0)
  const addresses = [...new Set([...streamed, ...before])]
  if (addresses.length === 0) return new Map()
  const pools = MIXER_POOLS[network]
  const dollar = usdThresholds(network, 1)
  const usd = (asset: string, amount: bigint) => Number(amount) / (dollar.get(asset) ?? Number.POSITIVE_INFINITY)
  const assets = [...new Set([...[...pools.values()].map((pool) => pool.asset), ...dollar.keys()])]
  const [later, flows] = await Promise.all([
    store.query<Move>(MIXING, { network, addresses }, { route: 'mixing' }),
    store.query<Flow>(ASSET_FLOW, { network, addresses, assets }, { route: 'asset_flow' }),
  ])
  const moves = [...past.map((move) => ({ ...move, early: true })), ...later.map((move) => ({ ...move, early: false }))]
  const found = new Map<string, Mixing>()
  for (const address of addresses) {
    const wallet = wallets.get(address)
    const lastSent = BigInt(wallet?.sent_last_position ?? 0)
    // Withdrawals to an address that sent nothing afterwards may be dust sent to harm it. What it sent before the first covered
    // block is not seen.
    const mine = moves.filter(
      ({ address: whose, event, own, early, position }) =>
        whose === address && (event === 'mixer_deposit' || lastSent > BigInt(position) || (early && own === 1)),
    )
    if (mine.length === 0) continue
    const all =
      (wallet?.native_in_count ?? 0) +
      (wallet?.native_out_count ?? 0) +
      (wallet?.token_in_count ?? 0) +
      (wallet?.token_out_count ?? 0)
    const own = flows
      .filter((flow) => flow.address === address)
      .map((flow) => ({ ...flow, moved: BigInt(flow.moved) }))
      .filter(({ moved }) => moved > 0n)
    const mixed = new Map<string, bigint>()
    for (const { pool } of mine) {
      const entry = pools.get(pool)
      if (entry) mixed.set(entry.asset, (mixed.get(entry.asset) ?? 0n) + BigInt(entry.denomination))
    }
    // Of everything with a price: who lives on dollar coins may move few coins of the network, and mix two of them.
    const moved = own.reduce((sum, flow) => sum + usd(flow.asset, flow.moved), 0)
    const mixedUsd = [...mixed].reduce((sum, [asset, amount]) => sum + usd(asset, amount), 0)
    const part = moved > 0 && mixedUsd > 0 ? mixedUsd / moved : 1
    const most = part < TRIFLE_SHARE ? part : 1
    const shares = own
      .filter((flow) => flow.asset === '' || flow.movements >= MAIN_ASSET_SHARE * all)
      .map(({ asset, moved }) => Math.min(1, most, Number(mixed.get(asset) ?? 0n) / Number(moved)))
    found.set(address, {
      moves: mine.map(({ pool, event, own, tx_hash, time }) => ({ pool, event, own: own === 1, tx_hash, time })),
      own: mine.filter((move) => move.own === 1).length,
      share: shares.length === 0 || before.has(address) ? null : Math.max(...shares),
      mixed: [...mixed].map(([asset, amount]) => ({ asset, amount })),
      before: before.has(address),
    })
  }
  return found
}
