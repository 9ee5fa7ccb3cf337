import { decodeEventLog, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { decodeBlock } from '../../../../indexer/source/evm/decode/index.ts'
import type { LedgerRow } from '../../../../schema/block.ts'
import { networkInfo } from '../../../../schema/networks.ts'
import { wrappedNative } from '../../../../schema/registry/index.ts'
import { decodeCounted, haveFixtures, type Recorded, receiptSets, recordedBlocks } from './decode.helpers.ts'

const CRYPTO_KITTIES = '0x06012c8cf97bead5deae237070f9587f8e7a266d'
// The same events as the standards write them, and as the contracts older than the standards do.
const SHAPES = {
  erc20: parseAbi([
    'event Transfer(address indexed, address indexed, uint256)',
    'event Approval(address indexed, address indexed, uint256)',
  ]),
  erc721: parseAbi([
    'event Transfer(address indexed, address indexed, uint256 indexed)',
    'event Approval(address indexed, address indexed, uint256 indexed)',
    'event ApprovalForAll(address indexed, address indexed, bool)',
  ]),
  old: parseAbi(['event Transfer(address, address, uint256)', 'event Approval(address, address, uint256)']),
  erc1155: parseAbi([
    'event TransferSingle(address indexed, address indexed, address indexed, uint256, uint256)',
    'event TransferBatch(address indexed, address indexed, address indexed, uint256[], uint256[])',
  ]),
  weth: parseAbi(['event Deposit(address indexed, uint256)', 'event Withdrawal(address indexed, uint256)']),
  pools: parseAbi([
    'event Mint(address indexed, uint256, uint256)',
    'event Burn(address indexed, uint256, uint256, address indexed)',
    'event Swap(address indexed, uint256, uint256, uint256, uint256, address indexed)',
  ]),
  v3: parseAbi([
    'event Mint(address, address indexed, int24 indexed, int24 indexed, uint128, uint256, uint256)',
    'event Burn(address indexed, int24 indexed, int24 indexed, uint128, uint256, uint256)',
    'event Swap(address indexed, address indexed, int256, int256, uint160, uint128, int24)',
  ]),
  permit2: parseAbi([
    'event Approval(address indexed, address indexed, address indexed, uint160, uint48)',
    'event Permit(address indexed, address indexed, address indexed, uint160, uint48, uint48)',
  ]),
  powers: parseAbi(['event OwnershipTransferred(address indexed, address indexed)', 'event Upgraded(address indexed)']),
}
type Shape = keyof typeof SHAPES

// biome-ignore lint/suspicious/noExplicitAny: viem's types for nameless arguments of many events
type Found = { shape: Shape; event: string; args: any[]; address: string; topics: number }

const readWithViem = (log: { address: string; topics: string[]; data: string }): Found | undefined => {
  for (const shape of Object.keys(SHAPES) as Shape[]) {
    try {
      const { eventName, args } = decodeEventLog({
        abi: SHAPES[shape],
        topics: log.topics as [`0x${string}`],
        data: log.data as `0x${string}`,
      })
      const list = (Array.isArray(args) ? args : Object.values(args ?? {})).map((value) =>
        typeof value === 'string' ? value.toLowerCase() : value,
      )
      return { shape, event: eventName, args: list, address: log.address, topics: log.topics.length }
    } catch {}
  }
  return undefined
}

const movementsOf = (network: Recorded['network'], found: Found): string[] => {
  const { shape, event, args, address } = found
  if (event === 'Transfer') {
    const [from, to, last] = args
    const whole = shape === 'erc721' || address === CRYPTO_KITTIES
    return whole ? [`nft ${from} ${to} ${address} ${last} 1`] : [`fungible ${from} ${to} ${address} 0 ${last}`]
  }
  if (event === 'TransferSingle') return [`multi ${args[1]} ${args[2]} ${address} ${args[3]} ${args[4]}`]
  if (event === 'TransferBatch') {
    // A batch may name an id several times (it does on Polygon): one movement of the sum.
    const sums = new Map<bigint, bigint>()
    args[3].forEach((id: bigint, i: number) => {
      sums.set(id, (sums.get(id) ?? 0n) + args[4][i])
    })
    return [...sums].map(([id, amount]) => `multi ${args[1]} ${args[2]} ${address} ${id} ${amount}`)
  }
  if (shape === 'weth' && address === wrappedNative(network)?.address)
    return [
      event === 'Deposit'
        ? `wrap ${address} ${args[0]} ${address} 0 ${args[1]}`
        : `wrap ${args[0]} ${address} ${address} 0 ${args[1]}`,
    ]
  return []
}

const spell = (row: LedgerRow) =>
  `${row.kind} ${row.address} ${row.counterparty} ${row.asset} ${row.token_id} ${row.amount}`

// biome-ignore lint/suspicious/noExplicitAny: a frame of a recorded callTracer answer
type Frame = any
const walk = (frame: Frame, visit: (frame: Frame, depth: number) => void, depth = 0): void => {
  if (frame.error) return
  visit(frame, depth)
  for (const call of frame.calls ?? []) walk(call, visit, depth + 1)
}

const worked = ({ callTraces }: Recorded, transaction: Frame, receipt: Frame, index: number): boolean => {
  if (!receipt) return false
  if (receipt.status) return BigInt(receipt.status) === 1n
  if (callTraces) return !callTraces[index].result.error
  return BigInt(receipt.gasUsed) < BigInt(transaction.gas) || BigInt(transaction.gas) === 21_000n
}

describe.skipIf(!haveFixtures)('recorded blocks (skipped without ASSAY_FIXTURES)', () => {
  const recorded = haveFixtures ? recordedBlocks() : []

  test('there are some of every kind of network', () => {
    expect(recorded.length).toBeGreaterThanOrEqual(15)
    expect(new Set(recorded.map(({ network }) => network))).toEqual(new Set(['ETH', 'BASE', 'HAQQ']))
  })

  test.each(recorded.map((item) => [item.name, item] as const))('%s: rows agree with a second count', (_, item) => {
    const { network, block, receipts, callTraces } = item
    const { block: decoded } = decodeCounted(network, item.raw)
    const { rows } = decoded
    const byHash = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]))
    const receiptOf = (transaction: Frame) => byHash.get(transaction.hash)

    expect(decoded).toMatchObject({
      network,
      number: Number(block.number),
      hash: block.hash,
      parentHash: block.parentHash,
    })
    expect(rows.blocks).toEqual([
      {
        network,
        block_number: Number(block.number),
        block_time: Number(block.timestamp),
        block_hash: block.hash,
        parent_hash: block.parentHash,
        transaction_count: block.transactions.length,
        sees_traces: callTraces ? 1 : 0,
      },
    ])
    expect(rows.transactions.map(({ tx_hash, value, nonce, status }) => ({ tx_hash, value, nonce, status }))).toEqual(
      block.transactions.map((transaction: Frame) => ({
        tx_hash: transaction.hash,
        value: String(BigInt(transaction.value)),
        nonce: String(BigInt(transaction.nonce)),
        status: receiptOf(transaction)?.status ? Number(receiptOf(transaction).status) : 2,
      })),
    )

    const working = block.transactions.filter((transaction: Frame, i: number) =>
      worked(item, transaction, receiptOf(transaction), i),
    )
    const moved = working.reduce((sum: bigint, transaction: Frame) => sum + BigInt(transaction.value), 0n)
    const minted = block.transactions.reduce((sum: bigint, { mint }: Frame) => sum + BigInt(mint ?? 0), 0n)
    const native = rows.ledger.filter(({ kind, direction }) => kind === 'native' && direction === 1)
    expect(native.reduce((sum, { amount }) => sum + BigInt(amount), 0n)).toBe(moved + minted)

    const logs = receipts.flatMap((receipt: Frame) => receipt.logs)
    const found = logs.flatMap((log: Frame) => readWithViem(log) ?? [])
    const expected = found.flatMap((item: Found) => movementsOf(network, item))
    const tokens = rows.ledger.filter(
      ({ kind, direction }) => kind !== 'native' && kind !== 'internal' && direction === -1,
    )
    expect(tokens.map(spell).sort()).toEqual(expected.sort())

    const approvals = found.filter(({ event }: Found) => event.startsWith('Approval') || event === 'Permit')
    expect(rows.approvals.length).toBe(approvals.length)
    const count = (shape: Shape, event: string) =>
      found.filter((log: Found) => log.shape === shape && log.event === event).length
    expect(rows.swaps.length).toBeGreaterThanOrEqual(count('pools', 'Swap') + count('v3', 'Swap'))
    expect(rows.liquidity.filter(({ event }) => event === 'add').length).toBe(
      count('pools', 'Mint') + count('v3', 'Mint'),
    )
    expect(rows.authority.filter(({ event }) => event === 'owner_change').length).toBe(
      count('powers', 'OwnershipTransferred'),
    )

    const direct = working.filter((transaction: Frame) => !transaction.to)
    const inner: string[] = []
    let internal = 0n
    for (const trace of callTraces ?? [])
      walk(trace.result, (frame, depth) => {
        if (depth === 0) return
        if (['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'].includes(frame.type)) internal += BigInt(frame.value ?? 0)
        if (frame.type.startsWith('CREATE')) inner.push(frame.to)
      })
    const created = rows.creations.filter(({ event }) => event === 'create').map(({ contract }) => contract)
    expect(created.sort()).toEqual(
      [...direct.map((transaction: Frame) => receiptOf(transaction).contractAddress), ...inner].sort(),
    )
    const inside = rows.ledger.filter(({ kind, direction }) => kind === 'internal' && direction === 1)
    expect(inside.reduce((sum, { amount }) => sum + BigInt(amount), 0n)).toBe(internal)
  })

  test.each(recorded.map((item) => [item.name, item] as const))('%s: every movement has its two sides', (_, item) => {
    const { rows } = decodeBlock(item.network, item.raw)
    const sides = new Map<string, bigint>()
    for (const row of rows.ledger) {
      const [a, b] = [row.address, row.counterparty].sort()
      const key = `${row.position} ${row.kind} ${row.asset} ${row.token_id} ${a} ${b}`
      sides.set(key, (sides.get(key) ?? 0n) + BigInt(row.direction) * BigInt(row.amount))
      expect(row.address).toMatch(/^0x[0-9a-f]{40}$/)
    }
    expect([...sides.values()].filter((sum) => sum !== 0n)).toEqual([])
    const out = rows.ledger.filter(({ direction }) => direction === -1).length
    expect(out * 2).toBe(rows.ledger.length)
  })

  test('reads paid fees from receipts', () => {
    for (const { network, raw, block, receipts } of recorded) {
      const { rows } = decodeBlock(network, raw)
      const prices = new Map<string, string>(
        block.transactions.map((transaction: Frame) => [transaction.hash, transaction.gasPrice]),
      )
      const paid = receipts.reduce(
        (sum: bigint, receipt: Frame) =>
          sum +
          BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice ?? prices.get(receipt.transactionHash) ?? 0) +
          BigInt(receipt.l1Fee ?? 0),
        0n,
      )
      expect(rows.transactions.reduce((sum, { fee }) => sum + BigInt(fee), 0n)).toBe(paid)
    }
  })

  test('the same block gives the same rows, and normal blocks have no malformed logs', () => {
    for (const { network, raw } of recorded) {
      expect(networkInfo(network).family).toBe('evm')
      const first = decodeCounted(network, raw)
      expect(decodeCounted(network, raw)).toEqual(first)
      expect(first.malformed).toBe(0)
    }
  })

  test('positions rise along transactions and are unique per transfer', () => {
    for (const { network, raw } of recorded) {
      const { rows } = decodeBlock(network, raw)
      const positions = rows.transactions.map(({ position }) => BigInt(position))
      expect(positions).toEqual([...positions].sort((a, b) => (a < b ? -1 : 1)))
      const keys = rows.ledger.map(
        (row) => `${row.position} ${row.direction} ${row.asset} ${row.token_id} ${row.address} ${row.kind}`,
      )
      expect(new Set(keys).size).toBe(keys.length)
    }
  })

  test('keeps logs of receipts whose transaction is missing in the block', () => {
    const item = recorded.find(({ name }) => name === 'ethereum 18000000')
    if (item === undefined) return
    const whole = decodeBlock(item.network, item.raw).rows
    const bare = decodeBlock(item.network, { ...item.raw, block: { ...item.raw.block, transactions: [] } }).rows
    const logged = (rows: typeof whole) => rows.ledger.filter(({ kind }) => kind !== 'native' && kind !== 'internal')
    expect(logged(bare)).toEqual(logged(whole))
  })

  test.each(haveFixtures ? receiptSets() : [])('%s: movements of a receipt set alone', (_, network, raw, receipts) => {
    const found = receipts.flatMap((receipt: Frame) => receipt.logs).flatMap((log: Frame) => readWithViem(log) ?? [])
    const tokens = decodeBlock(network, raw).rows.ledger.filter(({ direction }) => direction === -1)
    expect(tokens.map(spell).sort()).toEqual(found.flatMap((log: Found) => movementsOf(network, log)).sort())
  })
})
