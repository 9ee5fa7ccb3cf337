/** `assay backup` and `assay restore`. docs/operate/backup-and-scaling.md explains them. */

import type { Config } from '../../../platform/config/config.ts'
import { OperatorError } from '../../../platform/errors.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { openToolStore } from '../../process/store-socket.ts'
import { runTool } from '../tool.ts'
import { type BackupReport, backup } from './backup.ts'
import { restore } from './restore.ts'

const OPEN = readSql(import.meta.url, './sql/open.sql')

/** @throws OperatorError ASSAY_BACKUP_SERVER */
const refuseServer = (config: Config) => {
  if (!config.CLICKHOUSE_URL) return
  throw new OperatorError(
    'ASSAY_BACKUP_SERVER',
    'CLICKHOUSE_URL is set, and a ClickHouse server makes its own backups. Nothing was copied. Stop the scorers, run assay backup --check, then the statement in docs/operate/backup-and-scaling.md.',
  )
}

const size = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

const linesOf = (done: string, { folder, takenAt, files, bytes, networks }: BackupReport): string[] => [
  `${done} ${files} files, ${size(bytes)}: ${folder}`,
  `Taken at ${takenAt}.`,
  ...networks.map(({ network, first_block, last_block }) => `${network}: final blocks ${first_block} to ${last_block}`),
]

type OutputOptions = { json: boolean }

const show = (done: string, report: BackupReport, { json }: OutputOptions, say: (line: string) => void) => {
  for (const line of json ? [JSON.stringify(report)] : linesOf(done, report)) say(line)
}

/** @throws OperatorError ASSAY_BACKUP_SERVER, ASSAY_BACKUP_IN_USE, ASSAY_BACKUP_EMPTY, ASSAY_BACKUP_FOLDER */
export const backupCommand = async (
  config: Config,
  { to, version, ...shown }: OutputOptions & { to: string; version: string },
): Promise<void> => {
  refuseServer(config)
  await runTool(config, 'backup', async ({ context: { log, metrics }, say, progress }) => {
    let sum = 0
    const copied = (bytes: number) => {
      sum += bytes
      if (!shown.json) progress(() => `${size(sum)} copied`)
    }
    show('Copied', await backup({ data: config.ASSAY_DATA, to, version }, { log, metrics, copied }), shown, say)
  })
}

/** @throws OperatorError ASSAY_BACKUP_SERVER, ASSAY_BACKUP_DAMAGED, ASSAY_RESTORE_OCCUPIED */
export const restoreCommand = async (
  config: Config,
  { from, ...shown }: OutputOptions & { from: string },
): Promise<void> => {
  refuseServer(config)
  await runTool(config, 'restore', async ({ say, progress }) => {
    let sum = 0
    const copied = (bytes: number) => {
      sum += bytes
      if (!shown.json) progress(() => `${size(sum)} copied`)
    }
    show('Restored', await restore({ data: config.ASSAY_DATA, from }, copied), shown, say)
  })
}

/** Unfinished chunks and moves. While there are any, BACKUP of a server must not run. */
export const openWork = async (store: Store): Promise<string[]> =>
  (await store.query<{ what: string }>(OPEN)).map(({ what }) => what)

/** @throws OperatorError ASSAY_BACKUP_UNSETTLED */
export const checkBackupCommand = async (config: Config, { json }: OutputOptions): Promise<void> => {
  await runTool(config, 'backup', async ({ context, say }) => {
    const open = await openWork(await openToolStore(context, config))
    if (json) say(JSON.stringify({ open }))
    if (open.length > 0) {
      throw new OperatorError(
        'ASSAY_BACKUP_UNSETTLED',
        `Scorers have unfinished work: ${open.slice(0, 3).join('; ')}. A server backup taken now would count it twice after a restore. Stop the scorers with SIGTERM, wait until they have ended, and check again. Work of a killed scorer is finished by the next one that runs.`,
      )
    }
    if (!json) say('No unfinished work. The server can be backed up while the scorers are stopped.')
  })
}
