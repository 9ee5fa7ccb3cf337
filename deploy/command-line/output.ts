/** Files that commands write: an unusable name is refused before the work, and a failure names the file. */
import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { OperatorError } from '../../platform/errors.ts'

const REASONS: Record<string, string> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'

/** @throws OperatorError ASSAY_TOOL_OUTPUT always */
const refuse = (file: string, cause: unknown): never => {
  const code = isSystemError(cause) ? (cause.code ?? '') : ''
  throw new OperatorError(
    'ASSAY_TOOL_OUTPUT',
    `${file} cannot be written: ${REASONS[code] ?? (code || 'the system refused')}. Name another file.`,
    { cause },
  )
}

/** Refuses a file that cannot be written, before any work is done. @throws OperatorError ASSAY_TOOL_OUTPUT */
export const checkOutput = (file: string): void => {
  try {
    accessSync(dirname(file), constants.W_OK)
    const found = statSync(file, { throwIfNoEntry: false })
    if (found?.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' })
    if (found) accessSync(file, constants.W_OK)
  } catch (cause) {
    refuse(file, cause)
  }
}

/** Runs what writes the file. @throws OperatorError ASSAY_TOOL_OUTPUT for what the file system refuses */
export const writing = async <T>(file: string, work: () => Promise<T> | T): Promise<T> => {
  try {
    return await work()
  } catch (cause) {
    return isSystemError(cause) && REASONS[cause.code ?? ''] !== undefined ? refuse(file, cause) : Promise.reject(cause)
  }
}
