/** Encodes transactions as the header commits to them. Source: java-tron, `MerkleTree`, `TransactionCapsule`, `Tron.proto`. */
import { z } from 'zod'
import type { RawTronTransaction } from '../raw.ts'
import { sha256 } from './header.ts'
import { bytesField, messageField, numberField } from './protobuf.ts'

const RESULTS = [
  'DEFAULT',
  'SUCCESS',
  'REVERT',
  'BAD_JUMP_DESTINATION',
  'OUT_OF_MEMORY',
  'PRECOMPILED_CONTRACT',
  'STACK_TOO_SMALL',
  'STACK_TOO_LARGE',
  'ILLEGAL_OPERATION',
  'STACK_OVERFLOW',
  'OUT_OF_ENERGY',
  'OUT_OF_TIME',
  'JVM_STACK_OVER_FLOW',
  'UNKNOWN',
  'TRANSFER_FAILED',
  'INVALID_CODE',
]
const CODES = ['SUCESS', 'FAILED']

type Encode = (field: number, value: unknown) => Buffer

const whole = z.union([z.int(), z.string().regex(/^-?\d+$/)]).transform(BigInt)
const amount: Encode = (field, value) => numberField(field, whole.parse(value))
const text: Encode = (field, value) => bytesField(field, Buffer.from(z.string().parse(value)))
const bytes: Encode = (field, value) => bytesField(field, Buffer.from(z.hex().parse(value), 'hex'))

/** A name of an enumeration, or the number of an unnamed value. */
const named =
  (names: readonly string[]): Encode =>
  (field, value) => {
    if (typeof value === 'number') return numberField(field, BigInt(value))
    const place = names.indexOf(z.string().parse(value))
    if (place < 0) throw new RangeError(`${String(value)} is not known`)
    return numberField(field, BigInt(place))
  }

type Fields = Readonly<Record<string, readonly [field: number, encode: Encode]>>

const encode = (fields: Fields, value: Readonly<Record<string, unknown>>): Buffer => {
  const parts = Object.entries(value).map(([name, one]) => {
    const known = fields[name]
    if (!known) throw new RangeError(`field ${name} is not known`)
    return { field: known[0], bytes: known[1](known[0], one) }
  })
  return Buffer.concat(parts.toSorted((a, b) => a.field - b.field).map((part) => part.bytes))
}

const messages =
  (fields: Fields): Encode =>
  (field, value) => {
    const list = z.array(z.record(z.string(), z.unknown())).parse(value)
    return Buffer.concat(list.map((one) => messageField(field, encode(fields, one))))
  }

const ORDER: Fields = {
  makerOrderId: [1, bytes],
  takerOrderId: [2, bytes],
  fillSellQuantity: [3, amount],
  fillBuyQuantity: [4, amount],
}
/** A map is encoded as a list of pairs, each with both parts. */
const ENTRY: Fields = {
  key: [1, (field, value) => messageField(field, Buffer.from(z.string().parse(value)))],
  value: [2, (field, value) => (whole.parse(value) === 0n ? Buffer.from([field << 3, 0]) : amount(field, value))],
}
const RESULT: Fields = {
  fee: [1, amount],
  ret: [2, named(CODES)],
  contractRet: [3, named(RESULTS)],
  assetIssueID: [14, text],
  withdraw_amount: [15, amount],
  unfreeze_amount: [16, amount],
  exchange_received_amount: [18, amount],
  exchange_inject_another_amount: [19, amount],
  exchange_withdraw_another_amount: [20, amount],
  exchange_id: [21, amount],
  shielded_transaction_fee: [22, amount],
  orderId: [25, bytes],
  orderDetails: [26, messages(ORDER)],
  withdraw_expire_amount: [27, amount],
  cancel_unfreezeV2_amount: [28, messages(ENTRY)],
}

const RAW = 1
const SIGNATURE = 2
const RET = 5

/** The transaction's id: the hash of the signed part. */
export const transactionIdOf = (transaction: Pick<RawTronTransaction, 'raw_data_hex'>): string =>
  sha256(Buffer.from(transaction.raw_data_hex, 'hex')).toString('hex')

/**
 * The transaction's leaf in the tree: the hash of all of it, including signatures and results.
 * @throws RangeError, ZodError when its results have an unknown form.
 */
export const leafOf = ({
  raw_data_hex,
  signature,
  ret,
}: Pick<RawTronTransaction, 'raw_data_hex' | 'signature' | 'ret'>): Buffer =>
  sha256(
    messageField(RAW, Buffer.from(raw_data_hex, 'hex')),
    ...signature.map((one) => messageField(SIGNATURE, Buffer.from(one, 'hex'))),
    ...ret.map((one) => messageField(RET, encode(RESULT, one))),
  )

const EMPTY = Buffer.alloc(32)

/** Root over leaves: neighbours are hashed together; a leaf without neighbour moves up unchanged. */
export const rootOf = (leaves: readonly Buffer[]): string => {
  let level = leaves
  while (level.length > 1) {
    level = level.flatMap((left, place) => {
      if (place % 2 === 1) return []
      const right = level[place + 1]
      return [right ? sha256(left, right) : left]
    })
  }
  return (level[0] ?? EMPTY).toString('hex')
}
