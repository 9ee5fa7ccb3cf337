/** Features of wallets outside the batch that a detector comes upon while it follows one wallet to the next. */
import { loadWallets, type WalletFeatures } from '../../ledger/features/wallet.ts'
import { inPieces, type LoadContext } from '../context.ts'

/** Loads features of addresses; answers with everything loaded so far, the batch included. */
export type LoadCounterparties = (addresses: Iterable<string>) => Promise<ReadonlyMap<string, WalletFeatures>>

/** Loads each wallet once, those of the batch never. */
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
