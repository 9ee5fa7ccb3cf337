/**
 * Transfers to other networks over registered bridges whose events name the other side. Both rows of a crossing have the
 * receiver as subject and the same `detail`. Events of other contracts are ignored, and so are crossings to networks that
 * Assay does not know.
 */
import {
  type Crossing,
  crossingKey,
  messengerOf,
  networkOfNumber,
} from '../../../../../schema/registry/message-bridges.ts'
import type { Cursor, LogReader } from '../cursor.ts'
import { addressAt, addressOfTopic, sizeAt, uintAt, WORD } from '../hex.ts'
import { writeAuthority } from './powers.ts'
import { word } from './transfers.ts'

/** Domain or chain id of a network; larger numbers belong to none. */
const smallTopic = (topic: string | undefined): number | undefined =>
  topic === undefined ? undefined : sizeAt(topic, 2)

/** @param far the network at the other end, by the bridge's own number */
const writeCrossing = (
  at: Cursor,
  position: string,
  address: string,
  event: 'bridge_out' | 'bridge_in',
  far: number | undefined,
  { bridge, id }: Pick<Crossing, 'bridge' | 'id'>,
  receiver: string,
  amount: string,
): true => {
  const other = far === undefined ? undefined : networkOfNumber(bridge, far)
  if (other === undefined) return true
  const [from, to] = event === 'bridge_out' ? [at.network, other] : [other, at.network]
  return writeAuthority(at, position, address, event, receiver, amount, crossingKey({ bridge, from, to, id }))
}

/** Whether a contract has a role in a bridge. */
const hasRole = (at: Cursor, address: string, bridge: Crossing['bridge'], role: string): boolean => {
  const known = at.registry.messageBridges.get(address)
  return known?.bridge === bridge && known.role === role
}

/** Tokens and receivers are words. A word that is no address belongs to another kind of network, and is ignored. */
const acrossId = (topic: string, token: string, amount: string): string => `${BigInt(topic)} ${token} ${amount}`

/** Words: input token, output token, input amount, output amount, three others, receiver. The same in both event versions. */
export const readAcrossDeposit: LogReader = (at, { topics, data, address }, position) => {
  if (!hasRole(at, address, 'across', 'pool')) return true
  const [, chain, id] = topics
  if (topics.length !== 4 || id === undefined || data.length < word(8)) return false
  const [token, receiver] = [addressAt(data, word(1)), addressAt(data, word(7))]
  if (token === undefined || receiver === undefined) return true
  const crossing = { bridge: 'across' as const, id: acrossId(id, token, uintAt(data, word(3))) }
  return writeCrossing(
    at,
    position,
    address,
    'bridge_out',
    smallTopic(chain),
    crossing,
    receiver,
    uintAt(data, word(2)),
  )
}

/**
 * Words as in a deposit, the receiver in word 9. The actual receiver and amount follow, because the depositor may have changed
 * them. A changed receiver is not the one of the deposit, and gets no row.
 * @param paidAt offset of the actual receiver, message and amount
 */
const fillReader =
  (paidAt: (data: string) => number | undefined): LogReader =>
  (at, { topics, data, address }, position) => {
    if (!hasRole(at, address, 'across', 'pool')) return true
    const [, chain, id] = topics
    const paid = paidAt(data)
    if (topics.length !== 4 || id === undefined || paid === undefined || data.length < paid + 4 * WORD) return false
    const [token, receiver] = [addressAt(data, word(1)), addressAt(data, word(9))]
    if (token === undefined || receiver === undefined || addressAt(data, paid) !== receiver) return true
    const crossing = { bridge: 'across' as const, id: acrossId(id, token, uintAt(data, word(3))) }
    const amount = uintAt(data, paid + 2 * WORD)
    return writeCrossing(at, position, address, 'bridge_in', smallTopic(chain), crossing, receiver, amount)
  }

