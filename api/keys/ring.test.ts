/** Keys in memory, while the store answers out of turn. */
import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { StoredKey } from './keys.ts'
import { createKeyRing } from './ring.ts'

const stored = (key: string): StoredKey => ({
  id: key,
  tier: 'business',
  label: '',
  hash: hash('sha256', key),
  prefix: '',
  created: 0,
  expires: 0,
  revoked: false,
  replaced: '',
  operations: [],
  networks: [],
  sources: [],
  test: false,
})

test('a look that began earlier and takes longer does not bring a revoked key back', async () => {
  const answers: ((keys: StoredKey[]) => void)[] = []
  const list = () => new Promise<StoredKey[]>((resolve) => answers.push(resolve))
  const ring = createKeyRing({ clock: { now: () => 1 } as never }, { list })
  const [early, late] = [ring.refresh(), ring.refresh()]
  answers[1]?.([stored('new')])
  await late
  answers[0]?.([stored('revoked since')])
  await early
  expect(['new', 'revoked since'].map((key) => ring.find(key)?.id)).toEqual(['new', undefined])
  const next = ring.refresh()
  answers[2]?.([])
  await next
  expect(ring.find('new')).toBeUndefined()
})
