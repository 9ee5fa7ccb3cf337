import { fileURLToPath } from 'node:url'

/** What tests make once and keep between runs. Every entry is named after its content, so it can be deleted at any time. */
export const CACHE = fileURLToPath(new URL('../../node_modules/.cache/assay', import.meta.url))
