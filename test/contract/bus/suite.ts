import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { Bus } from '../../../platform/bus/bus.ts'
import { openBus } from '../../../platform/bus/index.ts'
import { createLog } from '../../../platform/context/log.ts'
import { type Block, emptyRows } from '../../../schema/block.ts'
import {
  decodeBlocks,
  encodeBlocks,
  encodeFinal,
  encodeUndo,
  MAX_MESSAGE_BYTES,
  stamp,
} from '../../../schema/topics.ts'
import { until } from '../../kit/until.ts'
import { groupSuite } from './groups.suite.ts'
import { type childArguments, consume, createTopic, message, readAll, texts, unique } from './helpers.ts'

type BusUnderTest = z.input<typeof childArguments>['bus']

/** What every bus keeps. `options` may be asked only after the caller's own `beforeAll`. */
export const busSuite = (name: string, options: () => BusUnderTest) => {
  describe(`${name} bus`, () => {
    let bus: Bus
    const opened: Bus[] = []
    const open = async () => {
      const another = await openBus({ ...options(), log: createLog(process.env.ASSAY_LOG_LEVEL ?? 'silent') })
      opened.push(another)
      return another
    }
    groupSuite(open)
    beforeAll(async () => {
      bus = await open()
    })
    afterAll(async () => {
      for (const each of opened.reverse()) await each.close()
    })

    test('keeps order, keys, headers, bytes and time of a partition, within and across sends', async () => {
      const topic = await createTopic(bus)
      const before = Date.now()
      const producer = await bus.producer()
      const bytes = Buffer.from([0, 255, 10, 13, 0])
      await producer.send([{ topic, messages: [{ key: 'ключ', value: bytes, headers: { a: '1', b: 'ü' } }] }])
      await producer.send([{ topic, messages: [message('one'), message('two', { key: 'k' })] }])
      await Promise.all(['three', 'four', 'five'].map((text) => producer.send([{ topic, messages: [message(text)] }])))
      const messages = await readAll(bus, topic)
      expect(
        messages.map(({ key, value, headers, offset }) => ({ key, value: value.toString(), headers, offset })),
      ).toEqual([
        { key: 'ключ', value: bytes.toString(), headers: { a: '1', b: 'ü' }, offset: 0n },
        { key: undefined, value: 'one', headers: {}, offset: 1n },
        { key: 'k', value: 'two', headers: {}, offset: 2n },
        { key: undefined, value: 'three', headers: {}, offset: 3n },
        { key: undefined, value: 'four', headers: {}, offset: 4n },
        { key: undefined, value: 'five', headers: {}, offset: 5n },
      ])
      for (const { timestamp } of messages) expect(timestamp).toBeGreaterThanOrEqual(before)
      await producer.close()
      await producer.close()
    })

    test('maps equal keys to one partition, uses a named partition and spreads the rest', async () => {
      const topic = await createTopic(bus, { partitions: 3 })
      const producer = await bus.producer()
      const keys = Array.from({ length: 60 }, (_, index) => `key ${index % 20}`)
      await producer.send([{ topic, messages: keys.map((key) => message('by key', { key })) }])
      await producer.send([{ topic, messages: [message('named', { key: 'key 1', partition: 2 })] }])
      await producer.send([{ topic, messages: Array.from({ length: 6 }, () => message('any')) }])
      const partitions = await Promise.all([0, 1, 2].map((partition) => readAll(bus, topic, partition)))
      const homes = new Map<string, Set<number>>()
      for (const { key, partition, value } of partitions.flat())
        if (value.toString() === 'by key') homes.set(key ?? '', (homes.get(key ?? '') ?? new Set()).add(partition))
      expect(homes.size).toBe(20)
      for (const home of homes.values()) expect(home.size).toBe(1)
      expect(partitions.map((messages) => texts(messages).filter((text) => text === 'any').length)).toEqual([2, 2, 2])
      expect(texts(partitions[2]!)).toContain('named')
    })

    test('creating a topic again changes nothing', async () => {
      const topic = await createTopic(bus, { partitions: 2 })
      await bus.createTopics([{ topic, partitions: 5, compacted: true }])
      expect(await bus.offsets(topic)).toEqual([
        { partition: 0, first: 0n, next: 0n },
        { partition: 1, first: 0n, next: 0n },
      ])
    })

    test('reports a missing topic, an oversized message and a closed part', async () => {
      const topic = await createTopic(bus)
      const producer = await bus.producer({ transactionalId: unique('id') })
      const codeOf = (send: Promise<unknown>) =>
        send.then(
          () => 'none',
          (error: { code: string }) => error.code,
        )
      expect(await codeOf(producer.send([{ topic: unique('none'), messages: [message('lost')] }]))).toBe(
        'ASSAY_BUS_TOPIC_UNKNOWN',
      )
      const large = { value: Buffer.alloc(1_100_000) }
      expect(await codeOf(producer.send([{ topic, messages: [message('half'), large] }]))).toBe('ASSAY_BUS_REJECTED')
      const astray = message('astray', { partition: 7 })
      expect(await codeOf(producer.send([{ topic, messages: [message('half'), astray] }]))).toBe('ASSAY_BUS_REJECTED')
      await producer.send([{ topic, messages: [message('whole')] }])
      expect(texts(await readAll(bus, topic))).toEqual(['whole'])
      await producer.close()
      expect(await codeOf(producer.send([{ topic, messages: [message('late')] }]))).toBe('ASSAY_BUS_CLOSED')
    })

    test('refuses messages without a key on a compacted topic, along with their whole send', async () => {
      const [topic, beside] = [await createTopic(bus, { compacted: true }), await createTopic(bus)]
      const producer = await bus.producer({ transactionalId: unique('id') })
      const sends = [
        { topic: beside, messages: [message('beside')] },
        { topic, messages: [message('no key')] },
      ]
      await expect(producer.send(sends)).rejects.toMatchObject({ code: 'ASSAY_BUS_REJECTED' })
      await producer.send([{ topic, messages: [message('with', { key: 'key' })] }])
      expect(texts(await readAll(bus, topic))).toEqual(['with'])
      expect(await readAll(bus, beside)).toEqual([])
      await producer.close()
    })

    test('a transaction writes undo, redo and rows to several topics atomically', async () => {
      const head = await createTopic(bus)
      const touched = await createTopic(bus, { partitions: 2 })
      const producer = await bus.producer({ transactionalId: unique('id') })
      const { got, consumer } = await consume(bus, { groupId: unique('group'), topics: [head] })
      const block = (number: number): Block => ({
        network: 'ETH',
        number,
        hash: `0x${number}`,
        parentHash: `0x${number - 1}`,
        time: number,
        rows: emptyRows(),
      })
      await producer.send([
        {
          topic: head,
          messages: [encodeUndo('ETH', 7, 9, '0x6'), ...encodeBlocks([block(7)]), ...encodeBlocks([block(8)])],
        },
        { topic: touched, messages: [message('a', { partition: 0 }), message('b', { partition: 1 })] },
      ])
      await producer.send([{ topic: head, messages: [encodeFinal('ETH', 7, '0x7')] }])
      await until('four messages', () => got.length >= 4)
      expect(got.map(({ headers }) => `${headers.step} ${headers.from}`)).toEqual([
        'undo 7',
        'new 7',
        'new 8',
        'final 7',
      ])
      expect(texts([...(await readAll(bus, touched, 0)), ...(await readAll(bus, touched, 1))])).toEqual(['a', 'b'])
      await consumer.close()
      await producer.close()
    })

    test('a killed producer leaves only whole transactions, with every acknowledged one', async () => {
      const topics: [string, string] = [await createTopic(bus), await createTopic(bus)]
      const transactionalId = unique('id')
      let sent = 0
      for (let round = 0; round < 3; round += 1) {
        const script = new URL('child.ts', import.meta.url).pathname
        const child = spawn(
          process.execPath,
          ['--import', 'tsx', script, JSON.stringify({ bus: options(), transactionalId, topics })],
          { stdio: ['ignore', 'pipe', 'inherit'] },
        )
        const exit = once(child, 'exit')
        let acknowledged = 0
        for await (const _ of createInterface({ input: child.stdout })) {
          acknowledged += 1
          if (acknowledged === 20 + round * 7) child.kill('SIGKILL')
        }
        await exit
        const successor = await bus.producer({ transactionalId })
        await successor.close()
        const [first, second] = [await readAll(bus, topics[0]), await readAll(bus, topics[1])]
        const whole = second.length - sent
        expect(whole).toBeGreaterThanOrEqual(acknowledged)
        const starts = (messages: typeof first) => texts(messages).map((text) => text.split(' ').slice(0, 2).join(' '))
        expect(starts(second.slice(sent))).toEqual(Array.from({ length: whole }, (_, number) => `${number} other`))
        expect(starts(first.slice(sent * 2))).toEqual(
          Array.from({ length: whole }, (_, number) => [`${number} undo`, `${number} redo`]).flat(),
        )
        sent = second.length
      }
    })

    test('a second producer with an ID fences the first, which leaves nothing behind', async () => {
      const topic = await createTopic(bus)
      const transactionalId = unique('id')
      const older = await bus.producer({ transactionalId })
      await older.send([{ topic, messages: [message('by the older')] }])
      const newer = await (await open()).producer({ transactionalId })
      await expect(older.send([{ topic, messages: [message('too late')] }])).rejects.toMatchObject({
        code: 'ASSAY_BUS_FENCED',
      })
      await expect(older.send([{ topic, messages: [message('again')] }])).rejects.toMatchObject({
        code: 'ASSAY_BUS_FENCED',
      })
      await newer.send([{ topic, messages: [message('by the newer')] }])
      expect(texts(await readAll(bus, topic))).toEqual(['by the older', 'by the newer'])
      await older.close()
      await newer.close()
    })

    test('splits blocks larger than a message into parts and reassembles them', async () => {
      const topic = await createTopic(bus)
      const rows = emptyRows()
      for (let index = 0; index < 12_000; index += 1)
        rows.tokens.push({
          network: 'ETH',
          block_number: 1,
          block_time: 1,
          position: String(index),
          tx_hash: `0x${index.toString(16).padStart(64, '0')}`,
          token: `0x${(index * 7919).toString(16).padStart(40, '0')}`,
          standard: 'erc20',
          name: `Token ${index}`,
          symbol: `T${index}`,
          decimals: 18,
        })
      const parts = encodeBlocks([{ network: 'ETH', number: 1, hash: '0x1', parentHash: '0x0', time: 1, rows }]).map(
        (part) => stamp(part, 'a log'),
      )
      expect(parts.length).toBeGreaterThan(2)
      const producer = await bus.producer({ transactionalId: unique('id') })
      await producer.send([{ topic, messages: parts }])
      const { got, consumer } = await consume(bus, {
        groupId: unique('group'),
        topics: [topic],
        maxBytes: MAX_MESSAGE_BYTES,
      })
      await until('all parts', () => got.length === parts.length)
      await consumer.close()
      const decoded = got.map((part) => decodeBlocks(part))
      expect(decoded.map(({ headers }) => headers.part)).toEqual(parts.map((_, part) => part))
      const lines = Buffer.concat(decoded.flatMap(({ sections }) => sections.map((section) => section.rows))).toString()
      expect(lines).toBe(rows.tokens.map((row) => `${JSON.stringify(row)}\n`).join(''))
    })

    test('offsets and read return the tail from any offset to the end', async () => {
      const topic = await createTopic(bus, { partitions: 2 })
      const transactionalId = unique('id')
      const producer = await bus.producer({ transactionalId })
      for (let number = 0; number < 10; number += 1)
        await producer.send([{ topic, messages: [message(`m${number}`, { partition: 1 })] }])
      await bus.producer({ transactionalId })
      const [empty, full] = await bus.offsets(topic)
      expect(empty).toEqual({ partition: 0, first: 0n, next: 0n })
      expect(full?.first).toBe(0n)
      const messages = await readAll(bus, topic, 1)
      expect(texts(messages)).toEqual(Array.from({ length: 10 }, (_, number) => `m${number}`))
      expect(full!.next).toBeGreaterThan(messages.at(-1)!.offset)
      expect(texts(await readAll(bus, topic, 1, messages[7]!.offset))).toEqual(['m7', 'm8', 'm9'])
      expect(await readAll(bus, topic, 1, full!.next)).toEqual([])
      expect(await readAll(bus, topic, 0)).toEqual([])
    })

    test('is healthy', async () => {
      expect(await bus.healthy()).toBe(true)
    })
  })
}
