/**
 * A synthetic EVM chain with correct hashes, roots, blooms and signatures: it grows, forks and answers for each block in the
 * format of a node. Includes transactions that only some networks have: OP stack deposits and Bor's state from Ethereum.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { createBloom } from '../../../indexer/source/evm/bloom.ts'
import { headerHash } from '../../../indexer/source/evm/verify/header.ts'
import { writeReceipt } from '../../../indexer/source/evm/verify/receipts.ts'
import { createRlpWriter } from '../../../indexer/source/evm/verify/rlp.ts'
import { uncommittedHash } from '../../../indexer/source/evm/verify/state-sync.ts'
import { typeOf, writeSigned, writeTransaction } from '../../../indexer/source/evm/verify/transactions.ts'
import { listRoot } from '../../../indexer/source/evm/verify/trie.ts'
import { keccak256, keccakHex } from '../../../platform/keccak.ts'
import type { Chain, RecordedBlock, RecordedReceipt } from './recorded-chain.ts'

export type EvmLog = { address: string; topics: string[]; data: string }

/** `from` is the name of a signer. */
export type EvmTx = {
  from: string
  to: string
  value?: bigint
  input?: string
  logs?: readonly EvmLog[]
  /** Coins that the called contract pays out. */
  pays?: readonly { to: string; value: bigint }[]
  failed?: boolean
}

export type EvmChainOptions = {
  chainId: number
  /** Number of blocks above the final one. */
  finalDepth: number
  /** Whether nodes know the tag of the final block and trace calls. @default true */
  finalTag?: boolean
  traced?: boolean
  /** Whether every block begins with an unsigned deposit. @default false */
  deposits?: boolean
  /** Blocks at multiples of this height end with state from Ethereum, which their roots leave out. */
  stateSyncEvery?: number
  /** Milliseconds between blocks; below a second, several share a timestamp. @default 12_000 */
  blockMs?: number
}

export type EvmChain = Chain & {
  /** Adds blocks, each with its transactions. */
  mine: (...blocks: readonly (readonly EvmTx[])[]) => void
  /** Replaces the newest blocks. */
  fork: (depth: number, ...blocks: readonly (readonly EvmTx[])[]) => void
  height: () => number
  finalHeight: () => number
  hashAt: (number: number) => string
}

type Printed = Record<string, unknown> & { hash: string }
type Made = { block: RecordedBlock; receipts: RecordedReceipt[]; traces: unknown[] }

const START = 1_767_225_600
const BASE_FEE = 7n
const TIP = 2n
const GAS = 60_000n
const ZERO = `0x${'0'.repeat(40)}`
const DEPOSITOR = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const hex = (value: bigint | number): string => `0x${value.toString(16)}`
const hashOf = (text: string): string => keccakHex(Buffer.from(text))
const keyOf = (name: string): Uint8Array => keccak256(Buffer.from(`key of ${name}`))
const addresses = new Map<string, string>()

/** Address of the signer of a name. */
export const signer = (name: string): string => {
  const known =
    addresses.get(name) ?? `0x${keccakHex(secp256k1.getPublicKey(keyOf(name), false).subarray(1)).slice(-40)}`
  addresses.set(name, known)
  return known
}

/** Log of a token transfer. */
export const tokenTransfer = (token: string, from: string, to: string, amount: bigint): EvmLog => ({
  address: token,
  topics: [TRANSFER, ...[from, to].map((one) => `0x${one.slice(2).padStart(64, '0')}`)],
  data: `0x${amount.toString(16).padStart(64, '0')}`,
})

