/** What messages may bring and what answers are made of: declared on the card, and held against every message. */
import { ERRORS, type SendParams } from './protocol.ts'
import { RpcError } from './rpc.ts'

/** Media types of the parts that are read: data parts and text parts. */
export const INPUT_MODES = ['application/json', 'text/plain']
/** Media types of artifacts. */
export const OUTPUT_MODES = ['application/json']

/** Whether a media type or range, such as `application/*`, covers one of the outputs. Parameters are not looked at. */
const coversOutput = (accepted: string): boolean => {
  const range = accepted.split(';')[0]?.trim().toLowerCase()
  return OUTPUT_MODES.some((mode) => range === mode || range === '*/*' || range === `${mode.split('/')[0]}/*`)
}

/**
 * Refuses what the card declares absent (A2A 0.3.0, section 8.2).
 * @throws RpcError -32003 for a push configuration; -32005 for files, and when no output the client accepts is ours.
 */
export const checkContent = ({ message, configuration }: SendParams): void => {
  if (configuration?.pushNotificationConfig) {
    const field = 'configuration.pushNotificationConfig'
    throw new RpcError(ERRORS.pushNotSupported, [{ field, message: 'leave it out and read the task with tasks/get' }])
  }
  const files = message.parts.flatMap(({ kind }, index) => (kind === 'file' ? [`message.parts.${index}`] : []))
  if (files.length > 0) {
    const reason = 'files are not read; send a data part or a text part'
    throw new RpcError(
      ERRORS.contentType,
      files.map((field) => ({ field, message: reason })),
    )
  }
  const accepted = configuration?.acceptedOutputModes ?? []
  if (accepted.length > 0 && !accepted.some(coversOutput)) {
    const field = 'configuration.acceptedOutputModes'
    throw new RpcError(ERRORS.contentType, [{ field, message: `answers are ${OUTPUT_MODES.join(', ')}` }])
  }
}
