/** Parsing of options that several commands share. Every failure is ASSAY_TOOL_OPTION and changes nothing. */
import { didYouMean } from '../../platform/config/nearest.ts'
import { OperatorError } from '../../platform/errors.ts'
import { NETWORK_CODES, type Network, parseNetwork } from '../../schema/networks.ts'

/** Error for an invalid option. */
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
    `There is no network ${text}.${didYouMean(text, NETWORK_CODES)} Networks: ${NETWORK_CODES.join(', ')}.`,
  )
}
