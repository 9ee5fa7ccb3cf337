import { OperatorError } from '../platform/errors.ts'

/**
 * Loads a module of the demonstration when it is played. Nothing else may import `deploy/demo`: an image without the
 * folder still runs every role.
 * @throws OperatorError ASSAY_DEMO_PACKAGE_MISSING when the demonstration, or a package it needs, is not installed
 */
export const loadDemo = async <T>(load: () => Promise<T>): Promise<T> => {
  try {
    return await load()
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')) throw cause
    throw new OperatorError(
      'ASSAY_DEMO_PACKAGE_MISSING',
      'The demonstration is not part of this installation (container images leave it out). Nothing was started. Set <NETWORK>_RPC_URL, for instance ETH_RPC_URL, to follow a real node, or run npm start from a checkout.',
      { cause },
    )
  }
}
