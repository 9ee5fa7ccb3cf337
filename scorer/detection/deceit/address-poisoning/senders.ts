/**
 * Who signs movements of nothing or of dust between two others, and by whose will. A bundler or a facilitator signs for everybody who
 * pays for it or has signed before, a searcher for whatever the tokens do that its contract buys, and whoever calls a token for what its
 * maker wrote into it.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { SERVICES } from '../../../../schema/registry/contracts.ts'
import { type LoadContext, walletsWhere } from '../../context.ts'
import type { OwnContract } from '../../shared/contracts/own-contracts.ts'
import { dustOf } from '../../shared/dust.ts'
import { type Call, loadCalls } from '../../shared/outflows/outflows.ts'
import { DUST_SHARE, type Found, fullOf, MAX_MOVES, type Sent, type Suspected } from './suspicion.ts'

const CARRIES = readSql(import.meta.url, './sql/carried-transfers.sql')

/** Transactions by which a sender is known who calls contracts of others. Our choice. */
const MIN_CARRIES = 3
/** `transferFrom(address,address,uint256)`: who calls it names both sides. What moves by a signature is its signer's will. */
const TRANSFER_FROM = '0x23b872dd'

type Carry = { address: string; giver: string; taker: string } & Sent
/** Of each suspect the transactions looked at that carry such movements. */
export type Carried = ReadonlyMap<string, ReadonlySet<string>>

/** Transfers that suspects carried in transactions of their own: who is named by them is suspected of sending poison. */
export const seenBySenders = async (
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
 * Senders by their own will: they called the token to move it, or a contract they made, or did so time and again; in the last two cases, for a good
 * part of what they sign. `unsure` are those who did so for a small part only.
 */
export const acting = async (
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
  const [direct, mine] = [new Set<string>(), new Set<string>()]
  const often = new Map<string, Set<string>>()
  for (const { initiator, tx_hash, asset } of sent) {
    const { receiver = '', selector = '' } = calls.get(tx_hash) ?? {}
    const names = receiver === asset && selector === TRANSFER_FROM
    // What a token states that nobody knows is its maker's word, unless the call names both sides.
    const word = !dust.has(asset) && !names
    if (word || SERVICES[network].get(receiver)?.kind === 'entry-point') continue
    often.set(initiator, (often.get(initiator) ?? new Set<string>()).add(tx_hash))
    if (names) direct.add(initiator)
    if (made.has(`${initiator} ${receiver}`)) mine.add(initiator)
  }
  /** Whether it is a part of what it signs and of what it carries. Where not all it carries was looked at, its movements are counted. */
  const isMuch = (address: string): boolean => {
    const guilty = often.get(address)?.size ?? 0
    const looked = carried.get(address)?.size ?? 0
    const { sent: signed = 0, third_party_dust: all = 0 } = wallets.get(address) ?? {}
    return guilty >= DUST_SHARE * looked && Math.max(guilty, all > MAX_MOVES ? all : 0) >= DUST_SHARE * signed
  }
  const suspects = [...often.keys()].filter(
    (address) => direct.has(address) || mine.has(address) || (often.get(address)?.size ?? 0) >= MIN_CARRIES,
  )
  const willing = new Set(suspects.filter((address) => direct.has(address) || isMuch(address)))
  return { willing, unsure: new Set(suspects.filter((address) => !willing.has(address))) }
}
