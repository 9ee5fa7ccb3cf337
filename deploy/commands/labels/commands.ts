/** The command tree of `assay labels`. */
import type { Command } from 'commander'
import type { Config } from '../../../platform/config/config.ts'
import { networkOption, optionError } from '../options.ts'
import {
  classOption,
  confidenceOption,
  type FilterOptions,
  filterOption,
  labelOption,
  mapOption,
  sourceOption,
} from './options.ts'

const collect = (value: string, before: string[] = []): string[] => [...before, value]

type ImportOptions = {
  source?: string
  listVersion?: string
  network?: string
  addressColumn?: string
  label?: string
  map?: string[]
  confidence?: string
  class?: string
  replace?: boolean
  dryRun?: boolean
  skipBad?: boolean
}

const filtered = (command: Command): Command =>
  command
    .option('--address <address>', 'of this address, in any spelling (repeatable)', collect)
    .option('--network <network>', 'of this network (repeatable)', collect)
    .option('--label <label>', 'of this label (repeatable)', collect)
    .option('--source <name>', 'of this list or detector')

const UPDATE_HELP = `
Examples:
  assay labels update --dry-run
  assay labels update --source ofac
  assay labels update --source ofac --accept`

const updateCommands = (labels: Command, configured: () => Config): void => {
  labels
    .command('update')
    .description('fetch lists and apply what changed: additions, changes and removals')
    .option('--source <list>', 'which list (repeatable; default: those of ASSAY_LABELS_LISTS)', collect)
    .option('--dry-run', 'show what it would do and change nothing')
    .option('--accept', 'apply a list although much of it is gone or new, or it is older: you have looked at it')
    .addHelpText('after', UPDATE_HELP)
    .action(async ({ source = [], dryRun, accept }: { source?: string[]; dryRun?: boolean; accept?: boolean }) => {
      const { updateCommand } = await import('./run.ts')
      await updateCommand(configured(), source, { dryRun, accept })
    })
  labels
    .command('lists')
    .description('show the lists there are, their licences, and how their last update went')
    .action(async () => {
      const { listsCommand } = await import('./run.ts')
      await listsCommand(configured())
    })
}

/** Adds `assay labels` and what is under it. */
export const labelCommands = (program: Command, configured: () => Config): void => {
  const labels = program.command('labels').description('labels of addresses, from lists and people')
  labels
    .command('import')
    .description('import a list: CSV with a header, JSON, JSON lines, or one address per line')
    .argument('<file>')
    .option('--dry-run', 'show what it would do and change nothing')
    .option('--source <name>', 'who says so (default: the name of the file)')
    .option('--list-version <version>', 'version of the list (default: the date in the file name, else its digest)')
    .option('--network <network>', 'network of rows that name none')
    .option('--address-column <name>', 'column that holds the addresses, where its name does not say so')
    .option('--label <label>', 'what every row means')
    .option('--map <word=label>', 'what a word of the file means, or @file.json (repeatable)', collect)
    .option('--confidence <number>', '0 to 1, for every row; 0.9 and more raises flags')
    .option('--class <class>', 'asserted for an authority, reported for anybody else')
    .option('--replace', 'retract what this list said before and no longer says')
    .option('--skip-bad', 'leave broken rows out instead of refusing the list')
    .action(async (file: string, options: ImportOptions) => {
      const { source, listVersion, network, label, map, confidence, dryRun, replace, skipBad } = options
      const request = {
        file,
        dryRun,
        replace,
        skipBad,
        addressColumn: options.addressColumn,
        version: listVersion,
        source: source === undefined ? undefined : sourceOption(source),
        network: network === undefined ? undefined : networkOption(network),
        label: label === undefined ? undefined : labelOption(label),
        map: map && mapOption(map),
        confidence: confidence === undefined ? undefined : confidenceOption(confidence),
        class: options.class === undefined ? undefined : classOption(options.class),
      }
      const { importCommand } = await import('./run.ts')
      await importCommand(configured(), request)
    })
  updateCommands(labels, configured)
  filtered(labels.command('export').description('write labels in force, to the terminal or a file'))
    .option('--format <format>', 'csv or jsonl', 'csv')
    .option('--out <file>', 'file to write')
    .action(async ({ format, out, ...options }: FilterOptions & { format: string; out?: string }) => {
      const { exportCommand } = await import('./run.ts')
      await exportCommand(configured(), { format, filter: filterOption(options), ...(out !== undefined && { out }) })
    })
  filtered(labels.command('list').description('show labels in force').argument('[address]'))
    .option('--limit <count>', 'how many', '100')
    .option('--json', 'print a line of JSON for each')
    .action(async (address: string | undefined, given: FilterOptions & { limit: string; json?: boolean }) => {
      const { limit, json = false, ...options } = given
      if (!/^[1-9]\d{0,8}$/.test(limit)) throw optionError(`--limit ${limit} is no count.`)
      const { listCommand } = await import('./run.ts')
      await listCommand(configured(), filterOption(withAddress(options, address)), { limit: Number(limit), json })
    })
  filtered(labels.command('retract').description('retract labels: one, or all of a list').argument('[address]'))
    .option('--all', 'every label there is')
    .action(async (address: string | undefined, { all, ...options }: FilterOptions & { all?: boolean }) => {
      const { retractCommand } = await import('./run.ts')
      await retractCommand(configured(), filterOption(withAddress(options, address)), all ?? false)
    })
}

const withAddress = (options: FilterOptions, address: string | undefined): FilterOptions =>
  address === undefined ? options : { ...options, address: [...(options.address ?? []), address] }
