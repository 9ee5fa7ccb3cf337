/** Encodes transactions as in the header's root (EIP-2718 and the types' own EIPs; OP Stack specification, deposits). */
import {
  data,
  dataItem,
  type Field,
  type Fields,
  flag,
  list,
  optionalData,
  optionalQuantity,
  quantity,
  record,
  writeFields,
} from './fields.ts'
import type { RlpWriter } from './rlp.ts'

/** OP Stack deposit. */
export const DEPOSIT = 0x7e
/** Bor's transaction with state from Ethereum, since Madhugiri (PIP-74). Nodes do not return its content. */
export const STATE_SYNC = 0x7f

const accessList = list('accessList', record([data('address'), list('storageKeys', dataItem)]))
const authorizations = list(
  'authorizationList',
  record([
    quantity('chainId'),
    data('address'),
    quantity('nonce'),
    quantity('yParity', 'v'),
    quantity('r'),
    quantity('s'),
  ]),
)

const LEGACY_CALL: readonly Field[] = [quantity('gas'), optionalData('to'), quantity('value'), data('input')]
const CALL: readonly Field[] = [...LEGACY_CALL, accessList]
const FEES: readonly Field[] = [
  quantity('chainId'),
  quantity('nonce'),
  quantity('maxPriorityFeePerGas'),
  quantity('maxFeePerGas'),
]
const SIGNATURE: readonly Field[] = [quantity('yParity', 'v'), quantity('r'), quantity('s')]

/** Fields by type, in encoding order. */
const TYPES: ReadonlyMap<number, readonly Field[]> = new Map([
  [0x0, [quantity('nonce'), quantity('gasPrice'), ...LEGACY_CALL, quantity('v'), quantity('r'), quantity('s')]],
  [0x1, [quantity('chainId'), quantity('nonce'), quantity('gasPrice'), ...CALL, ...SIGNATURE]],
  [0x2, [...FEES, ...CALL, ...SIGNATURE]],
  [0x3, [...FEES, ...CALL, quantity('maxFeePerBlobGas'), list('blobVersionedHashes', dataItem), ...SIGNATURE]],
  [0x4, [...FEES, ...CALL, authorizations, ...SIGNATURE]],
  [
    DEPOSIT,
    [
      data('sourceHash'),
      data('from'),
      optionalData('to'),
      optionalQuantity('mint'),
      quantity('value'),
      quantity('gas'),
      flag('isSystemTx'),
      data('input'),
    ],
  ],
])

/** Type of a transaction; old nodes do not state it. NaN when it is not a number. */
export const typeOf = (transaction: Fields): number =>
  transaction.type === null || transaction.type === undefined ? 0 : Number(transaction.type)

/**
 * Encodes a transaction as it is in the trie: type and fields; for legacy transactions only the fields.
 * @throws RangeError on an unknown type, and when a field is missing or not hex.
 */
export const writeTransaction = (writer: RlpWriter, transaction: Fields): void => {
  const type = typeOf(transaction)
  const fields = TYPES.get(type)
  if (!fields) throw new RangeError(`type ${String(transaction.type)} is not known`)
  writeFields(writer, transaction, fields)
  if (type !== 0) writer.byte(type)
}

const SIGNATURE_FIELDS = 3
/** Minimum `v` of a signature that includes the chain id (EIP-155). */
const FIRST_BOUND_V = 35n

/**
 * Encodes what the sender signed.
 * @returns recovery bit of the signature; `undefined` for unsigned types.
 * @throws RangeError like `writeTransaction`.
 */
export const writeSigned = (writer: RlpWriter, transaction: Fields): number | undefined => {
  const type = typeOf(transaction)
  const fields = TYPES.get(type)
  if (!fields || type === DEPOSIT) return undefined
  const unsigned = fields.slice(0, -SIGNATURE_FIELDS)
  if (type !== 0) {
    writeFields(writer, transaction, unsigned)
    writer.byte(type)
    return Number(transaction.yParity ?? transaction.v)
  }
  const v = BigInt(String(transaction.v))
  if (v < FIRST_BOUND_V) {
    writeFields(writer, transaction, unsigned)
    return Number(v - 27n)
  }
  const chain = { chain: `0x${((v - FIRST_BOUND_V) / 2n).toString(16)}`, none: '0x0' }
  const bound: readonly Field[] = [quantity('chain'), quantity('none'), quantity('none')]
  writeFields(writer, { ...transaction, ...chain }, [...unsigned, ...bound])
  return Number((v - FIRST_BOUND_V) % 2n)
}
