/**
 * Backup of a data folder: its store, its bus, and the small files beside them, copied while nothing uses them. A copy of
 * files keeps the deduplication logs of tables, which BACKUP of the engine leaves out and repetitions depend on.
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

/** File of a backup that lists the others. It is written last: a folder without it is no backup. */
export const MANIFEST = 'backup.json'

/** Blocks of a network that are in final tables. */
const heldShape = z.object({ network: z.string(), first_block: z.number(), last_block: z.number() })

/** The list of a backup: what it holds of which networks, and every file with its hash. */
export const manifestShape = z.object({
  format: z.literal(1),
  version: z.string(),
  takenAt: z.string(),
  networks: z.array(heldShape),
  entries: entriesShape,
})
/** The list as it is read. */
export type Manifest = z.output<typeof manifestShape>

/**
 * What a backup or a restore was about. `bytes` counts files alone, `networks` states blocks that are in final
 * tables.
 */
export type BackupReport = {
  folder: string
  takenAt: string
  files: number
  bytes: number
  networks: Manifest['networks']
}

/** What is reported of a backup. */
export const reportOf = (folder: string, { takenAt, networks, entries }: Manifest): BackupReport => {
  const files = entries.filter((entry) => entry.kind === 'file')
  return { folder, takenAt, files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), networks }
}

/** @throws OperatorError ASSAY_BACKUP_FOLDER */
const checkTarget = (data: string, to: string) => {
  const refuse = (why: string): never => {
    throw new OperatorError(
      'ASSAY_BACKUP_FOLDER',
      `${to} ${why}. Nothing was copied. Name a folder that does not exist.`,
    )
  }
  if (relative(resolve(data), resolve(to)).split(sep)[0] !== '..') refuse('lies inside the data folder')
  if (existsSync(to) && (!statSync(to).isDirectory() || readdirSync(to).length > 0)) refuse('is there already')
}

/** @throws OperatorError ASSAY_BACKUP_EMPTY */
const checkSource = (data: string) => {
  if (existsSync(join(data, 'store'))) return
  throw new OperatorError(
    'ASSAY_BACKUP_EMPTY',
    `The data folder ${data} holds no store. Nothing was copied. Set ASSAY_DATA to the folder that the service uses.`,
  )
}

const inUse = (data: string, cause?: unknown) =>
  new OperatorError(
    'ASSAY_BACKUP_IN_USE',
    `A process uses the data folder ${data}, so a copy of it would not fit together. Nothing was kept. Stop the service, back up, and start it again.`,
    { cause },
  )

/** Whether an engine has opened or closed the store since: both change its folder. */
const touched = (store: string): string => `${existsSync(join(store, 'status'))} ${statSync(store).mtimeMs}`

/** What the store holds. Opening it also shows that no other process has it, and finishes what a killed one left. */
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
  const before = touched(store)
  const part = `${resolve(to)}.part`
  await rm(part, { recursive: true, force: true })
  // Keys and secrets are among the files.
  await mkdir(part, { recursive: true, mode: 0o700 })
  try {
    const takenAt = new Date().toISOString()
    const entries = await copyOut(data, part, tools.copied ?? (() => undefined))
    if (touched(store) !== before) throw inUse(data)
    const manifest: Manifest = { format: 1, version, takenAt, networks, entries }
    await writeFile(join(part, MANIFEST), `${JSON.stringify(manifest)}\n`)
    await rename(part, to)
    return reportOf(to, manifest)
  } catch (error) {
    await rm(part, { recursive: true, force: true })
    // A file that went away while it was copied was removed by a process that started meanwhile.
    throw touched(store) === before ? error : inUse(data, error)
  }
}
