import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { type CodeReader, createCodeReader } from './reader.ts'
import { readCode, UNREAD } from './reading.ts'

let reader: CodeReader
afterEach(() => reader.close())

const CODE = '0x60003560e01c8063a0712d681460115700005b33600554146020576000fd5b60043560075500'

test('a thread reads the same as the process, and equal code only once', async () => {
  reader = createCodeReader()
  const [read, again] = await Promise.all([reader.read(CODE), reader.read(CODE)])
  expect(read).toEqual({ ...readCode(CODE), ms: expect.any(Number) })
  expect(again).toBe(read)
})

test('code that hangs or exhausts its thread is unread and does not affect others', async () => {
  reader = createCodeReader(new URL('../../../test/kit/contracts/hostile/hostile.worker.ts', import.meta.url), {
    runMs: 500,
    memoryMb: 32,
  })
  const hostile = [reader.read('hang'), reader.read('eat')]
  expect(await reader.read('honest')).toEqual({ code: 'honest' })
  expect(await Promise.all(hostile)).toEqual([UNREAD, UNREAD])
  expect(UNREAD.facts.complete).toBe(false)
})

test('hostile code does not block the process', async () => {
  reader = createCodeReader()
  await reader.read('0x00')
  const maze = `0x5b${'5f365f57'.repeat(60_000)}5f56`
  let turns = 0
  let reading = true
  const watch = async () => {
    for (; reading; turns++) await sleep(1)
  }
  const watching = watch()
  const found = await reader.read(maze)
  reading = false
  await watching
  expect(found.facts.complete).toBe(false)
  // Reading in the process itself would leave two turns at most, however slow the machine is.
  expect(turns).toBeGreaterThan(4)
})
