import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { copyTemplate, storeTemplate } from '../store/store-template.ts'

const MAIN = join(import.meta.dirname, 'clickhouse-front.main.ts')

/**
 * The ClickHouse front in its own process, on a temporary folder: empty, or with every migration applied, which takes ten seconds
 * of processor time over HTTP. `close` ends it and removes the folder.
 */
export const startClickHouseFront = async ({ migrated = false } = {}) => {
  const path = mkdtempSync(join(tmpdir(), 'assay-front-'))
  if (migrated) copyTemplate(await storeTemplate(), path)
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, path, '0', 'secret'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const [url] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    exited.then(() => Promise.reject(new Error('the ClickHouse front did not start'))),
  ])) as [string]
  return {
    url,
    pid: child.pid,
    close: async () => {
      child.kill('SIGTERM')
      await exited
      rmSync(path, { recursive: true, force: true })
    },
  }
}
