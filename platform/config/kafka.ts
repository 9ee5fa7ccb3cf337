/** Settings of Kafka, and the retention of its queues. */
import { z } from 'zod'
import { flag, integer, list, secretText } from './values.ts'

/** How to reach Kafka. Without `KAFKA_BROKERS` the bus is embedded, and the other settings have no effect. */
export const kafkaSettings = {
  KAFKA_BROKERS: list.optional(),
  /** Client library; docs/adr/0011-second-kafka-client.md compares them. */
  KAFKA_CLIENT: z.enum(['kafkajs', 'platformatic']).default('kafkajs'),
  KAFKA_TLS: flag.default(false),
  /** PEM file of the brokers' certificate authority, if Node.js does not trust it by default. */
  KAFKA_TLS_CA: z.string().optional(),
  /** PEM files of a client certificate and its key, for brokers that require one. */
  KAFKA_TLS_CERT: z.string().optional(),
  KAFKA_TLS_KEY: z.string().optional(),
  KAFKA_SASL_MECHANISM: z.enum(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512']).optional(),
  KAFKA_SASL_USERNAME: z.string().optional(),
  KAFKA_SASL_PASSWORD: secretText.optional(),
}

const DAYS = 24

/** Hours after which queue messages may be deleted; 0 keeps them for ever. Blocks and records are always kept. */
export const retentionSettings = {
  ASSAY_RETENTION_RESCORE_HOURS: integer.default(7 * DAYS),
  ASSAY_RETENTION_DEAD_LETTERS_HOURS: integer.default(90 * DAYS),
  ASSAY_RETENTION_SERVED_HOURS: integer.default(30 * DAYS),
}

type KafkaSettings = z.output<z.ZodObject<typeof kafkaSettings>>

/** Conflict between settings of Kafka, or undefined. */
export const kafkaProblem = (config: KafkaSettings): string | undefined => {
  const files = [config.KAFKA_TLS_CA, config.KAFKA_TLS_CERT, config.KAFKA_TLS_KEY]
  if (!config.KAFKA_TLS && files.some((file) => file !== undefined))
    return 'KAFKA_TLS_CA, KAFKA_TLS_CERT and KAFKA_TLS_KEY require KAFKA_TLS=true.'
  if ((config.KAFKA_TLS_CERT === undefined) !== (config.KAFKA_TLS_KEY === undefined))
    return 'Only one of KAFKA_TLS_CERT and KAFKA_TLS_KEY is set. Set both or neither.'
  const login = [config.KAFKA_SASL_MECHANISM, config.KAFKA_SASL_USERNAME, config.KAFKA_SASL_PASSWORD]
  const given = login.filter((value) => value !== undefined).length
  if (given !== 0 && given !== login.length)
    return 'Only some of KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD are set. Set all three or none.'
  return undefined
}
