/** `npm run docs`: writes the documents that are made from the system itself. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../platform/config.ts'
import { writeDataDictionary } from './data-dictionary.ts'
import { createContext } from './process/process.ts'
import { openSharedStore } from './roles/parts.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-docs-'))
const config = loadConfig({ ASSAY_DATA: folder, ASSAY_LOG_LEVEL: 'warn' })
const context = createContext(config, 'docs')
try {
  await writeDataDictionary(await openSharedStore(context, config))
} finally {
  await context.lifecycle.close()
  rmSync(folder, { recursive: true, force: true })
}
