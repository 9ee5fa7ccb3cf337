import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Cache of test artifacts between runs. Entries are named by their content, so any can be deleted at any time. */
export const CACHE = fileURLToPath(new URL('../../node_modules/.cache/assay', import.meta.url))

/** Cache of the most expensive artifacts: shared by all checkouts of a user, and not removed by `npm ci`. */
export const USER_CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'assay-tests')
