import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What tests make once and keep between runs. Every entry is named after its content, so it can be deleted at any time. */
export const CACHE = fileURLToPath(new URL('../../node_modules/.cache/assay', import.meta.url))

/** The same for what takes longest to make: all checkouts of a user share it, and `npm ci` leaves it there. */
export const USER_CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'assay-tests')
