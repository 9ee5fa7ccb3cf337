/** The data folder, tried before anything is started in it. */
import { accessSync, constants, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { OperatorError } from '../../platform/errors.ts'

const REASONS: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user is used up',
  ENOTDIR: 'a file of that name is in the way',
  ENOENT: 'folders cannot be made there',
  ENAMETOOLONG: 'the name is too long',
}

/** Inside the data folder while a backup is restored into it. */
export const RESTORING = '.restoring'

/**
 * Refuses a folder that an interrupted restore left half filled.
 * @throws OperatorError ASSAY_RESTORE_UNFINISHED
 */
export const checkRestored = (data: string): void => {
  if (!existsSync(join(data, RESTORING))) return
  throw new OperatorError(
    'ASSAY_RESTORE_UNFINISHED',
    `A backup is being restored into ${data}, or the restore was interrupted. Nothing was started. Run the same assay restore again.`,
  )
}

/** Folders to make, from the topmost that is missing. `mkdir -p` of Node does not return on file systems such as /proc. */
const missingIn = (folder: string): string[] => {
  const missing: string[] = []
  for (let at = folder; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at)
  return missing
}

/**
 * Makes the folder where it is missing, and writes a file into it.
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
      `The data folder ${folder} cannot be used: ${REASONS[code] ?? (code || 'the system refused')}. Nothing was started. Set ASSAY_DATA to a folder that this user may write to.`,
      { cause },
    )
  }
}
