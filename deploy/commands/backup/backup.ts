/**
 * Backup of a data folder: store, bus and small files, copied while no process uses them. Unlike BACKUP of the engine, a file
 * copy includes the deduplication logs of tables, which repeated inserts depend on.
 */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { z } from 'zod'
import type { Logger } from '../../../platform/context/log.ts'
import type { Metrics } from '../../../platform/context/metrics.ts'
import { OperatorError } from '../../../platform/errors.ts'
import { openStore } from '../../../platform/store/open.ts'
import { readSql } from '../../../platform/store/sql.ts'
import { copyOut, entriesShape } from './copy.ts'

const HELD = readSql(import.meta.url, './sql/held.sql')

/** File that lists all others of a backup. It is written last: a folder without it is not a backup. */
export const MANIFEST = 'backup.json'

/** Blocks of a network that are in final tables. */
const heldShape = z.object({ network: z.string(), first_block: z.number(), last_block: z.number() })

/** Manifest of a backup: final blocks of each network, and every file with its hash. */
export const manifestShape = z.object({
  format: z.literal(1),
  version: z.string(),
  takenAt: z.string(),
  networks: z.array(heldShape),
  entries: entriesShape,
})
/** A parsed manifest. */
export type Manifest = z.output<typeof manifestShape>

/**
 * Result of a backup or restore. `bytes` is the size of files, `networks` the block ranges in final tables.
 */
export type BackupReport = {
  folder: string
  takenAt: string
  files: number
  bytes: number
  networks: Manifest['networks']
}

/** Report of a backup or restore. */
export const reportOf = (folder: string, { takenAt, networks, entries }: Manifest): BackupReport => {
  const files = entries.filter((entry) => entry.kind === 'file')
  return { folder, takenAt, files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), networks }
}

/** @throws OperatorError ASSAY_BACKUP_FOLDER */
const checkTarget = (data: string, to: string) => {
  const refuse = (why: string): never => {
    throw new OperatorError(
      'ASSAY_BACKUP_FOLDER',
      `${to} ${why}. Nothing was copied. Choose a folder that does not exist.`,
    )
  }
  if (relative(resolve(data), resolve(to)).split(sep)[0] !== '..') refuse('is inside the data folder')
  if (existsSync(to) && (!statSync(to).isDirectory() || readdirSync(to).length > 0)) refuse('already exists')
}

/** @throws OperatorError ASSAY_BACKUP_EMPTY */
const checkSource = (data: string) => {
  if (existsSync(join(data, 'store'))) return
  throw new OperatorError(
    'ASSAY_BACKUP_EMPTY',
    `The data folder ${data} contains no store. Nothing was copied. Set ASSAY_DATA to the data folder of the service.`,
  )
}

const inUse = (data: string, cause?: unknown) =>
  new OperatorError(
    'ASSAY_BACKUP_IN_USE',
    `A process uses the data folder ${data}, so a copy would be inconsistent. Nothing was kept. Stop the service, run the backup, and start the service again.`,
    { cause },
  )

/** Changes when an engine opens or closes the store. */
const stampOf = (store: string): string => `${existsSync(join(store, 'status'))} ${statSync(store).mtimeMs}`

/** Block ranges in the store. Opening it also proves that no other process uses it, and completes unfinished work of a killed one. */
const heldIn = async (data: string, tools: { log: Logger; metrics: Metrics }): Promise<Manifest['networks']> => {
  let store: Awaited<ReturnType<typeof openStore>>
  try {
    store = await openStore({ path: join(data, 'store'), readers: 1, ...tools })
  } catch (cause) {
    throw cause instanceof OperatorError && cause.code === 'ASSAY_STORE_IN_USE' ? inUse(data, cause) : cause
  }
  try {
    return z.array(heldShape).parse(await store.query(HELD))
  } finally {
    await store.close()
  }
}

/**
 * Copies the data folder to another one, which appears under its name when it is complete.
 * @throws OperatorError ASSAY_BACKUP_IN_USE, ASSAY_BACKUP_EMPTY, ASSAY_BACKUP_FOLDER
 */
export const backup = async (
  { data, to, version }: { data: string; to: string; version: string },
  tools: { log: Logger; metrics: Metrics; copied?: (bytes: number) => void },
): Promise<BackupReport> => {
  checkTarget(data, to)
  checkSource(data)
  const networks = await heldIn(data, tools)
  const store = join(data, 'store')
  const before = stampOf(store)
  const part = `${resolve(to)}.part`
  await rm(part, { recursive: true, force: true })
  // The files include keys and secrets.
  await mkdir(part, { recursive: true, mode: 0o700 })
  try {
    const takenAt = new Date().toISOString()
    const entries = await copyOut(data, part, tools.copied ?? (() => undefined))
    if (stampOf(store) !== before) throw inUse(data)
    const manifest: Manifest = { format: 1, version, takenAt, networks, entries }
    await writeFile(join(part, MANIFEST), `${JSON.stringify(manifest)}\n`)
    await rename(part, to)
    return reportOf(to, manifest)
  } catch (error) {
    await rm(part, { recursive: true, force: true })
    // If a process has started since, it may have removed the file that failed to copy.
    throw stampOf(store) === before ? error : inUse(data, error)
  }
}
