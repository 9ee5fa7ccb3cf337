/** Nothing we print or document may send a reader to a command, script, option, setting or file that does not exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from '../../../deploy/program.ts'
import { OTHER_VARIABLES, SECRET_NAMES, SETTING_NAMES } from '../../../platform/config/config.ts'
import { ERRORS } from '../../../platform/error-codes/table.ts'
import { NETWORK_CODES } from '../../../schema/networks.ts'

const ROOT = join(import.meta.dirname, '../../..')
const ROOMS = ['schema', 'platform', 'indexer', 'scorer', 'api', 'deploy']
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

const below = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file) && !file.endsWith('.test.ts'))
    .map((file) => join(folder, file))

const read = (file: string) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') })
const product = ROOMS.flatMap((room) => below(room, /\.(ts|sql|md|yaml)$/)).map(read)
const pages = [...readdirSync(ROOT).filter((file) => file.endsWith('.md')), ...below('docs', /\.md$/)].map(read)
const texts = [...product, ...pages]

/** `file: mention` of every match that `wrong` refuses. */
const mentions = (where: typeof texts, pattern: RegExp, wrong: (match: RegExpMatchArray) => boolean): string[] =>
  where.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].filter(wrong).map(([mention]) => `${file}: ${mention.replaceAll('\n', ' ')}`),
  )

const program = createProgram()
const commandOf = (parent: Command, name: string | undefined) =>
  parent.commands.find((command) => command.name() === name)
const optionsOf = (command: Command): string[] => [
  '--help',
  ...command.options.flatMap((option) => option.long ?? []),
  ...command.commands.flatMap(optionsOf),
]

test('every command of assay that a text names exists', () => {
  const wrong = mentions(
    texts,
    /(?<![\w./@-])assay(?: |\n(?: \* )?)([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/g,
    ([, name, verb]) => {
      const command = commandOf(program, name)
      return !command || (command.commands.length > 0 && verb !== undefined && !commandOf(command, verb))
    },
  )
  expect(wrong).toEqual([])
})

test('every npm script that a text names exists', () => {
  const wrong = ([, name = '']: RegExpMatchArray) => !Object.hasOwn(scripts, name)
  expect(mentions(texts, /\bnpm (?:run )?(start|test|(?<=run )[\w:-]+)/g, wrong)).toEqual([])
})

test('every option that follows a command of assay exists on it', () => {
  const wrong = mentions(
    texts,
    /\bassay (\w+)(?: (\w+))?((?: +(?!assay)[^\s`|;&]+)*)/g,
    ([, name, verb, rest = '']) => {
      const command = commandOf(program, name)
      const options = command ? optionsOf(commandOf(command, verb) ?? command) : []
      return [...rest.matchAll(/ (--[a-z-]+)/g)].some(([, option = '']) => !options.includes(option))
    },
  )
  expect(wrong).toEqual([])
})

test('every option that the table of errors names exists', () => {
  const known = new Set([...optionsOf(program), '--omit', '--target'])
  const remedies = Object.entries(ERRORS).map(([code, { action }]) => ({ file: code, text: action }))
  expect(mentions(remedies, /--[a-z-]+/g, ([option]) => !known.has(option))).toEqual([])
})

test('every setting that a text names exists', () => {
  const constants = product.flatMap(({ text }) =>
    [...text.matchAll(/^(?:export )?const ([A-Z_]+)/gm)].map(([, name]) => name),
  )
  const files = SECRET_NAMES.map((name) => `${name}_FILE`)
  const known = new Set([...SETTING_NAMES, ...files, ...OTHER_VARIABLES, ...Object.keys(ERRORS), ...constants])
  // Compose files also hold settings of the images they run.
  const ours = texts.filter(({ file }) => !file.endsWith('.yaml'))
  const network = NETWORK_CODES.join('|')
  const shapes = new RegExp(
    String.raw`(?<![\w.])(?:(?:ASSAY|KAFKA|CLICKHOUSE|REDIS)_[A-Z0-9_]*[A-Z0-9]|(?:(?:${network})|<NETWORK>|\$\{\w+\})_(?:[A-Z]+_)*(?:URL|BLOCK|BLOCKS|KEY|RPC))\b`,
    'g',
  )
  const wrong = mentions(ours, shapes, ([name]) => {
    const plain = name.replace(/^(<NETWORK>|\$\{\w+\})/, 'ETH')
    // A setting that some networks have is named for all of them.
    const some = plain !== name && NETWORK_CODES.some((code) => known.has(plain.replace('ETH', code)))
    return !some && !known.has(plain) && !Object.keys(ERRORS).some((code) => code.startsWith(`${plain}_`))
  })
  expect(wrong).toEqual([])
})

test('docs/operate/configuration.md names every setting', () => {
  const page = read('docs/operate/configuration.md').text
  const unnamed = SETTING_NAMES.filter((name) => {
    const shown = NETWORK_CODES.reduce((text, code) => text.replace(new RegExp(`^${code}_`), '<NETWORK>_'), name)
    return !page.includes(shown)
  })
  expect(unnamed).toEqual([])
})

test('every file of the project that a text names exists', () => {
  const path = new RegExp(
    String.raw`(?<![\w./@*-])(?:docs|test|${ROOMS.join('|')})/[\w./-]+\.(?:md|ts|sql|json|py|yaml|cjs|sol)\b`,
    'g',
  )
  expect(mentions(texts, path, ([file]) => !file.includes('/NNNN') && !existsSync(join(ROOT, file)))).toEqual([])
})