/** `FilledRelay` of a registered spoke pool: money arrives on this network. */
export const readAcrossFill = fillReader(() => word(11))
/** The older version contains the message itself, so the payment is at an offset. */
export const readAcrossV3Fill = fillReader((data) => {
  const offset = sizeAt(data, word(11))
  return offset === undefined ? undefined : 2 + 2 * offset
})

/** In the second version, sender and amount identify a crossing. */
const cctpId = (bridge: 'cctp' | 'cctp-v2', nonce: string | undefined, sender: string, amount: string): string =>
  bridge === 'cctp' && nonce !== undefined ? `${BigInt(nonce)} ${amount}` : `${sender} ${amount}`

/** Words: amount, receiver, domain. */
const burnReader =
  (
    bridge: 'cctp' | 'cctp-v2',
    topicsOf: (topics: readonly string[]) => { nonce?: string; depositor: string | undefined },
  ): LogReader =>
  (at, { topics, data, address }, position) => {
    if (!hasRole(at, address, bridge, 'messenger')) return true
    const { nonce, depositor } = topicsOf(topics)
    const sender = addressOfTopic(depositor)
    if (topics.length !== 4 || sender === undefined || data.length < word(5)) return false
    const receiver = addressAt(data, word(1))
    if (receiver === undefined) return true
    const amount = uintAt(data, word(0))
    const crossing = { bridge, id: cctpId(bridge, nonce, sender, amount) }
    return writeCrossing(at, position, address, 'bridge_out', sizeAt(data, word(2)), crossing, receiver, amount)
  }

/** `DepositForBurn` of the first messenger. Nonce and amount identify the crossing. */
export const readCctpBurn = burnReader('cctp', ([, nonce = '0x', , depositor]) => ({ nonce, depositor }))
/** `DepositForBurn` of the second messenger. It has no nonce: sender and amount identify the crossing. */
export const readCctpV2Burn = burnReader('cctp-v2', ([, , depositor]) => ({ depositor }))

/** Offsets in the body of a burn: version, token, receiver, amount, sender; in the second version also maximum and actual fee. */
const BODY = { receiver: 36, amount: 68, sender: 100, fee: 164 }
const BODY_BYTES = { cctp: 132, 'cctp-v2': 228 }

/** Words: domain, sender of the message, body. Only messages of the registered messenger of that network are burns. */
const receiptReader =
  (bridge: 'cctp' | 'cctp-v2'): LogReader =>
  (at, { topics, data, address }, position) => {
    if (!hasRole(at, address, bridge, 'transmitter')) return true
    const [domain, messenger, offset] = [sizeAt(data, word(0)), addressAt(data, word(1)), sizeAt(data, word(2))]
    const body = offset === undefined ? undefined : 2 + 2 * offset + WORD
    if (topics.length !== (bridge === 'cctp' ? 3 : 4) || body === undefined || data.length < body) return false
    const far = domain === undefined ? undefined : networkOfNumber(bridge, domain)
    if (far === undefined || messenger === undefined || messenger !== messengerOf(bridge, far)) return true
    if ((sizeAt(data, body - WORD) ?? 0) < BODY_BYTES[bridge] || data.length < body + 2 * BODY_BYTES[bridge])
      return false
    const inBody = (byte: number) => body + 2 * byte
    const [receiver, sender] = [addressAt(data, inBody(BODY.receiver)), addressAt(data, inBody(BODY.sender))]
    if (receiver === undefined || sender === undefined) return true
    const amount = uintAt(data, inBody(BODY.amount))
    const fee = bridge === 'cctp' ? 0n : BigInt(uintAt(data, inBody(BODY.fee)))
    const crossing = { bridge, id: cctpId(bridge, topics[2], sender, amount) }
    return writeCrossing(at, position, address, 'bridge_in', domain, crossing, receiver, `${BigInt(amount) - fee}`)
  }

/** `MessageReceived` of the first transmitter. Messages other than burns get no row. */
export const readCctpReceipt = receiptReader('cctp')
/** `MessageReceived` of the second transmitter. The amount is what arrived: the burnt amount less the fee. */
export const readCctpV2Receipt = receiptReader('cctp-v2')
