/** Encodes receipts as in the header's root (EIP-658, EIP-2718; OP Stack specification, receipts of Regolith and Canyon). */
import type { RawReceipt } from '../raw.ts'
import { data, dataItem, type Field, type Fields, list, quantity, record, writeFields } from './fields.ts'
import type { RlpWriter } from './rlp.ts'
import { DEPOSIT } from './transactions.ts'

const logs = list('logs', record([data('address'), list('topics', dataItem), data('data')]))
const TAIL: readonly Field[] = [quantity('cumulativeGasUsed'), data('logsBloom'), logs]
const WITH_STATUS: readonly Field[] = [quantity('status'), ...TAIL]
/** Before Byzantium receipts had the state root instead of the status. */
const WITH_ROOT: readonly Field[] = [data('root'), ...TAIL]

const isThere = (object: Fields, name: string) => object[name] !== null && object[name] !== undefined

const fieldsOf = (receipt: Fields, type: number): readonly Field[] => {
  const fields = isThere(receipt, 'status') ? WITH_STATUS : WITH_ROOT
  if (type !== DEPOSIT) return fields
  // Receipts have the nonce since Regolith, but the root only contains it together with the version, since Canyon.
  if (!isThere(receipt, 'depositReceiptVersion')) return fields
  return [...fields, quantity('depositNonce'), quantity('depositReceiptVersion')]
}

/**
 * Encodes a receipt as it is in the trie.
 * @param type of its transaction.
 * @param bloomOf computes the bloom if the node leaves it out.
 * @throws RangeError when a field is missing or not hex.
 */
export const writeReceipt = (
  writer: RlpWriter,
  receipt: RawReceipt,
  type: number,
  bloomOf: (logs: RawReceipt['logs']) => string,
): void => {
  const complete = receipt.logsBloom ? receipt : { ...receipt, logsBloom: bloomOf(receipt.logs) }
  writeFields(writer, complete, fieldsOf(complete, type))
  if (type !== 0) writer.byte(type)
}
