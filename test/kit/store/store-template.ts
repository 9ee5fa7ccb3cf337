/**
 * A migrated chDB folder, made once and copied for every test file: migrating takes seconds, copying a fraction of one.
 * Templates lie beside the installed packages under a name that changes with the migrations, with how they are applied
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
/** What the content of a migrated folder depends on beside the migrations. */
const MAKERS = [
  'migrate/migrate.ts',
  'migrate/facts.ts',
  'migrate/migrate.sql',
  'migrate/statements.ts',
  'chdb/chdb.ts',
].map((name) => `platform/store/${name}`)

const nameNow = (): string => {
  const hash = createHash('sha256')
  for (const { name, checksum } of readMigrations()) hash.update(`${name} ${checksum}\n`)
  for (const path of [...MAKERS, 'node_modules/chdb/package.json']) hash.update(readFileSync(join(ROOT, path)))
  return hash.digest('hex').slice(0, 32)
}

/**
 * Returns the folder of the template, made by a process of its own when it is not there: a process has one chDB folder.
 * Several may make it at once; the first to finish gives it its name, so nobody sees a half of it.
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

/** A file of the folder: the rows of networks and the registry that its tables were filled with. */
const FACTS = 'stated-facts.json'
const factsNow = () => JSON.stringify(statedFacts())

/** Notes beside the tables what they were filled with. */
export const noteFacts = (path: string): void => writeFileSync(join(path, FACTS), factsNow())

/** Whether code states what the tables of the folder were filled with. Where it does, migrating them would change nothing. */
export const holdsFactsNow = (path: string): boolean => {
  const file = join(path, FACTS)
  return existsSync(file) && readFileSync(file, 'utf8') === factsNow()
}

/** Copies all of it, links as they are; file systems that can share blocks do. */
export const copyTemplate = (template: string, path: string): void =>
  cpSync(template, path, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE })
