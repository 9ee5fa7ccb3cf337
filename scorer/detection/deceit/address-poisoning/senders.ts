/**
 * Signers of zero or dust movements between two others, and whether they acted on their own account. A bundler or facilitator signs
 * for anyone who pays for it or has signed before, a searcher triggers whatever the tokens do that its contract buys, and a caller
 * of a token triggers whatever its maker programmed.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { SERVICES } from '../../../../schema/registry/contracts.ts'
import { type LoadContext, walletsWhere } from '../../context.ts'
import type { OwnContract } from '../../shared/contracts/own-contracts.ts'
import { dustOf } from '../../shared/dust.ts'
import { type Call, loadCalls } from '../../shared/outflows/outflows.ts'
import { DUST_SHARE, type Found, fullOf, MAX_MOVES, type Sent, type Suspected } from './suspicion.ts'

const CARRIES = readSql(import.meta.url, './sql/carried-transfers.sql')

/** Minimum number of transactions of a sender who calls contracts of others. Our choice. */
const MIN_CARRIES = 3
/** `transferFrom(address,address,uint256)`: its caller names both sides. Movements by signature are the signer's will. */
const TRANSFER_FROM = '0x23b872dd'

type Carry = { address: string; giver: string; taker: string } & Sent
/** Examined transactions with such movements, by suspect. */
export type Carried = ReadonlyMap<string, ReadonlySet<string>>

/** Movements between others in the suspects' own transactions. */
export const senderSuspicions = async (
  context: LoadContext,
  dust: ReadonlyMap<string, bigint>,
): Promise<Suspected & { carried: Carried }> => {
  const { store, network } = context
  const carried = new Map<string, Set<string>>()
  const addresses = walletsWhere(context, (wallet) => wallet.third_party_dust > 0)
  if (addresses.length === 0) return { suspicions: [], overlooked: [], carried }
  const carries = await store.query<Carry>(
    CARRIES,
    { network, addresses, limit: MAX_MOVES },
    { route: 'poison_carries' },
  )
  for (const { address, tx_hash } of carries)
    carried.set(address, (carried.get(address) ?? new Set<string>()).add(tx_hash))
  const suspicions = carries.flatMap(
    ({ address: suspect, giver, taker, asset, amount, tx_hash: transaction, time }) => {
      const zero = amount === '0'
      if (!zero && BigInt(amount) > (dust.get(asset) ?? 0n)) return []
      const common = { suspect, role: 'sender' as const, mode: zero ? ('zero' as const) : ('dust' as const) }
      const seen = { asset, amount, transaction, time }
      return [
        { ...common, lookalike: giver, victim: taker, ...seen },
        ...(zero ? [{ ...common, lookalike: taker, victim: giver, ...seen }] : []),
      ]
    },
  )
  return { suspicions, overlooked: fullOf(carries, MAX_MOVES), carried }
}

/**
 * Senders on their own account: they called the token to move it, or their own contract, or did so repeatedly; in the last two cases for a
 * good part of what they sign. `unsure`: those for whom it is only a small part.
 */
export const classifySenders = async (
  context: LoadContext,
  own: readonly OwnContract[],
  pairs: readonly Found[],
  carried: Carried,
): Promise<{ willing: ReadonlySet<string>; unsure: ReadonlySet<string> }> => {
  const { network, wallets } = context
  const dust = dustOf(network)
  const sent = pairs.flatMap(
    ({ suspicion: { role, suspect: initiator }, pair: { transaction: tx_hash, time, asset } }) =>
      role === 'sender' ? [{ initiator, tx_hash, time, asset }] : [],
  )
  const calls = sent.length === 0 ? new Map<string, Call>() : await loadCalls(context, sent)
  const made = new Set(own.map(({ address, contract }) => `${address} ${contract}`))
  const [direct, viaOwnContract] = [new Set<string>(), new Set<string>()]
  const transactionsOf = new Map<string, Set<string>>()
  for (const { initiator, tx_hash, asset } of sent) {
    const { receiver = '', selector = '' } = calls.get(tx_hash) ?? {}
    const namesBothSides = receiver === asset && selector === TRANSFER_FROM
    // What an unknown token reports is its maker's word, unless the call names both sides.
    const onlyReported = !dust.has(asset) && !namesBothSides
    if (onlyReported || SERVICES[network].get(receiver)?.kind === 'entry-point') continue
    transactionsOf.set(initiator, (transactionsOf.get(initiator) ?? new Set<string>()).add(tx_hash))
    if (namesBothSides) direct.add(initiator)
    if (made.has(`${initiator} ${receiver}`)) viaOwnContract.add(initiator)
  }
  /** Whether poisoning is a good part of what the wallet signs and carries. If not all it carries was examined, all is counted. */
  const isMuch = (address: string): boolean => {
    const guilty = transactionsOf.get(address)?.size ?? 0
    const examined = carried.get(address)?.size ?? 0
    const { sent: signed = 0, third_party_dust: all = 0 } = wallets.get(address) ?? {}
    return guilty >= DUST_SHARE * examined && Math.max(guilty, all > MAX_MOVES ? all : 0) >= DUST_SHARE * signed
  }
  const suspects = [...transactionsOf.keys()].filter(
    (address) =>
      direct.has(address) || viaOwnContract.has(address) || (transactionsOf.get(address)?.size ?? 0) >= MIN_CARRIES,
  )
  const willing = new Set(suspects.filter((address) => direct.has(address) || isMuch(address)))
  return { willing, unsure: new Set(suspects.filter((address) => !willing.has(address))) }
}
