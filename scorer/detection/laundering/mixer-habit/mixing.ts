/** A wallet's own use of mixers, and the share of its value that went through them. */
import { readSql } from '../../../../platform/store/sql.ts'
import { MIXER_POOLS } from '../../../../schema/registry/contracts.ts'
import { loadPastMixing } from '../../../ledger/authorities/mixing.ts'
import { type LoadContext, walletsWhere } from '../../context.ts'
import { usdThresholds } from '../../shared/usd-thresholds.ts'

const MIXING = readSql(import.meta.url, '../../shared/sql/mixer-transfers.sql')
const ASSET_FLOW = readSql(import.meta.url, './asset-flow.sql')

/** The share of an asset counts if at least this share of the wallet's movements are in it (always for the native coin). */
const MAIN_ASSET_SHARE = 0.25

/**
 * Mixer flow below this share of all priced flow is a trifle, even if it is a large share of its asset. It is a fifth of the share that
 * makes a habit, because swapping mixed coins moves them twice, and low fixed prices may halve them. Our choice.
 */
const TRIFLE_SHARE = 0.05

/** A deposit or withdrawal; `own` if the wallet signed it. `time` in Unix seconds. */
type MixerMove = {
  pool: string
  event: 'mixer_deposit' | 'mixer_withdraw'
  own: boolean
  tx_hash: string
  time: number
}

/** A wallet's dealings with mixers. Both mixer detectors and a term of the model use it. */
export type Mixing = {
  moves: MixerMove[]
  /** Number of deposits and withdrawals that the wallet signed. */
  own: number
  /** Share of mixer flow in the flow of the mixed asset, or in all priced flow if it is a trifle there; 0 to 1, `null` if not known. */
  share: number | null
  /** Mixed amounts by asset, for pools with a fixed denomination; base units. */
  mixed: { asset: string; amount: bigint }[]
  /** Whether some moves are from before the first covered block, for which the other flow is not known. */
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
 * Loads mixer use by wallet, including logs from before the first covered block. Excludes withdrawals to a wallet that sent nothing
 * afterwards: anybody can direct a withdrawal to any address.
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
    // A withdrawal to an address that sent nothing afterwards may be sent to harm it. Acts before the first covered block are not
    // visible.
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
    // Of all priced flow: a wallet that lives on dollar coins may move few native coins and mix two of them.
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
