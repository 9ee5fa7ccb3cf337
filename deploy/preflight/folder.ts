/** Checks of the data folder before anything is started. */
import { accessSync, constants, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { OperatorError } from '../../platform/errors.ts'

const REASONS: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  ENOTDIR: 'a file has that name',
  ENOENT: 'folders cannot be created there',
  ENAMETOOLONG: 'the name is too long',
}

/** Subfolder of the data folder during a restore. */
export const RESTORING = '.restoring'

/**
 * Refuses a folder with an unfinished restore.
 * @throws OperatorError ASSAY_RESTORE_UNFINISHED
 */
export const checkRestored = (data: string): void => {
  if (!existsSync(join(data, RESTORING))) return
  throw new OperatorError(
    'ASSAY_RESTORE_UNFINISHED',
    `A restore into ${data} is running or was interrupted. Nothing was started. Run the same assay restore again.`,
  )
}

/** Missing folders, topmost first. Recursive `mkdir` of Node does not return on file systems such as /proc. */
const missingIn = (folder: string): string[] => {
  const missing: string[] = []
  for (let at = folder; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at)
  return missing
}

/**
 * Creates the folder if it is missing, and tries to write a file into it.
 * @throws OperatorError ASSAY_START_FOLDER
 */
export const checkFolder = (folder: string): void => {
  try {
    for (const one of missingIn(resolve(folder))) mkdirSync(one)
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error('a file'), { code: 'ENOTDIR' })
    accessSync(folder, constants.W_OK)
    const probe = join(folder, `.write-test-${process.pid}`)
    try {
      writeFileSync(probe, 'tried whether this folder can be written')
    } finally {
      rmSync(probe, { force: true })
    }
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    throw new OperatorError(
      'ASSAY_START_FOLDER',
      `The data folder ${folder} cannot be used: ${REASONS[code] ?? (code || 'the system refused')}. Nothing was started. Set ASSAY_DATA to a writable folder.`,
      { cause },
    )
  }
}
