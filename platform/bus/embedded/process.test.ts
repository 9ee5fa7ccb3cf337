import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isRunning, thisProcess } from './process.ts'

test('distinguishes a live process from a dead one and, with /proc, from another process with the same PID', async () => {
  expect(isRunning(thisProcess())).toBe(true)
  if (existsSync('/proc')) expect(isRunning(`${process.pid}:1`)).toBe(false)
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  expect(isRunning(`${child.pid}:`)).toBe(false)
})
