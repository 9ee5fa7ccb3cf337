import { describe, expect, test } from 'vitest'
import { openTestStore } from '../../kit/store.ts'
import { describeStore } from './suite.ts'

describe('the store in process', () => describeStore(() => openTestStore({ migrated: false })))

test('takes lists far longer than the default size of a statement, as literals', async () => {
  const kit = await openTestStore({ migrated: false })
  const addresses = Array.from({ length: 50_000 }, (_, index) => `0x${index.toString(16).padStart(40, '0')}`)
  const rows = await kit.store.query<{ known: string }>('SELECT length({addresses:Array(String)}) AS known', {
    addresses,
  })
  expect(rows).toEqual([{ known: String(addresses.length) }])
  await kit.close()
})
