/** Actions on the simulated chain, as signed transactions with receipts, logs and internal calls. */
import { getContractAddress, type Hex, keccak256, parseTransaction, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createBloom } from '../../../../indexer/source/evm/bloom.ts'
import { writeReceipt } from '../../../../indexer/source/evm/verify/receipts.ts'
import { createRlpWriter } from '../../../../indexer/source/evm/verify/rlp.ts'
import { writeTransaction } from '../../../../indexer/source/evm/verify/transactions.ts'
import { listRoot } from '../../../../indexer/source/evm/verify/trie.ts'

export type Log = { address: string; topics: string[]; data: string }
/** Coins that a contract pays out within the transaction. */
export type InternalCall = { from: string; to: string; value: bigint }

/** One transaction. `from` is a name, `to` an address, empty for a creation; omitted fields are empty. */
export type PlannedTx = {
  from: string
  to: string
  value?: bigint
  data?: Hex
  failed?: boolean
  logs?: readonly Log[]
  inner?: readonly InternalCall[]
}

export type Transaction = Record<string, unknown> & { hash: string; from: string; to: string | null; value: string }
type Receipt = {
  transactionHash: string
  logs: Log[]
  status: string
  logsBloom: string
  cumulativeGasUsed: string
} & Record<string, unknown>

/** The parts of a block that do not depend on its position in the chain. */
export type Body = {
  transactions: readonly Transaction[]
  receipts: readonly Receipt[]
  /** By transaction. */
  inner: readonly (readonly InternalCall[])[]
  logs: readonly (Log & { transaction: number })[]
  root: string
  receiptsRoot: string
  bloom: string
  gasUsed: number
}

const GAS = 60_000
export const GAS_PRICE = 8_000_000_000n
/** Cost of each transaction to its sender. */
export const FEE = BigInt(GAS) * GAS_PRICE

const people = new Map<string, PrivateKeyAccount>()
/** The account of a name; its key is derived from the name. */
export const person = (name: string): PrivateKeyAccount => {
  const known = people.get(name) ?? privateKeyToAccount(keccak256(toHex(`key of ${name}`)))
  people.set(name, known)
  return known
}
/** Lower-case address of a name. */
export const addressOf = (name: string): string => person(name).address.toLowerCase()

const bloomOf = createBloom()
const writer = createRlpWriter()

const sign = async ({ from, to, value = 0n, data = '0x' }: PlannedTx, nonce: number): Promise<Transaction> => {
  const given = { nonce, gasPrice: GAS_PRICE, gas: BigInt(2 * GAS), value, data, chainId: 1 }
  const account = person(from)
  const signed = await account.signTransaction({ ...given, type: 'legacy', to: to === '' ? null : (to as Hex) })
  const { r, s, v } = parseTransaction(signed)
  return {
    type: '0x0',
    hash: keccak256(signed),
    from: account.address.toLowerCase(),
    to: to === '' ? null : to,
    input: data,
    value: toHex(value),
    nonce: toHex(nonce),
    gas: toHex(given.gas),
    gasPrice: toHex(GAS_PRICE),
    chainId: '0x1',
    v: toHex(v ?? 0n),
    r: r as string,
    s: s as string,
  }
}

/** The contract that an account creates with its transaction of this nonce. */
export const contractOf = (name: string, nonce: number): string =>
  getContractAddress({ from: person(name).address, nonce: BigInt(nonce) }).toLowerCase()

const receiptOf = (
  { from: name, failed, logs = [] }: PlannedTx,
  { hash, from, to, nonce }: Transaction,
  index: number,
): Receipt => {
  const written = failed ? [] : logs.map((log) => ({ ...log }))
  return {
    type: '0x0',
    transactionHash: hash,
    from,
    to,
    contractAddress: to === null ? contractOf(name, Number(nonce)) : null,
    status: failed ? '0x0' : '0x1',
    gasUsed: toHex(GAS),
    cumulativeGasUsed: toHex(GAS * (index + 1)),
    effectiveGasPrice: toHex(GAS_PRICE),
    logs: written,
    logsBloom: bloomOf(written as never),
  }
}

/** The body of a block with these transactions. */
export const bodyOf = async (txs: readonly { tx: PlannedTx; nonce: number }[]): Promise<Body> => {
  const transactions: Transaction[] = []
  for (const { tx, nonce } of txs) transactions.push(await sign(tx, nonce))
  const receipts = txs.map(({ tx }, index) => receiptOf(tx, transactions[index]!, index))
  const logs = receipts.flatMap((receipt, transaction) => receipt.logs.map((log) => ({ ...log, transaction })))
  return {
    transactions,
    receipts,
    inner: txs.map(({ tx }) => (tx.failed ? [] : (tx.inner ?? []))),
    logs,
    root: listRoot(txs.length, (index) => writeTransaction(writer, transactions[index]!), writer),
    receiptsRoot: listRoot(
      txs.length,
      (index) => writeReceipt(writer, receipts[index] as never, 0, bloomOf as never),
      writer,
    ),
    bloom: bloomOf(logs as never),
    gasUsed: GAS * txs.length,
  }
}
