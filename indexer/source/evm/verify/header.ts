/** The hash of a header over its fields (EIP-1559, EIP-4895, EIP-4844, EIP-4788, EIP-7685, EIP-7928, EIP-7843). */

import { keccakHex } from '../../../../platform/keccak.ts'
import { data, type Field, type Fields, quantity, writeFields } from './fields.ts'
import type { RlpWriter } from './rlp.ts'

const FRONTIER: readonly Field[] = [
  data('parentHash'),
  data('sha3Uncles'),
  data('miner'),
  data('stateRoot'),
  data('transactionsRoot'),
  data('receiptsRoot'),
  data('logsBloom'),
  quantity('difficulty'),
  quantity('number'),
  quantity('gasLimit'),
  quantity('gasUsed'),
  quantity('timestamp'),
  data('extraData'),
  data('mixHash'),
  data('nonce'),
]

/** Fields that forks appended, in order. A header has those that are present and not null; 0x0 counts as present. */
const APPENDED: readonly (readonly [name: string, field: Field])[] = [
  ['baseFeePerGas', quantity('baseFeePerGas')],
  ['withdrawalsRoot', data('withdrawalsRoot')],
  ['blobGasUsed', quantity('blobGasUsed')],
  ['excessBlobGas', quantity('excessBlobGas')],
  ['parentBeaconBlockRoot', data('parentBeaconBlockRoot')],
  ['requestsHash', data('requestsHash')],
  ['blockAccessListHash', data('blockAccessListHash')],
  ['slotNumber', quantity('slotNumber')],
]

/**
 * Hash of a header.
 * @returns lower-case 0x-hex.
 * @throws RangeError when a field is missing or not hex.
 */
export const headerHash = (header: Fields, writer: RlpWriter): string => {
  const appended = APPENDED.filter(([name]) => header[name] !== null && header[name] !== undefined)
  writer.clear()
  writeFields(writer, header, [...FRONTIER, ...appended.map(([, field]) => field)])
  return keccakHex(writer.view())
}
