import { expect, test } from 'vitest'
import type { Task } from './protocol.ts'
import { createTaskStore, type SharedTasks } from './tasks.ts'

const taskOf = (id: string, state: Task['status']['state'] = 'completed'): Task => ({
  kind: 'task',
  id,
  contextId: 'c',
  status: { state, timestamp: '2026-11-23T00:00:00.000Z' },
  artifacts: [],
  history: [],
})
/** What replicas share, as Redis would keep it. */
const sharedTasks = (): SharedTasks => {
  const texts = new Map<string, { text: string; ended: boolean }>()
  return {
    get: async (id) => texts.get(id)?.text,
    put: async (id, text, ended) => {
      if (!texts.get(id)?.ended) texts.set(id, { text, ended })
    },
  }
}

test('evicts only tasks of the caller that creates thousands of them', async () => {
  const tasks = createTaskStore()
  tasks.put('quiet', taskOf('kept'))
  for (let n = 0; n < 5_000; n++) tasks.put('busy', taskOf(`busy ${n}`))
  expect(await tasks.get('quiet', 'kept')).toEqual(taskOf('kept'))
  expect(await tasks.get('busy', 'busy 4999')).toBeDefined()
  expect(await tasks.get('busy', 'busy 4499')).toBeUndefined()
})

test('evicts only tasks of the caller whose tasks are large', async () => {
  const tasks = createTaskStore()
  tasks.put('quiet', taskOf('kept'))
  const long = 'x'.repeat(300_000)
  for (let n = 0; n < 200; n++) tasks.put('busy', { ...taskOf(`busy ${n}`), contextId: long })
  expect(await tasks.get('quiet', 'kept')).toEqual(taskOf('kept'))
  expect(await tasks.get('busy', 'busy 199')).toBeDefined()
  expect(await tasks.get('busy', 'busy 180')).toBeUndefined()
})

test('finds a task on every replica, for its caller only', async () => {
  const shared = sharedTasks()
  const [one, two] = [createTaskStore({ shared }), createTaskStore({ shared })]
  one.put('caller', taskOf('a', 'input-required'))
  expect(await two.get('caller', 'a')).toEqual(taskOf('a', 'input-required'))
  expect(await two.get('other', 'a')).toBeUndefined()
  // Where one replica goes on with it, the others know.
  two.put('caller', taskOf('a', 'completed'))
  expect(await one.get('caller', 'a')).toEqual(taskOf('a', 'completed'))
  // It stays as it ended, whatever a late replica says.
  one.put('caller', taskOf('a', 'canceled'))
  expect(await two.get('caller', 'a')).toEqual(taskOf('a', 'completed'))
})

test('treats an unreadable shared entry as missing', async () => {
  const shared: SharedTasks = { get: async () => '{"caller":1}', put: async () => undefined }
  const tasks = createTaskStore({ shared })
  tasks.put('caller', taskOf('a'))
  expect(await tasks.get('caller', 'a')).toEqual(taskOf('a'))
})
