/** Parsing of options of `assay labels`. Every failure is ASSAY_TOOL_OPTION and changes nothing. */
import { readFileSync } from 'node:fs'
import { didYouMean } from '../../../platform/config/nearest.ts'
import { messageOf } from '../../../platform/errors.ts'
import { accountKey, addressOfKey, parseAddress } from '../../../schema/address/index.ts'
import { NETWORK_CODES, type Network } from '../../../schema/networks.ts'
import type { LabelFilter } from '../../../scorer/ledger/labels/list.ts'
import { LABELS } from '../../../scorer/ledger/labels/vocabulary.ts'
import { networkOption, optionError } from '../options.ts'

/**
 * A label of Assay.
 * @throws OperatorError ASSAY_TOOL_OPTION
 */
export const labelOption = (text: string): string => {
  if (LABELS.includes(text)) return text
  throw optionError(`There is no label ${text}.${didYouMean(text, LABELS)} Labels: ${LABELS.join(', ')}.`)
}

/**
 * A confidence from 0 to 1. Labels from 0.9 raise flags.
 * @throws OperatorError ASSAY_TOOL_OPTION
 */
export const confidenceOption = (text: string): number => {
  const value = Number(text)
  if (text.trim() !== '' && value >= 0 && value <= 1) return value
  throw optionError(`--confidence ${text} is not a number from 0 to 1.`)
}

/** A source name without commas, because `data_source` of a record joins names with commas. */
export const sourceOption = (text: string): string => {
  if (/^[A-Za-z0-9][A-Za-z0-9._:/-]{0,79}$/.test(text)) return text
  throw optionError(`--source ${text} may contain only letters, digits and . _ : / -, at most 80 characters.`)
}

/**
 * The class of imported labels: `asserted` only for lists of authorities.
 * @throws OperatorError ASSAY_TOOL_OPTION
 */
export const classOption = (text: string): 'asserted' | 'reported' => {
  if (text === 'asserted' || text === 'reported') return text
  throw optionError(`--class must be asserted (an authority's own list) or reported (any other list), not ${text}.`)
}

/** `word=label` pairs, or a JSON file of them (`@map.json`). */
export const mapOption = (pairs: readonly string[]): Map<string, string> => {
  const map = new Map<string, string>()
  for (const pair of pairs) {
    if (pair.startsWith('@')) {
      for (const [word, label] of Object.entries(readMap(pair.slice(1))))
        map.set(word.toLowerCase(), labelOption(label))
      continue
    }
    const cut = pair.lastIndexOf('=')
    if (cut < 1) throw optionError(`--map ${pair} is not of the form word=label.`)
    map.set(pair.slice(0, cut).toLowerCase(), labelOption(pair.slice(cut + 1)))
  }
  return map
}

const readMap = (file: string): Record<string, string> => {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const entries = Object.entries(value as object).map(([word, label]) => [word, String(label)])
    return Object.fromEntries(entries) as Record<string, string>
  } catch (error) {
    throw optionError(`--map @${file} cannot be read: ${messageOf(error)}.`)
  }
}

/** Filters of labels as given on the command line. A missing option does not restrict; without any, all labels match. */
export type FilterOptions = { network?: string[]; address?: string[]; label?: string[]; source?: string }

/** All notations of an address: those of its key on every selected network. */
const notationsOf = (text: string, networks: readonly Network[]): string[] => {
  const asked = networks.length > 0 ? networks : NETWORK_CODES
  const found = asked.flatMap((network) => {
    const parsed = parseAddress(network, text)
    if (!parsed.ok) return []
    const key = accountKey(network, parsed.canonical)
    return key === undefined ? [parsed.canonical] : asked.flatMap((other) => addressOfKey(other, key) ?? [])
  })
  if (found.length > 0) return [...new Set(found)]
  throw optionError(`${text} is not an address of ${networks.length > 0 ? networks.join(', ') : 'any network'}.`)
}

/**
 * The filter, with addresses in every notation that tables may contain.
 * @throws OperatorError ASSAY_TOOL_OPTION
 */
export const filterOption = ({ network = [], address = [], label = [], source }: FilterOptions): LabelFilter => {
  const networks = network.map(networkOption)
  return {
    networks,
    addresses: address.flatMap((text) => notationsOf(text, networks)),
    labels: label,
    detector: source,
  }
}
