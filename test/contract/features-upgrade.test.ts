/** Feature states of a database that was filled before a migration added some. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createLog } from '../../platform/log.ts'
import { migrate, readMigrations } from '../../platform/store/migrate.ts'
import type { Store } from '../../platform/store/store.ts'
import { NETWORKS } from '../../schema/networks.ts'
import { openTestStore, type TestStore } from '../kit/store.ts'
import { insertRows, named, rowsOf, type Tx } from '../kit/world/transactions.ts'

const FOLDER = new URL('../../schema/clickhouse/', import.meta.url)
const NEW = ['0035_wallet_partners.sql', '0036_asset_approvals.sql', '0052_spoken_of.sql', '0053_final_views.sql']
const DUST = NETWORKS.ETH.nativeCoin.dust
const [ann, bob, cat, tok] = ['ann', 'bob', 'cat', 'tok'].map(named) as [string, string, string, string]

const WORLD: Tx[] = [
  { from: cat, to: ann, block: 1, value: DUST - 1n },
  { from: bob, to: ann, block: 2, value: DUST },
  { from: ann, to: cat, block: 3, value: 3n * DUST },
  { from: cat, to: tok, block: 4, actions: [{ do: 'internal', from: cat, to: ann, amount: 2n * DUST }] },
  { from: cat, to: tok, block: 5, actions: [{ do: 'token', from: cat, to: ann, asset: tok, amount: 7n }] },
  { from: cat, to: tok, block: 6, actions: [{ do: 'token', from: ann, to: bob, asset: tok, amount: 7n }] },
  { from: ann, to: tok, block: 7, actions: [{ do: 'token', from: ann, to: tok, asset: tok, amount: 7n }] },
  { from: ann, to: tok, block: 8, actions: [{ do: 'approve', owner: ann, spender: bob, asset: tok, amount: 7n }] },
  { from: bob, to: tok, block: 9, actions: [{ do: 'approve', owner: cat, spender: bob, asset: tok, amount: 7n }] },
  { from: bob, to: tok, block: 9, actions: [{ do: 'authority', authority: tok, event: 'freeze', subject: ann }] },
  { from: bob, to: tok, block: 9, actions: [{ do: 'authority', authority: tok, event: 'pause', subject: cat }] },
]
const LABEL = {
  ...{ network: 'TRON', address: bob, label: 'phishing', detector: 'list', class: 'reported', confidence: 1 },
  ...{ detector_version: '1', evidence: '{}', found_at: 1_700_000_000, version: 1 },
}
const FEATURES = `SELECT * EXCEPT (network) FROM wallet_features_all WHERE network = 'ETH' ORDER BY address`
const SIGNERS = `SELECT asset, toUInt32(signers) AS signers FROM asset_approvals_all WHERE network = 'ETH'`

const SPOKEN = 'SELECT network, address, max(s.listed) AS listed FROM spoken_of AS s GROUP BY ALL ORDER BY address'

const fill = async (store: Store) => {
  await insertRows(store, rowsOf(WORLD))
  await store.insert('address_labels', JSON.stringify(LABEL))
}

const folder = mkdtempSync(join(tmpdir(), 'assay-migrations-'))
let kit: TestStore | undefined
afterEach(async () => {
  await kit?.close()
  rmSync(folder, { recursive: true, force: true })
})

test('history indexed before a new state gives the same features as history indexed after it', async () => {
  kit = await openTestStore({ migrated: false })
  const { store } = kit
  const log = createLog('silent')
  for (const { name } of readMigrations())
    if (!NEW.includes(name)) copyFileSync(new URL(name, FOLDER), join(folder, name))
  await migrate({ store, log, folder })
  await fill(store)
  expect(await migrate({ store, log })).toEqual(NEW)
  const upgraded = await store.query(FEATURES)
  const signers = await store.query(SIGNERS)
  const spoken = await store.query(SPOKEN)
  await kit.truncate()
  await fill(store)
  expect(upgraded).toEqual(await store.query(FEATURES))
  expect(upgraded.length).toBe(4)
  expect(signers).toEqual([{ asset: tok, signers: 1 }])
  expect(signers).toEqual(await store.query(SIGNERS))
  expect(spoken).toEqual([
    { network: 'ETH', address: ann, listed: 1 },
    { network: 'TRON', address: bob, listed: 0 },
  ])
  expect(spoken).toEqual(await store.query(SPOKEN))
})
