import { expect, test } from 'vitest'
import { createLifecycle } from './lifecycle.ts'

test('runs closers in reverse order, and names those that fail or hang', async () => {
  const { onClose, close } = createLifecycle(20)
  const closed: string[] = []
  onClose('first', () => void closed.push('first'))
  onClose('hangs', () => new Promise(() => undefined))
  onClose('fails', () => Promise.reject(new Error('no')))
  onClose('last', () => void closed.push('last'))
  expect(await close()).toEqual({ failed: ['fails'], late: ['hangs'] })
  expect(closed).toEqual(['last', 'first'])
})

test('closes resources that are opened during or after the close', async () => {
  const { onClose, close, signal } = createLifecycle(20)
  const closed: string[] = []
  onClose('store', () => void closed.push('store'))
  const closing = close()
  expect(signal.aborted).toBe(true)
  onClose('consumer', () => void closed.push('consumer'))
  await closing
  onClose('hangs', () => new Promise(() => undefined))
  expect(await close()).toEqual({ failed: [], late: ['hangs'] })
  expect(closed).toEqual(['store', 'consumer'])
})

test('gives a resource with a longer deadline that time', async () => {
  const { onClose, close } = createLifecycle(20)
  const closed: string[] = []
  onClose('given up', () => new Promise(() => undefined))
  onClose('wait', () => new Promise((resolve) => setTimeout(() => resolve(void closed.push('wait')), 60)), 60_000)
  expect(await close()).toEqual({ failed: [], late: ['given up'] })
  expect(closed).toEqual(['wait'])
})
