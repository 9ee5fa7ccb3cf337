/** Movements of a transaction: coins, jettons, items. A message that bounced moved nothing. */
import { LOG_EVENT_BASE } from '../../../../schema/block.ts'
import { type Cursor, move, NO_TOKEN_ID } from '../../evm/decode/cursor.ts'
import { acceptedMessageOf, burnOf, internalTransferOf, nftTransferOf } from '../bodies.ts'
import type { Contracts, PlacedTransaction } from '../raw.ts'

/** Rows of jettons and items are numbered like contract events on other networks. */
const TOKEN_EVENT = LOG_EVENT_BASE

/** Coins arrive with a message, whether or not the receiver handled it, unless they were sent back. */
export const moveCoins = (at: Cursor, { message, outcome, address }: PlacedTransaction): void => {
  if (message?.kind !== 'internal' || message.bounced || outcome.bounced || outcome.result === 'unknown') return
  if (message.value === 0n) return
  move(at, at.positions(0), 'native', message.source, address, '', NO_TOKEN_ID, message.value.toString())
}

/**
 * Jettons arrive in a wallet confirmed by its master, from another wallet or from the master, which mints. The sender is what
 * the wallet's code states; for known jettons this counts as the owner's own act.
 */
const receiveJettons = (
  at: Cursor,
  { address }: PlacedTransaction,
  contracts: Contracts,
  source: string,
  from: string,
  amount: bigint,
) => {
  const wallet = contracts.wallets.get(address)
  if (!wallet) return
  const giver = source === wallet.master ? '' : from
  const known = at.registry.assets.has(wallet.master)
  at.sender = known && giver !== '' ? giver : source
  move(at, at.positions(TOKEN_EVENT), 'fungible', giver, wallet.owner, wallet.master, NO_TOKEN_ID, amount.toString())
}

/** A burn counts if the burning contract is this master's wallet of the named owner. */
const burn = (
  at: Cursor,
  { address }: PlacedTransaction,
  contracts: Contracts,
  source: string,
  owner: string,
  amount: bigint,
) => {
  const wallet = contracts.wallets.get(source)
  if (wallet?.master !== address || wallet.owner !== owner) return
  at.sender = at.registry.assets.has(address) ? owner : source
  move(at, at.positions(TOKEN_EVENT), 'fungible', owner, '', address, NO_TOKEN_ID, amount.toString())
}

/** Writes movements of jettons and items. An item's owner is the sender of the message, so nobody can act for another. */
export const moveTokens = (at: Cursor, transaction: PlacedTransaction, contracts: Contracts): void => {
  const message = acceptedMessageOf(transaction)
  if (!message) return
  const { source, body } = message
  const arrived = internalTransferOf(body)
  if (arrived) receiveJettons(at, transaction, contracts, source, arrived.party, arrived.amount)
  const burnt = burnOf(body)
  if (burnt) burn(at, transaction, contracts, source, burnt.party, burnt.amount)
  const item = contracts.items.get(transaction.address)
  const given = item && nftTransferOf(body)
  if (given) move(at, at.positions(TOKEN_EVENT), 'nft', source, given.owner, item.collection, item.index, '1')
}
