/** Keys in memory, while the store answers out of turn. */
import { expect, test } from 'vitest'
import { storedKey } from '../../test/kit/stored-key.ts'
import type { StoredKey } from './keys.ts'
import { createKeyRing } from './ring.ts'

test('a slow read that began earlier does not restore a revoked key', async () => {
  const answers: ((keys: StoredKey[]) => void)[] = []
  const list = () => new Promise<StoredKey[]>((resolve) => answers.push(resolve))
  const ring = createKeyRing({ clock: { now: () => 1 } as never }, { list })
  const [early, late] = [ring.refresh(), ring.refresh()]
  answers[1]?.([storedKey('new')])
  await late
  answers[0]?.([storedKey('revoked since')])
  await early
  expect(['new', 'revoked since'].map((key) => ring.find(key)?.id)).toEqual(['new', undefined])
  const next = ring.refresh()
  answers[2]?.([])
  await next
  expect(ring.find('new')).toBeUndefined()
})
