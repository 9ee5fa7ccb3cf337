/** Output files of commands: an unwritable file is refused before the work begins, and a failure names the file. */
import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { OperatorError } from '../../platform/errors.ts'

const REASONS: Record<string, string> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
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
    `${file} cannot be written: ${REASONS[code] ?? (code || 'the system refused')}. Choose another file.`,
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

/** Runs work that writes the file. @throws OperatorError ASSAY_TOOL_OUTPUT when the file system refuses */
export const writing = async <T>(file: string, work: () => Promise<T> | T): Promise<T> => {
  try {
    return await work()
  } catch (cause) {
    return isSystemError(cause) && REASONS[cause.code ?? ''] !== undefined ? refuse(file, cause) : Promise.reject(cause)
  }
}
