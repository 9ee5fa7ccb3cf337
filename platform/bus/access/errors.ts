import { OperatorError } from '../../errors.ts'

/** Broker and client disagree on TLS, or one does not trust the other's certificate. */
export const tlsRefused = (broker: string, why: string): OperatorError =>
  new OperatorError('ASSAY_BUS_TLS_REFUSED', `No connection to Kafka broker ${broker}: ${why}. Nothing was sent.`)

/** The broker refused user, password or mechanism. */
export const loginRefused = (cause?: unknown): OperatorError =>
  new OperatorError(
    'ASSAY_BUS_LOGIN_REFUSED',
    'Kafka refused the login, so nothing was read or written. Compare KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD with the users of the broker.',
    { cause },
  )

/** The broker denies this user the action. */
export const accessDenied = (action: string, cause?: unknown): OperatorError =>
  new OperatorError(
    'ASSAY_BUS_ACCESS_DENIED',
    `Kafka does not allow this user to ${action}. Nothing was changed. Grant the permissions that docs/operate/configuration.md lists, or set KAFKA_SASL_USERNAME to a user that has them.`,
    { cause },
  )

/** Client and broker have no version of the protocol in common. */
export const brokerUnsupported = (broker: string, client: string, missing: readonly string[]): OperatorError =>
  new OperatorError(
    'ASSAY_BUS_BROKER_UNSUPPORTED',
    `KAFKA_CLIENT=${client} and Kafka broker ${broker} share no version of: ${missing.join(', ')}. Nothing was sent. Set KAFKA_CLIENT to the other client (kafkajs or platformatic), or use a tested broker (docs/operate/configuration.md).`,
  )
