/** Features of wallets outside the batch, for detectors that follow funds from wallet to wallet. */
import { loadWallets, type WalletFeatures } from '../../ledger/features/wallet.ts'
import { inPieces, type LoadContext } from '../context.ts'

/** Loads features of addresses. Returns everything loaded so far, including the batch. */
export type LoadCounterparties = (addresses: Iterable<string>) => Promise<ReadonlyMap<string, WalletFeatures>>

/** Creates a loader that reads each wallet once and never reads those of the batch. */
export const counterpartyLoader = ({ store, network, tiers: { anyHot }, wallets }: LoadContext): LoadCounterparties => {
  const met = new Map(wallets)
  const asked = new Set(wallets.keys())
  return async (addresses) => {
    const strangers = [...new Set(addresses)].filter((address) => !asked.has(address))
    for (const address of strangers) asked.add(address)
    const found = await inPieces(strangers, async (piece) => [
      ...(await loadWallets(store, network, piece, { anyHot, hot: new Set(anyHot ? piece : []) })),
    ])
    for (const [address, wallet] of found) met.set(address, wallet)
    return met
  }
}
