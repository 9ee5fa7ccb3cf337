/** Options of the commands on the stream, read and checked. Every failure is ASSAY_TOOL_OPTION and nothing happened. */

import { didYouMean } from '../../../platform/config/nearest.ts'
import { OperatorError } from '../../../platform/errors.ts'
import { NETWORK_CODES, type Network, parseNetwork } from '../../../schema/networks.ts'

/** The error of an option that cannot be meant. */
export const optionError = (message: string): OperatorError =>
  new OperatorError('ASSAY_TOOL_OPTION', `${message} Nothing was changed.`)

/**
 * A network by its code or an alias.
 * @throws OperatorError ASSAY_TOOL_OPTION
 */
export const networkOption = (text: string): Network => {
  const network = parseNetwork(text)
  if (network) return network
  throw optionError(
    `There is no network ${text}.${didYouMean(text, NETWORK_CODES)} Take one of: ${NETWORK_CODES.join(', ')}.`,
  )
}
/** Block numbers, both inclusive. */
export type BlockRange = { from: number; to: number }

const heightOption = (name: string, text: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw optionError(`${name} ${text} is not a block number.`)
}

/** `--from` and `--to`: both or none. */
export const rangeOption = ({ from, to }: { from?: string; to?: string }): BlockRange | undefined => {
  if (from === undefined && to === undefined) return undefined
  if (from === undefined || to === undefined)
    throw optionError('--from and --to belong together, and only one is given.')
  const range = { from: heightOption('--from', from), to: heightOption('--to', to) }
  if (range.from > range.to) throw optionError(`--from ${from} is above --to ${to}.`)
  return range
}

/** A count of at least one. */
export const countOption = (name: string, text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw optionError(`${name} ${text} is no count.`)
}
