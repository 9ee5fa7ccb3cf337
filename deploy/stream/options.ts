/** Options of the commands on the stream, read and checked. Every failure is ASSAY_TOOL_OPTION and nothing happened. */
import { OperatorError } from '../../platform/errors.ts'
import { NETWORK_CODES, type Network, parseNetwork } from '../../schema/networks.ts'

export const optionError = (message: string): OperatorError =>
  new OperatorError('ASSAY_TOOL_OPTION', `${message} Nothing was changed.`)

export const networkOption = (text: string): Network => {
  const network = parseNetwork(text)
  if (network) return network
  throw optionError(`There is no network ${text}. Take one of: ${NETWORK_CODES.join(', ')}.`)
}
