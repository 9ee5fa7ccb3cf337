/** What `assay demo` is asked to do. */
import { OperatorError } from '../../platform/errors.ts'
import { NETWORK_CODES, type Network } from '../../schema/networks.ts'
import { networkOption } from './options.ts'

/** What `assay demo` was asked for. */
export type DemoOptions = { check?: boolean; networks?: string; url?: string; key?: string }

/**
 * Networks whose stories are played, each once; `undefined` where the running demonstration is checked.
 * @throws OperatorError ASSAY_TOOL_OPTION for a name that is no network, and unless there is exactly one thing to do
 */
export const networksToPlay = ({ check, networks }: DemoOptions): Network[] | undefined => {
  if ((networks !== undefined) === (check === true)) {
    throw new OperatorError(
      'ASSAY_TOOL_OPTION',
      'assay demo checks the running demonstration or plays networks. Nothing was started. Give it --check or --networks all.',
    )
  }
  if (networks === undefined) return undefined
  if (networks.trim().toLowerCase() === 'all') return [...NETWORK_CODES]
  const named = networks.split(',').map((name) => networkOption(name.trim()))
  return [...new Set(named)]
}
