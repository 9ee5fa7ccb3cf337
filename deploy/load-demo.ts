import { OperatorError } from '../platform/errors.ts'

/**
 * Loads a module of the demonstration on demand. Nothing else may import `deploy/demo`, so that images without the folder run
 * every role.
 * @throws OperatorError ASSAY_DEMO_PACKAGE_MISSING if the demonstration, or a package it needs, is not installed
 */
export const loadDemo = async <T>(load: () => Promise<T>): Promise<T> => {
  try {
    return await load()
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')) throw cause
    throw new OperatorError(
      'ASSAY_DEMO_PACKAGE_MISSING',
      'This installation does not include the demonstration (container images do not). Nothing was started. Set <NETWORK>_RPC_URL, such as ETH_RPC_URL, to index a network, or run npm start from a checkout.',
      { cause },
    )
  }
}
