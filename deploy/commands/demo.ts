/** Options of `assay demo`. */
import { OperatorError } from '../../platform/errors.ts'
import { NETWORK_CODES, type Network } from '../../schema/networks.ts'
import { networkOption } from './options.ts'

/** Options as given on the command line. */
export type DemoOptions = { check?: boolean; networks?: string; url?: string; key?: string }

/**
 * Networks to play, without duplicates; `undefined` with `--check`.
 * @throws OperatorError ASSAY_TOOL_OPTION for an unknown network, and unless exactly one of `--check` and `--networks` is given
 */
export const networksToPlay = ({ check, networks }: DemoOptions): Network[] | undefined => {
  if ((networks !== undefined) === (check === true)) {
    throw new OperatorError(
      'ASSAY_TOOL_OPTION',
      'assay demo requires either --check or --networks, and not both. Nothing was started.',
    )
  }
  if (networks === undefined) return undefined
  if (networks.trim().toLowerCase() === 'all') return [...NETWORK_CODES]
  const named = networks.split(',').map((name) => networkOption(name.trim()))
  return [...new Set(named)]
}
