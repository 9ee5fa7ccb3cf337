/** Migrates a new chDB folder: `node --import tsx test/kit/store/store-template.main.ts FOLDER`. */
import { createLog } from '../../../platform/context/log.ts'
import { createMetrics } from '../../../platform/context/metrics.ts'
import { migrate } from '../../../platform/store/migrate/migrate.ts'
import { openStore } from '../../../platform/store/open.ts'
import { saveFacts } from './store-template.ts'

const [path = ''] = process.argv.slice(2)
const log = createLog('silent')
const store = await openStore({ path, readers: 1, metrics: createMetrics(), log })
await migrate({ store, log })
// The ledger of migrations is hundreds of one-row parts, nearly all the files of the folder: merge them into one part.
const applied = await store.query('SELECT * FROM schema_migrations FINAL')
await store.command('TRUNCATE TABLE schema_migrations')
await store.insert('schema_migrations', applied.map((row) => `${JSON.stringify(row)}\n`).join(''))
await store.close()
saveFacts(path)
