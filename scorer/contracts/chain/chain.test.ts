import { expect, test } from 'vitest'
import type { Requester } from './call.ts'
import { type ChainReader, createChainReader } from './chain.ts'

const ADDRESS = `0x${'ab'.repeat(20)}`
const HASH = `0x${'12'.repeat(32)}`
const log = {
  address: ADDRESS,
  topics: [HASH],
  data: '0x01',
  blockNumber: '0x10',
  transactionHash: HASH,
  logIndex: '0x0',
}
const SOUND: Record<string, unknown> = {
  eth_chainId: '0x1',
  eth_getBlockByNumber: { number: '0x10', hash: HASH, timestamp: '0x65000000', baseFeePerGas: '0x7' },
  eth_getBalance: '0x5',
  eth_getCode: '0x6001',
  eth_getStorageAt: HASH,
  eth_call: HASH,
  eth_getLogs: [{ ...log, removed: false }],
  eth_getTransactionReceipt: { logs: [log] },
  eth_createAccessList: { accessList: [{ address: ADDRESS, storageKeys: [HASH] }], gasUsed: '0x1' },
  eth_getTransactionByHash: { from: ADDRESS, to: null },
}
/** A node with another answer to one method. */
const nodeThat = (method?: string, answer?: unknown): Requester => ({
  request: async (asked) => (asked.method === method ? answer : SOUND[asked.method]),
})
const readerOf = (rpc: Requester) =>
  createChainReader(rpc, 'latest', { requestMs: 1_000, endsAt: Date.now() + 10_000, now: Date.now })

const reads: [method: string, read: (chain: ChainReader) => Promise<unknown>, sound: unknown][] = [
  ['eth_getBalance', (chain) => chain.balance(ADDRESS), 5n],
  ['eth_getCode', (chain) => chain.code(ADDRESS), '0x6001'],
  ['eth_getStorageAt', async (chain) => BigInt(await chain.slot(ADDRESS, HASH)), BigInt(HASH)],
  ['eth_call', (chain) => chain.call({ to: ADDRESS, data: '0x' }), HASH],
  ['eth_call', (chain) => chain.words([{ to: ADDRESS, data: '0x' }]), [BigInt(HASH)]],
  [
    'eth_call',
    (chain) => chain.words([ADDRESS, HASH].map((data) => ({ to: ADDRESS, data }))),
    [BigInt(HASH), BigInt(HASH)],
  ],
  ['eth_getLogs', (chain) => chain.logs({ fromBlock: 1 }), [log]],
  ['eth_getTransactionReceipt', (chain) => chain.receipt(HASH), [log]],
  [
    'eth_createAccessList',
    (chain) => chain.accessList({ to: ADDRESS, data: '0x' }),
    [{ address: ADDRESS, storageKeys: [HASH] }],
  ],
  ['eth_getTransactionByHash', (chain) => chain.transaction(HASH), { from: ADDRESS, to: null }],
  ['eth_getBlockByNumber', (chain) => chain.blockTime(16), 0x65000000],
]

test.each(reads)('%s is read', async (_, read, sound) => {
  expect(await read(await readerOf(nodeThat()))).toEqual(sound)
})

/** Answers that no node should give: of other types and shapes, and logs and blocks with missing or garbled fields. */
const garbled = (item: Record<string, unknown>) =>
  Object.keys(item).flatMap((name) =>
    [undefined, null, 7, '', '0x', '0xzz', 'latest', [], {}, [null], ['0x']].map((value) => ({
      ...item,
      [name]: value,
    })),
  )
const logs = [null, 'log', 7, [], {}, ...garbled(log)].map((item) => [log, item])
const odd: unknown[] = [
  ...[undefined, null, '', 'text', '0xzz', '0x', 0, 7, true, {}, [], [[]], [null], { logs: null }, { logs: {} }],
  ...[1, 2, 4].map((words) => `0x${'zz'.repeat(32 * words)}`),
  ...logs,
  ...logs.map((list) => ({ logs: list })),
  ...[null, {}, 'x', [null], ['x'], [{}], [{ address: ADDRESS }], [{ address: 7, storageKeys: [] }]].map(
    (accessList) => ({
      accessList,
    }),
  ),
  { accessList: [{ address: ADDRESS, storageKeys: [7] }] },
  ...garbled({ from: ADDRESS, to: ADDRESS }),
  ...garbled(SOUND.eth_getBlockByNumber as Record<string, unknown>),
]
const isDocumented = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ASSAY_CONTRACT_NODE'
/** Uses an answer as the analysis does: parses every numeric field. */
const use = (found: unknown): void => {
  if (found === undefined || typeof found === 'string' || typeof found === 'bigint') return
  if (typeof found === 'number') return void BigInt(found)
  for (const item of [found].flat() as Record<string, unknown>[]) {
    if (item === undefined || typeof item === 'bigint') continue
    for (const [name, value] of Object.entries(item))
      for (const one of [value].flat()) if (one !== null && name !== 'data') BigInt(one as string)
  }
}

test.each(reads)('%s with an invalid answer is unknown, or throws the documented error', async (method, read) => {
  for (const answer of odd) {
    const outcome = await readerOf(nodeThat(method, answer))
      .then(read)
      .then(use)
      .catch((error: unknown) => error)
    if (outcome !== undefined) expect(outcome, JSON.stringify(answer)).toSatisfy(isDocumented)
  }
})

test('a list with one invalid log is unknown', async () => {
  const chain = await readerOf(nodeThat('eth_getLogs', [log, { ...log, topics: undefined }]))
  expect(await chain.logs({ fromBlock: 1 })).toBeUndefined()
})
