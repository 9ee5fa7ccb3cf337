import { afterEach, expect, test, vi } from 'vitest'
import { createLifecycle } from '../../platform/context/lifecycle.ts'
import { testContext } from '../../test/kit/context.ts'
import { runRole } from './process.ts'

const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
afterEach(() => kill.mockClear())

/** Ends at once, and closes with what is given. */
const end = (close: () => Promise<void>) => {
  const context = { ...testContext(), lifecycle: createLifecycle(20) }
  context.lifecycle.onClose('part', close)
  return runRole(context, async () => ({ done: Promise.resolve() }))
}

test('a part that fails to close does not change the exit of the process', async () => {
  expect(await end(() => Promise.reject(new Error('no')))).toBe(0)
  expect(kill).not.toHaveBeenCalled()
})

test('a part that never closes does not keep the process alive', async () => {
  await end(() => new Promise(() => undefined))
  expect(kill.mock.calls).toEqual([[process.pid, 'SIGKILL']])
})
