/** A data folder whose store a process serves, as `npm start` does, and the command line that works on it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { createContext } from '../../../deploy/process/process.ts'
import { serveStore } from '../../../deploy/process/store-socket.ts'
import { openSharedBus } from '../../../deploy/roles/parts.ts'
import { openSharedStore } from '../../../deploy/roles/shared-store.ts'
import type { Bus } from '../../../platform/bus/bus.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { runAssay } from '../../kit/processes/command-line.ts'
import { copyTemplate, storeTemplate } from '../../kit/store/store-template.ts'

/** Registers the hooks of a test file. */
export const setUpInstallation = (networks: readonly Network[]) => {
  const data = mkdtempSync(join(tmpdir(), 'assay-stream-'))
  const config = loadConfig({ ASSAY_DATA: data })
  const context = createContext({ ASSAY_LOG_LEVEL: 'silent' }, 'test')
  let store: Store
  let bus: Bus
  beforeAll(async () => {
    copyTemplate(await storeTemplate(), join(data, 'store'))
    store = await openSharedStore(context, config)
    bus = await openSharedBus(context, config, networks)
    await serveStore(context, config)
  })
  afterAll(async () => {
    await context.lifecycle.close()
    rmSync(data, { recursive: true, force: true })
  })

  const assay = (args: readonly string[], options: Parameters<typeof runAssay>[2] = {}) => runAssay(data, args, options)

  return { data, config, context, store: () => store, bus: () => bus, assay }
}
