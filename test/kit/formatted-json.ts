/** JSON files as they are committed. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const BIOME = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The text of a JSON file as the formatter writes it. Line breaks of objects do not depend on the input's. */
export const formattedJson = (value: unknown): string =>
  execFileSync(process.execPath, [BIOME, 'format', '--stdin-file-path=value.json'], {
    ...{ cwd: ROOT, input: JSON.stringify(value), encoding: 'utf8', maxBuffer: 2 ** 28 },
  })

/** Writes a JSON file so that the formatter changes nothing. */
export const writeJson = (file: URL, value: unknown): void => writeFileSync(file, formattedJson(value))
