/** What every detector is given, and how it picks the wallets it has to look at. */
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import type { WalletFeatures } from '../../features/wallet.ts'

export type LoadContext = {
  store: Store
  network: Network
  wallets: ReadonlyMap<string, WalletFeatures>
  /** Time of the newest block, Unix seconds: the only "now" detectors know. */
  now: number
}

/** Addresses of wallets that a condition holds for. */
export const those = (context: LoadContext, holds: (wallet: WalletFeatures) => boolean): string[] =>
  [...context.wallets].filter(([, wallet]) => holds(wallet)).map(([address]) => address)
