import { expect, test } from 'vitest'
import { createLifecycle } from './lifecycle.ts'

test('closers run in reverse order, and what fails or hangs is named', async () => {
  const { onClose, close } = createLifecycle(20)
  const closed: string[] = []
  onClose('first', () => void closed.push('first'))
  onClose('hangs', () => new Promise(() => undefined))
  onClose('fails', () => Promise.reject(new Error('no')))
  onClose('last', () => void closed.push('last'))
  expect(await close()).toEqual({ failed: ['fails'], late: ['hangs'] })
  expect(closed).toEqual(['last', 'first'])
})

test('what is opened while the others close, or after, is closed too', async () => {
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

test('what has to wait longer than the others is given that time', async () => {
  const { onClose, close } = createLifecycle(20)
  const closed: string[] = []
  onClose('given up', () => new Promise(() => undefined))
  onClose('wait', () => new Promise((resolve) => setTimeout(() => resolve(void closed.push('wait')), 60)), 60_000)
  expect(await close()).toEqual({ failed: [], late: ['given up'] })
  expect(closed).toEqual(['wait'])
})
