import type { KafkaAccess } from './access.ts'
import { brokerUnsupported, tlsRefused } from './errors.ts'
import { type ApiVersions, type Probe, probe } from './probe.ts'

/** Range of versions of one API that a client supports. */
export type ApiVersionRange = { api: string; key: number; min: number; max: number }

/** APIs for which client and broker have no version in common. */
export const apisWithoutCommonVersion = (supported: readonly ApiVersionRange[], versions: ApiVersions): string[] =>
  supported.flatMap(({ api, key, min, max }) => {
    const [from, to] = versions.get(key) ?? [1, 0]
    if (from <= max && to >= min) return []
    return [`${api} (client ${min} to ${max}, broker ${to < from ? 'none' : `${from} to ${to}`})`]
  })

const refusalOf = (
  broker: string,
  result: Probe,
  access: KafkaAccess,
  client: string,
  supported: readonly ApiVersionRange[],
) => {
  if (result.kind === 'untrusted')
    return tlsRefused(
      broker,
      `its certificate is not trusted: ${result.why}. Set KAFKA_TLS_CA to the certificate authority that signed it, and use the host name of the certificate in KAFKA_BROKERS`,
    )
  if (result.kind === 'no-tls')
    return tlsRefused(
      broker,
      `it does not use TLS: ${result.why}. Remove KAFKA_TLS, or set the port of its TLS listener in KAFKA_BROKERS`,
    )
  if (result.kind === 'refused')
    return tlsRefused(
      broker,
      access.tls
        ? `it closed the connection after the handshake: ${result.why}. If it requires a client certificate, set KAFKA_TLS_CERT and KAFKA_TLS_KEY`
        : `it closed a connection without TLS: ${result.why}. If this port is its TLS listener, set KAFKA_TLS=true`,
    )
  if (result.kind !== 'answered') return undefined
  const missing = apisWithoutCommonVersion(supported, result.versions)
  return missing.length === 0 ? undefined : brokerUnsupported(broker, client, missing)
}

/**
 * Asks the brokers whether this client can work with them, until one agrees; later calls return at once. An unreachable
 * broker is not refused, because the client waits for it.
 * @throws OperatorError ASSAY_BUS_TLS_REFUSED, ASSAY_BUS_BROKER_UNSUPPORTED
 */
export const createAccessCheck = (
  access: KafkaAccess,
  client: string,
  supported: readonly ApiVersionRange[],
): (() => Promise<void>) => {
  let agreed = false
  return async () => {
    if (agreed) return
    for (const broker of access.brokers) {
      const result = await probe(broker, access.tls)
      const refusal = refusalOf(broker, result, access, client, supported)
      if (refusal) throw refusal
      agreed ||= result.kind === 'answered'
      if (agreed) return
    }
  }
}
