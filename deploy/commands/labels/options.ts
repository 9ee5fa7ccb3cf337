/** Options of `assay labels`, read and checked. Every failure is ASSAY_TOOL_OPTION and nothing happened. */
import { readFileSync } from 'node:fs'
import { didYouMean } from '../../../platform/config/nearest.ts'
import { messageOf } from '../../../platform/errors.ts'
import { accountKey, addressOfKey, parseAddress } from '../../../schema/address/index.ts'
import { NETWORK_CODES, type Network } from '../../../schema/networks.ts'
import type { LabelFilter } from '../../../scorer/ledger/labels/list.ts'
import { LABELS } from '../../../scorer/ledger/labels/vocabulary.ts'
import { networkOption, optionError } from '../options.ts'

/**
 * A label that verdicts know.
 * @throws OperatorError ASSAY_TOOL_OPTION
 */
export const labelOption = (text: string): string => {
  if (LABELS.includes(text)) return text
  throw optionError(`There is no label ${text}.${didYouMean(text, LABELS)} Take one of: ${LABELS.join(', ')}.`)
}

/**
 * A confidence from 0 to 1; labels of 0.9 and more raise flags.
 * @throws OperatorError ASSAY_TOOL_OPTION
 */
export const confidenceOption = (text: string): number => {
  const value = Number(text)
  if (text.trim() !== '' && value >= 0 && value <= 1) return value
  throw optionError(`--confidence ${text} is not a number from 0 to 1.`)
}

/** A name that `data_source` of a record can hold: it joins names with commas. */
export const sourceOption = (text: string): string => {
  if (/^[A-Za-z0-9][A-Za-z0-9._:/-]{0,79}$/.test(text)) return text
  throw optionError(`--source ${text} may hold letters, digits and . _ : / - only, at most 80 of them.`)
}

/**
 * The class of imported labels. Lists of anybody are only `reported`.
 * @throws OperatorError ASSAY_TOOL_OPTION
 */
export const classOption = (text: string): 'asserted' | 'reported' => {
  if (text === 'asserted' || text === 'reported') return text
  throw optionError(`--class is asserted (an authority's own list) or reported (anybody else's), not ${text}.`)
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

/** Which labels are meant, as it was typed. What is left out restricts nothing. */
export type FilterOptions = { network?: string[]; address?: string[]; label?: string[]; source?: string }

/** An address counts in every spelling its key has; without a network it has to be an address of some network. */
const spellingsOf = (text: string, networks: readonly Network[]): string[] => {
  const asked = networks.length > 0 ? networks : NETWORK_CODES
  const found = asked.flatMap((network) => {
    const parsed = parseAddress(network, text)
    if (!parsed.ok) return []
    const key = accountKey(network, parsed.canonical)
    return key === undefined ? [parsed.canonical] : asked.flatMap((other) => addressOfKey(other, key) ?? [])
  })
  if (found.length > 0) return [...new Set(found)]
  throw optionError(`${text} is no address of ${networks.length > 0 ? networks.join(', ') : 'any network'}.`)
}

/**
 * The filter with addresses in every spelling the tables may have of them.
 * @throws OperatorError ASSAY_TOOL_OPTION
 */
export const filterOption = ({ network = [], address = [], label = [], source }: FilterOptions): LabelFilter => {
  const networks = network.map(networkOption)
  return {
    networks,
    addresses: address.flatMap((text) => spellingsOf(text, networks)),
    labels: label,
    detector: source,
  }
}
