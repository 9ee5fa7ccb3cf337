/**
 * TRON's first block, built from java-tron's configuration as in java-tron (`config.conf`, `BlockUtil`,
 * `TransactionUtil.newGenesisTransaction`). The last four bytes of its id are the public chain id.
 */
import { blockIdOf } from '../../../../indexer/source/tron/verify/header.ts'
import { bytesField, messageField, numberField } from '../../../../indexer/source/tron/verify/protobuf.ts'
import { leafOf, rootOf, transactionIdOf } from '../../../../indexer/source/tron/verify/transactions.ts'

import { hex41, type PrintedBlock } from './transactions.ts'

const ASSETS: readonly [address: string, balance: bigint][] = [
  ['TLLM21wteSPs4hKjbxgmH1L6poyMjeTbHm', 99_000_000_000_000_000n],
  ['TXmVpin5vq5gdZsciyyjdZgKRUju4st1wM', 0n],
  ['TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy', -9_223_372_036_854_775_808n],
]
const PARENT = 'e58f33f9baf9305dc6f82b9f1934ea8f0ade2defb951258d50167028c780351f'
const MOTTO =
  'A new system must allow existing systems to be linked together without requiring any central control or coordination'
const NOBODY = Buffer.from('0x000000000000000000000')
const KIND = 'type.googleapis.com/protocol.TransferContract'

export const firstBlock = (): PrintedBlock => {
  const transactions = ASSETS.map(([address, amount]) => {
    const contract = Buffer.concat([
      bytesField(1, NOBODY),
      bytesField(2, Buffer.from(hex41(address), 'hex')),
      numberField(3, amount),
    ])
    const parameter = Buffer.concat([bytesField(1, Buffer.from(KIND)), bytesField(2, contract)])
    const bytes = messageField(11, Buffer.concat([numberField(1, 1n), messageField(2, parameter)]))
    const raw_data_hex = bytes.toString('hex')
    const value = { amount, owner_address: NOBODY.toString('hex'), to_address: hex41(address) }
    return {
      txID: transactionIdOf({ raw_data_hex }),
      raw_data: { contract: [{ parameter: { value, type_url: KIND }, type: 'TransferContract' }] },
      raw_data_hex,
      signature: [],
      ret: [],
    }
  })
  const root = rootOf(transactions.map((one) => leafOf(one)))
  const fields = { txTrieRoot: root, witness_address: Buffer.from(MOTTO).toString('hex'), parentHash: PARENT }
  const header = { ...fields, number: 0n, timestamp: 0n, witness_id: 0n, version: 0n, accountStateRoot: '' }
  return { blockID: blockIdOf(header), block_header: { raw_data: fields }, transactions }
}
