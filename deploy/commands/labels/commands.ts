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
    .option('--address <address>', 'only this address, in any notation (repeatable)', collect)
    .option('--network <network>', 'only this network (repeatable)', collect)
    .option('--label <label>', 'only this label (repeatable)', collect)
    .option('--source <name>', 'only this list or detector')

const UPDATE_HELP = `
Examples:
  assay labels update --dry-run
  assay labels update --source ofac
  assay labels update --source ofac --accept`

const updateCommands = (labels: Command, configured: () => Config): void => {
  labels
    .command('update')
    .description('fetch lists and apply additions, changes and removals')
    .option('--source <list>', 'list to update (repeatable; default: those of ASSAY_LABELS_LISTS)', collect)
    .option('--dry-run', 'show the changes without applying them')
    .option('--accept', 'apply a list that you have reviewed, even if it is older or much of it is gone or new')
    .addHelpText('after', UPDATE_HELP)
    .action(async ({ source = [], dryRun, accept }: { source?: string[]; dryRun?: boolean; accept?: boolean }) => {
      const { updateCommand } = await import('./run.ts')
      await updateCommand(configured(), source, { dryRun, accept })
    })
  labels
    .command('lists')
    .description('show available lists, their licences, and the result of their last update')
    .action(async () => {
      const { listsCommand } = await import('./run.ts')
      await listsCommand(configured())
    })
}

/** Adds `assay labels` and its subcommands. */
export const labelCommands = (program: Command, configured: () => Config): void => {
  const labels = program.command('labels').description('manage labels of addresses')
  labels
    .command('import')
    .description('import a list: CSV with a header, JSON, JSON lines, or one address per line')
    .argument('<file>')
    .option('--dry-run', 'show the changes without applying them')
    .option('--source <name>', 'source of the labels (default: the name of the file)')
    .option('--list-version <version>', 'version of the list (default: the date in the file name, else its digest)')
    .option('--network <network>', 'network of rows without a network')
    .option('--address-column <name>', 'column of the addresses (default: found by its name)')
    .option('--label <label>', 'label of every row')
    .option('--map <word=label>', 'label for a word of the file, or @file.json (repeatable)', collect)
    .option('--confidence <number>', 'confidence of every row, 0 to 1; 0.9 and above raises flags')
    .option('--class <class>', 'asserted for an authority, reported for any other source')
    .option('--replace', 'retract earlier labels of this list that it no longer contains')
    .option('--skip-bad', 'skip invalid rows instead of refusing the list')
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
  filtered(labels.command('export').description('write active labels to standard output or a file'))
    .option('--format <format>', 'csv or jsonl', 'csv')
    .option('--out <file>', 'file to write')
    .action(async ({ format, out, ...options }: FilterOptions & { format: string; out?: string }) => {
      const { exportCommand } = await import('./run.ts')
      await exportCommand(configured(), { format, filter: filterOption(options), ...(out !== undefined && { out }) })
    })
  filtered(labels.command('list').description('show active labels').argument('[address]'))
    .option('--limit <count>', 'maximum number of labels', '100')
    .option('--json', 'print one JSON line per label')
    .action(async (address: string | undefined, given: FilterOptions & { limit: string; json?: boolean }) => {
      const { limit, json = false, ...options } = given
      if (!/^[1-9]\d{0,8}$/.test(limit)) throw optionError(`--limit ${limit} is not a positive integer.`)
      const { listCommand } = await import('./run.ts')
      await listCommand(configured(), filterOption(withAddress(options, address)), { limit: Number(limit), json })
    })
  filtered(labels.command('retract').description('retract labels of an address, list or network').argument('[address]'))
    .option('--all', 'all labels')
    .action(async (address: string | undefined, { all, ...options }: FilterOptions & { all?: boolean }) => {
      const { retractCommand } = await import('./run.ts')
      await retractCommand(configured(), filterOption(withAddress(options, address)), all ?? false)
    })
}

const withAddress = (options: FilterOptions, address: string | undefined): FilterOptions =>
  address === undefined ? options : { ...options, address: [...(options.address ?? []), address] }
