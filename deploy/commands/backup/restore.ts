/** Restores a backup into an empty data folder. All hashes are verified before any file is moved into place. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf, OperatorError } from '../../../platform/errors.ts'
import { RESTORING } from '../../preflight/folder.ts'
import { type BackupReport, MANIFEST, type Manifest, manifestShape, reportOf } from './backup.ts'
import { copyIn, Damaged } from './copy.ts'

const damaged = (from: string, why: string, cause: unknown) =>
  new OperatorError(
    'ASSAY_BACKUP_DAMAGED',
    `The backup ${from} is damaged: ${why}. Nothing was restored. Use another backup.`,
    { cause },
  )

/** @throws OperatorError ASSAY_BACKUP_DAMAGED */
const readManifest = (from: string): Manifest => {
  try {
    return manifestShape.parse(JSON.parse(readFileSync(join(from, MANIFEST), 'utf8')))
  } catch (cause) {
    throw damaged(from, `${MANIFEST} is missing, unreadable or of a later version`, cause)
  }
}

const topOf = ({ entries }: Manifest): string[] => entries.map(({ path }) => path).filter((path) => !path.includes('/'))

/** @throws OperatorError ASSAY_RESTORE_OCCUPIED */
const checkEmpty = (data: string) => {
  const found = existsSync(data) ? readdirSync(data).filter((name) => name !== 'lost+found') : []
  if (found.length === 0) return
  throw new OperatorError(
    'ASSAY_RESTORE_OCCUPIED',
    `The data folder ${data} is not empty (${found.slice(0, 3).join(', ')}). Nothing was restored. Empty the folder, or set ASSAY_DATA to another one.`,
  )
}

/** Removes the files of an interrupted restore. No process opens the folder before a restore is complete, so all came from the backup. */
const clearInterrupted = (data: string, manifest: Manifest) => {
  if (!existsSync(join(data, RESTORING))) return
  for (const name of [...topOf(manifest), RESTORING]) rmSync(join(data, name), { recursive: true, force: true })
}

/**
 * @throws OperatorError ASSAY_BACKUP_DAMAGED, ASSAY_RESTORE_OCCUPIED
 */
export const restore = async (
  { data, from }: { data: string; from: string },
  copied: (bytes: number) => void = () => undefined,
): Promise<BackupReport> => {
  const manifest = readManifest(from)
  clearInterrupted(data, manifest)
  checkEmpty(data)
  const part = join(data, RESTORING)
  await mkdir(part, { recursive: true, mode: 0o700 })
  try {
    await copyIn(manifest.entries, from, part, copied)
  } catch (error) {
    await rm(part, { recursive: true, force: true })
    throw error instanceof Damaged ? damaged(from, messageOf(error), error) : error
  }
  for (const name of topOf(manifest)) await rename(join(part, name), join(data, name))
  await rm(part, { recursive: true })
  return reportOf(data, manifest)
}