export const createEvmChain = ({
  chainId,
  finalDepth,
  finalTag = true,
  traced = true,
  deposits = false,
  stateSyncEvery,
  blockMs = 12_000,
}: EvmChainOptions): EvmChain => {
  const writer = createRlpWriter()
  const bloomOf = createBloom()
  const blocks: Made[] = []
  const numbers = new Map<string, number>()
  const nonces = new Map<string, number>()
  let branch = 0

  const nonceOf = (name: string): string => {
    const next = nonces.get(name) ?? 0
    nonces.set(name, next + 1)
    return hex(next)
  }
  const hashed = (fields: Record<string, unknown>): Printed => {
    writer.clear()
    writeTransaction(writer, fields)
    return { ...fields, hash: keccakHex(writer.view()) }
  }
  const signed = ({ from, to, value = 0n, input = '0x' }: EvmTx): Printed => {
    const fees = { maxFeePerGas: hex(100n), maxPriorityFeePerGas: hex(TIP), gasPrice: hex(BASE_FEE + TIP) }
    const called = { from: signer(from), to, value: hex(value), input, gas: hex(2n * GAS), accessList: [] }
    const fields = { type: '0x2', chainId: hex(chainId), nonce: nonceOf(from), ...fees, ...called }
    writer.clear()
    writeSigned(writer, { ...fields, yParity: '0x0' })
    const digest = keccak256(writer.view())
    const signature = secp256k1.sign(digest, keyOf(from), { prehash: false, format: 'recovered' })
    const parity = hex(signature[0] ?? 0)
    const [r, s] = [signature.subarray(1, 33), signature.subarray(33)].map((part) =>
      hex(BigInt(`0x${bytesToHex(part)}`)),
    )
    return hashed({ ...fields, v: parity, yParity: parity, r, s })
  }
  const deposit = (number: number): Printed => {
    const called = {
      from: DEPOSITOR,
      to: '0x4200000000000000000000000000000000000015',
      value: '0x0',
      input: '0x440a5e20',
    }
    const fields = {
      sourceHash: hashOf(`deposit ${number} ${branch}`),
      mint: '0x0',
      isSystemTx: false,
      gas: hex(1_000_000n),
    }
    return hashed({
      type: '0x7e',
      ...called,
      ...fields,
      gasPrice: '0x0',
      nonce: hex(number),
      v: '0x0',
      r: '0x0',
      s: '0x0',
    })
  }
  const stateSync = (block: { number: string; hash: string }): Printed => ({
    ...{ type: '0x0', from: ZERO, to: ZERO, value: '0x0', input: '0x', gas: '0x0', gasPrice: '0x0', nonce: '0x0' },
    ...{ v: '0x0', r: '0x0', s: '0x0' },
    hash: uncommittedHash(block),
  })

  const receiptOf = (transaction: Printed, tx: EvmTx | undefined, index: number) => {
    const logs = tx?.failed ? [] : [...(tx?.logs ?? [])]
    return {
      ...{ transactionHash: transaction.hash, type: transaction.type, status: tx?.failed ? '0x0' : '0x1' },
      ...{ from: transaction.from, to: transaction.to, contractAddress: null, logsBloom: bloomOf(logs) },
      ...{ gasUsed: hex(GAS), cumulativeGasUsed: hex(GAS * BigInt(index + 1)), logs },
      ...(tx
        ? { effectiveGasPrice: hex(BASE_FEE + TIP) }
        : { depositNonce: transaction.nonce, depositReceiptVersion: '0x1' }),
    }
  }
  const traceOf = ({ hash, from, to, value, input }: Printed, tx: EvmTx | undefined) => {
    const frame = { type: 'CALL', gas: hex(GAS), gasUsed: hex(GAS), output: '0x' }
    const calls = (tx?.pays ?? []).map((paid) => ({
      ...frame,
      from: to,
      to: paid.to,
      value: hex(paid.value),
      input: '0x',
    }))
    const error = tx?.failed ? { error: 'execution reverted' } : {}
    return { txHash: hash, result: { ...frame, from, to, value, input, ...error, ...(calls.length > 0 && { calls }) } }
  }

  const make = (txs: readonly EvmTx[]): Made => {
    const number = blocks.length
    const own = [...(deposits ? [deposit(number)] : []), ...txs.map(signed)]
    const txAt = (index: number) => txs[index - (deposits ? 1 : 0)]
    const bare = own.map((transaction, index) => receiptOf(transaction, txAt(index), index))
    const transactionsRoot = listRoot(own.length, (index) => writeTransaction(writer, own[index]!), writer)
    const receiptsRoot = listRoot(
      own.length,
      (index) => writeReceipt(writer, bare[index] as never, typeOf(own[index]!), bloomOf),
      writer,
    )
    const fields = {
      ...{ number: hex(number), parentHash: blocks.at(-1)?.block.hash ?? hashOf(`before ${chainId}`) },
      ...{ sha3Uncles: hashOf('no uncles'), miner: ZERO, stateRoot: hashOf(`state ${number} ${branch}`) },
      ...{ transactionsRoot, receiptsRoot, logsBloom: bloomOf(bare.flatMap(({ logs }) => logs)) },
      ...{ difficulty: '0x0', gasLimit: hex(30_000_000n), gasUsed: hex(GAS * BigInt(own.length)) },
      ...{
        timestamp: hex(START + Math.floor((number * blockMs) / 1_000)),
        extraData: '0x',
        mixHash: hashOf(`mix ${number}`),
      },
      ...{ nonce: '0x0000000000000000', baseFeePerGas: hex(BASE_FEE), size: '0x400', uncles: [] },
    }
    const block = { ...fields, hash: headerHash(fields, writer) }
    const bor = stateSyncEvery && number > 0 && number % stateSyncEvery === 0 ? [stateSync(block)] : []
    const all = [...own, ...bor]
    const place = (index: number) => ({
      blockHash: block.hash,
      blockNumber: block.number,
      transactionIndex: hex(index),
    })
    let logIndex = 0
    const receipts = all.map((transaction, index) => {
      const receipt = bare[index] ?? { ...receiptOf(transaction, undefined, index), gasUsed: '0x0' }
      const logs = receipt.logs.map((log) => {
        logIndex += 1
        return {
          ...log,
          ...place(index),
          transactionHash: transaction.hash,
          logIndex: hex(logIndex - 1),
          removed: false,
        }
      })
      return { ...receipt, ...place(index), logs }
    })
    return {
      block: { ...block, transactions: all.map((one, index) => ({ ...one, ...place(index) })) },
      receipts,
      traces: own.map((transaction, index) => traceOf(transaction, txAt(index))),
    }
  }

  const height = () => blocks.length - 1
  const finalHeight = () => Math.max(0, height() - finalDepth)
  const madeAt = (at: string): Made | undefined => {
    if (at === 'latest') return blocks.at(-1)
    if (at === 'finalized') return finalTag ? blocks[finalHeight()] : undefined
    const number = at.length === 66 ? numbers.get(at) : Number(at)
    return number === undefined ? undefined : blocks[number]
  }
  const mine: EvmChain['mine'] = (...added) => {
    for (const txs of added) {
      const made = make(txs)
      numbers.set(made.block.hash, blocks.length)
      blocks.push(made)
    }
  }
  mine([])
  return {
    chainId: hex(chainId),
    block: (at) => madeAt(at)?.block,
    receipts: (at) => madeAt(at)?.receipts,
    receipt: (hash) => blocks.flatMap(({ receipts }) => receipts).find((one) => one.transactionHash === hash),
    traces: (method, at) =>
      traced && method.startsWith('debug_traceBlockBy') ? (madeAt(at)?.traces ?? null) : undefined,
    mine,
    fork: (depth, ...added) => {
      for (const { block } of blocks.splice(blocks.length - depth)) numbers.delete(block.hash)
      branch += 1
      mine(...added)
    },
    height,
    finalHeight,
    hashAt: (number) => blocks[number]!.block.hash,
  }
}
