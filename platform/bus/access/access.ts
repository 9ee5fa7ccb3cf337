/** Which brokers to connect to, and with which credentials. */
import { readFileSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import type { Secret } from '../../config/values.ts'
import { OperatorError } from '../../errors.ts'

/** TLS settings of a connection, as PEM texts. Without `ca`, Node.js's default certificate authorities are trusted. */
export type KafkaTls = { ca?: string; cert?: string; key?: string }

/** SASL login of this process. The password is revealed only where it is passed to a client library. */
export type KafkaLogin = {
  mechanism: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512'
  username: string
  password: Secret
}

/** All that a client needs to reach the brokers. Connections are plain without `tls`, and unauthenticated without `login`. */
export type KafkaAccess = {
  /** `host:port` of some brokers; the others are learned from them. */
  brokers: readonly string[]
  tls?: KafkaTls
  login?: KafkaLogin
}

type Settings = Pick<
  Config,
  | 'KAFKA_BROKERS'
  | 'KAFKA_TLS'
  | 'KAFKA_TLS_CA'
  | 'KAFKA_TLS_CERT'
  | 'KAFKA_TLS_KEY'
  | 'KAFKA_SASL_MECHANISM'
  | 'KAFKA_SASL_USERNAME'
  | 'KAFKA_SASL_PASSWORD'
>

const pem = (name: string, path: string | undefined): string | undefined => {
  if (path === undefined) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new OperatorError(
      'ASSAY_CONFIG_INVALID',
      `${name} names ${path}, which cannot be read. Nothing was started. Set it to a PEM file that this process can read.`,
      { cause },
    )
  }
}

/**
 * The configured access to Kafka, with the PEM files read; undefined when the bus is embedded.
 * @throws OperatorError ASSAY_CONFIG_INVALID when a file cannot be read.
 */
export const kafkaAccessOf = (config: Settings): KafkaAccess | undefined => {
  if (!config.KAFKA_BROKERS?.length) return undefined
  const ca = pem('KAFKA_TLS_CA', config.KAFKA_TLS_CA)
  const cert = pem('KAFKA_TLS_CERT', config.KAFKA_TLS_CERT)
  const key = pem('KAFKA_TLS_KEY', config.KAFKA_TLS_KEY)
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password } = config
  return {
    brokers: config.KAFKA_BROKERS,
    ...(config.KAFKA_TLS && { tls: { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) } }),
    ...(mechanism && username !== undefined && password && { login: { mechanism, username, password } }),
  }
}
