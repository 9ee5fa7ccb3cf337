/**
 * A migrated chDB folder, made once and copied for every test file: migrating takes seconds, copying a fraction of one.
 * Templates are stored beside the installed packages under a name that changes with the migrations, with how they are applied
 * and with chDB itself.
 */
import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { constants, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { statedFacts } from '../../../platform/store/migrate/facts.ts'
import { readMigrations } from '../../../platform/store/migrate/migrate.ts'
import { CACHE } from '../cache.ts'

const ROOT = join(import.meta.dirname, '../../..')
const MAIN = join(import.meta.dirname, 'store-template.main.ts')
/** What the content of a migrated folder depends on, besides the migrations. */
const TEMPLATE_SOURCES = [
  'migrate/migrate.ts',
  'migrate/facts.ts',
  'migrate/migrate.sql',
  'migrate/statements.ts',
  'chdb/chdb.ts',
].map((name) => `platform/store/${name}`)

const nameNow = (): string => {
  const hash = createHash('sha256')
  for (const { name, checksum } of readMigrations()) hash.update(`${name} ${checksum}\n`)
  for (const path of [...TEMPLATE_SOURCES, 'node_modules/chdb/package.json'])
    hash.update(readFileSync(join(ROOT, path)))
  return hash.digest('hex').slice(0, 32)
}

/**
 * Returns the folder of the template, made by a separate process if it does not exist: a process has one chDB folder.
 * Concurrent calls may each make it; the first to finish renames its own into place, so no part of one is ever visible.
 * @throws Error with the output of the process that failed
 */
export const storeTemplate = async (cache = join(CACHE, 'stores')): Promise<string> => {
  const template = join(cache, nameNow())
  if (existsSync(template)) return template
  mkdirSync(cache, { recursive: true })
  const draft = join(cache, `${randomUUID()}.draft`)
  try {
    await promisify(execFile)(process.execPath, ['--import', 'tsx', MAIN, draft], { cwd: ROOT })
    renameSync(draft, template)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(template)) throw error
  }
  return template
}

/** A file of the folder: the facts about networks and the registry with which its tables were filled. */
const FACTS = 'stated-facts.json'
const factsNow = () => JSON.stringify(statedFacts())

/** Stores the facts with which the tables were filled next to them. */
export const saveFacts = (path: string): void => writeFileSync(join(path, FACTS), factsNow())

/** Whether the folder's tables were filled with the facts in the code. If so, migrating them would change nothing. */
export const hasCurrentFacts = (path: string): boolean => {
  const file = join(path, FACTS)
  return existsSync(file) && readFileSync(file, 'utf8') === factsNow()
}

/** Copies all of it, links unchanged; file systems that can share blocks do. */
export const copyTemplate = (template: string, path: string): void =>
  cpSync(template, path, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE })
