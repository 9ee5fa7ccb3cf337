/** Media types of messages and artifacts: declared on the card, and checked in every message. */
import { ERRORS, type SendParams } from './protocol.ts'
import { RpcError } from './rpc.ts'

/** Media types of accepted parts: data parts and text parts. */
export const INPUT_MODES = ['application/json', 'text/plain']
/** Media types of artifacts. */
export const OUTPUT_MODES = ['application/json']

/** Whether a media type or range, such as `application/*`, covers one of the output types. Ignores parameters. */
const coversOutput = (accepted: string): boolean => {
  const range = accepted.split(';')[0]?.trim().toLowerCase()
  return OUTPUT_MODES.some((mode) => range === mode || range === '*/*' || range === `${mode.split('/')[0]}/*`)
}

/**
 * Rejects features that the card does not declare (A2A 0.3.0, section 8.2).
 * @throws RpcError -32003 for a push configuration; -32005 for files, and for a client that accepts none of our output types
 */
export const checkContent = ({ message, configuration }: SendParams): void => {
  if (configuration?.pushNotificationConfig) {
    const field = 'configuration.pushNotificationConfig'
    throw new RpcError(ERRORS.pushNotSupported, [{ field, message: 'is not supported; read the task with tasks/get' }])
  }
  const files = message.parts.flatMap(({ kind }, index) => (kind === 'file' ? [`message.parts.${index}`] : []))
  if (files.length > 0) {
    const reason = 'files are not supported; send a data part or a text part'
    throw new RpcError(
      ERRORS.contentType,
      files.map((field) => ({ field, message: reason })),
    )
  }
  const accepted = configuration?.acceptedOutputModes ?? []
  if (accepted.length > 0 && !accepted.some(coversOutput)) {
    const field = 'configuration.acceptedOutputModes'
    throw new RpcError(ERRORS.contentType, [{ field, message: `must accept ${OUTPUT_MODES.join(', ')}` }])
  }
}
