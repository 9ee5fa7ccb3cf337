/** Certificates and credentials of a test broker that requires them. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Users of the broker, one each for PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512. */
export const KAFKA_USER = { username: 'assay', password: 'correct horse' } as const

/** PEM files: the authority, one it did not sign, and a certificate with its key for each side. */
export type Certificates = {
  ca: string
  otherCa: string
  server: string
  client: { cert: string; key: string }
}

const authority = async (folder: string, name: string) => {
  const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)]
  const subject = [
    '-subj',
    `/CN=${name}`,
    '-days',
    '2',
    '-nodes',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
  ]
  await run('openssl', ['req', '-x509', ...subject, '-keyout', key, '-out', cert])
  return { cert, key }
}

const signed = async (folder: string, name: string, ca: { cert: string; key: string }) => {
  const file = (ending: string) => join(folder, `${name}.${ending}`)
  const subject = ['-subj', `/CN=${name}`, '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']
  await run('openssl', ['req', ...subject, '-keyout', file('key'), '-out', file('csr')])
  await writeFile(file('ext'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\n')
  const by = ['-CA', ca.cert, '-CAkey', ca.key, '-CAcreateserial', '-days', '2', '-extfile', file('ext')]
  await run('openssl', ['x509', '-req', '-in', file('csr'), '-out', file('pem'), ...by])
  return { cert: file('pem'), key: file('key') }
}

/** Creates the certificates in a folder, by openssl. */
export const makeCertificates = async (folder: string): Promise<Certificates> => {
  const ca = await authority(folder, 'assay-test-ca')
  const otherCa = await authority(folder, 'another-ca')
  const server = await signed(folder, 'server', ca)
  const client = await signed(folder, 'client', ca)
  const store = join(folder, 'server-store.pem')
  await writeFile(store, `${await readFile(server.key, 'utf8')}${await readFile(server.cert, 'utf8')}`)
  return { ca: ca.cert, otherCa: otherCa.cert, server: store, client }
}

/** Options of Kafka's storage tool that create the SCRAM user. */
export const scramOptions = (): string[] =>
  ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
    '--add-scram',
    `${mechanism}=[name=${KAFKA_USER.username},password=${KAFKA_USER.password}]`,
  ])

const PLAIN = 'org.apache.kafka.common.security.plain.PlainLoginModule required'
const SCRAM = 'org.apache.kafka.common.security.scram.ScramLoginModule required;'

/** Broker settings of the three listeners SECURE (TLS and SASL), MUTUAL (TLS with client certificates) and LOGIN (SASL without TLS). */
export const securityProperties = ({ ca, server }: Certificates): Record<string, string> => {
  const store = {
    'keystore.type': 'PEM',
    'keystore.location': server,
    'truststore.type': 'PEM',
    'truststore.location': ca,
  }
  const ssl = Object.fromEntries(Object.entries(store).map(([name, value]) => [`ssl.${name}`, value]))
  const logins = ['secure', 'login'].flatMap((listener) => [
    [
      `listener.name.${listener}.plain.sasl.jaas.config`,
      `${PLAIN} user_${KAFKA_USER.username}="${KAFKA_USER.password}";`,
    ],
    [`listener.name.${listener}.scram-sha-256.sasl.jaas.config`, SCRAM],
    [`listener.name.${listener}.scram-sha-512.sasl.jaas.config`, SCRAM],
  ])
  return {
    ...ssl,
    'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
    'listener.name.mutual.ssl.client.auth': 'required',
    ...Object.fromEntries(logins),
  }
}
