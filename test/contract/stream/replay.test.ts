import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { queueWallets } from '../../../deploy/commands/stream/queue-wallets.ts'
import type { Bus } from '../../../platform/bus/bus.ts'
import { deadLetter } from '../../../platform/bus/delivery/dead-letter.ts'
import { decodeRescore, encodeRescore, RESCORE_PARTITIONS, topics } from '../../../schema/topics.ts'
import { scoredWallets } from '../../../scorer/ledger/records.ts'
import { setUpInstallation } from './kit.ts'

const { data, store, bus, assay } = setUpInstallation(['ETH', 'BASE'])

const address = (number: number) => `0x${number.toString(16).padStart(40, '0')}`
const list = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => address(from + index))

/** Everything queued for a network since the offsets, partition by partition. */
const queuedSince = async (bus: Bus, network: 'ETH' | 'BASE', starts: readonly bigint[]) => {
  const found: string[] = []
  for (const [partition, from] of starts.entries()) {
    for await (const { value } of bus.read(topics.rescore(network), partition, from))
      found.push(...decodeRescore(value))
  }
  return found.sort()
}
const ends = async (network: 'ETH' | 'BASE') => (await bus().offsets(topics.rescore(network))).map(({ next }) => next)

const record = (network: string, wallet: string) =>
  JSON.stringify({
    network,
    address: wallet,
    version: '1',
    status: 'Not Fraud',
    probability: 0,
    body: '{}',
    reasons: '[]',
    unknowns: [],
    model_version: 'm',
    data_height: 1,
    created_at: 1,
    computed_at: 1,
  })

test('without a list, queues every wallet of the network with a record once, in pages', async () => {
  const wallets = list(1, 12_345)
  await store().insert(
    'wallet_records',
    [...wallets, ...wallets.slice(0, 9)].map((one) => record('ETH', one)).join('\n'),
  )
  await store().insert('wallet_records', record('BASE', address(1)))
  const starts = await ends('ETH')
  const done = await assay(['replay', '--network', 'ethereum'])
  expect(done).toMatchObject({ code: 0, err: '' })
  expect(done.out).toMatch(/Queued 12345 wallets of ETH for scoring\.\n$/)
  expect(await queuedSince(bus(), 'ETH', starts)).toEqual(wallets)
  expect(await ends('BASE')).toEqual(Array.from({ length: RESCORE_PARTITIONS }, () => 0n))
})

test('an interrupted run continues after the printed address, and keeps to the page size', async () => {
  const sizes: number[] = []
  const seen: string[] = []
  let last = ''
  const dying = queueWallets(
    {
      send: async ([send]) => {
        if (sizes.length === 2) throw new Error('killed')
        const addresses = (send?.messages ?? []).flatMap(({ value }) => decodeRescore(value))
        sizes.push(addresses.length)
        seen.push(...addresses)
      },
    },
    'ETH',
    scoredWallets(store(), 'ETH', { limit: 1_000 }),
    (queued) => {
      last = queued.last
    },
  )
  await expect(dying).rejects.toThrow('killed')
  expect(sizes).toEqual([1_000, 1_000])
  const starts = await ends('ETH')
  await assay(['replay', '--network', 'ETH', '--after', last])
  expect([...seen, ...(await queuedSince(bus(), 'ETH', starts))].sort()).toEqual(list(1, 12_345))
})

test('reads a list from a file or standard input, in any spelling, without comments', async () => {
  const file = join(data, 'wallets.txt')
  writeFileSync(
    file,
    `# ours\r\n${address(10).toUpperCase().replace('X', 'x')}\r\n\r\n  ${address(11)}  \n${address(12)}`,
  )
  const before = await ends('ETH')
  const read = await assay(['replay', '--network', 'ETH', '--addresses', file, '--json'])
  expect(read.err).toContain('Queued 3 wallets of ETH for scoring.\n')
  expect(JSON.parse(read.out)).toEqual({ network: 'ETH', queued: 3, last: address(12), interrupted: false })
  expect(await queuedSince(bus(), 'ETH', before)).toEqual(list(10, 12))
  const after = await ends('ETH')
  const piped = await assay(['replay', '--network', 'ETH', '--addresses', '-', '--after', address(1)], {
    input: `${list(1, 3).join('\n')}\n`,
  })
  expect(piped).toMatchObject({ code: 0, out: expect.stringMatching(/Queued 2 wallets of ETH for scoring\.\n$/) })
  expect(await queuedSince(bus(), 'ETH', after)).toEqual(list(2, 3))
})

test('refuses an invalid address line, file and network with a code', async () => {
  const starts = await ends('ETH')
  const line = await assay(['replay', '--network', 'ETH', '--addresses', '-'], { input: `${address(1)}\n0x12\n` })
  expect(line).toMatchObject({
    code: 1,
    err: expect.stringMatching(/ASSAY_TOOL_ADDRESS: Line 2 \(0x12\) is not an address/),
  })
  const file = await assay(['replay', '--network', 'ETH', '--addresses', join(data, 'none')])
  expect(file).toMatchObject({ code: 1, err: expect.stringContaining('ASSAY_TOOL_OPTION') })
  const network = await assay(['replay', '--network', 'DOGE'])
  expect(network).toMatchObject({ code: 1, err: expect.stringContaining('ASSAY_TOOL_OPTION') })
  const both = await assay(['replay', '--network', 'ETH', '--dead-letters', '--addresses', '-'])
  expect(both).toMatchObject({ code: 1, err: expect.stringContaining('ASSAY_TOOL_OPTION') })
  expect(await ends('ETH')).toEqual(starts)
})

test('returns dead letters of the queue once, and keeps others with a remedy', async () => {
  const from = (topic: string, offset: bigint, value: Buffer, headers = {}) =>
    deadLetter(
      { topic, partition: 1, offset, key: undefined, value, headers, timestamp: 0 },
      'could not be read',
      'token',
    )
  const [good] = encodeRescore(list(40, 42))
  const letters = [
    from(topics.rescore('ETH'), 5n, good!),
    from(topics.rescore('ETH'), 6n, Buffer.from('{torn')),
    from(topics.rescore('BASE'), 7n, good!),
    from(topics.head('ETH'), 8n, Buffer.from('x'), { from: '120', to: '122' }),
  ]
  const producer = await bus().producer()
  await producer.send([{ topic: topics.dlq, messages: letters }])
  await producer.close()
  const starts = await ends('ETH')
  const first = await assay(['replay', '--network', 'ETH', '--dead-letters'])
  expect(first).toMatchObject({ code: 0, err: '' })
  expect(first.out).toContain('rescore.ETH:1:5 was returned')
  expect(first.out).toMatch(/rescore\.ETH:1:6 stays on dlq .*still unreadable.*assay replay --network ETH --addresses/)
  expect(first.out).toMatch(/head\.ETH:1:8 stays on dlq .*blocks 120 to 122 cannot be returned/)
  expect(first.out).toMatch(/1 dead letters of ETH were returned to their topic, 2 stay on dlq\.\n$/)
  expect(await queuedSince(bus(), 'ETH', starts)).toEqual(list(40, 42))
  const again = await assay(['replay', '--network', 'ETH', '--dead-letters'])
  expect(again.out).toBe('0 dead letters of ETH were returned to their topic, 0 stay on dlq.\n')
  const other = await assay(['replay', '--network', 'BASE', '--dead-letters', '--json'])
  expect(other.err).toContain('rescore.BASE:1:7 was returned')
  expect(JSON.parse(other.out)).toMatchObject({ network: 'BASE', given: 1 })
})
