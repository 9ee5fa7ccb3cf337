/** Certificate files, and their reload when they are renewed. */
import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import { createSecureContext, type Server } from 'node:tls'
import type { Logger } from '../../../platform/context/log.ts'
import { OperatorError } from '../../../platform/errors.ts'

/** Paths of PEM files. */
export type TlsFiles = { cert: string; key: string }

/** @throws OperatorError ASSAY_API_CERTIFICATE when the files cannot be read or do not belong together. */
export const readCertificate = ({ cert, key }: TlsFiles): { cert: Buffer; key: Buffer } => {
  try {
    const pair = { cert: readFileSync(cert), key: readFileSync(key) }
    createSecureContext(pair)
    return pair
  } catch (cause) {
    throw new OperatorError(
      'ASSAY_API_CERTIFICATE',
      `The certificate ${cert} and its key cannot be used. No new connection uses them. Check both files, that they belong together and can be read.`,
      { cause },
    )
  }
}

/** Looks every `intervalMs` whether the files changed; new connections get the new certificate. Returns a stop function. */
export const reloadCertificate = (server: Server, files: TlsFiles, log: Logger, intervalMs: number): (() => void) => {
  const reload = () => {
    try {
      server.setSecureContext(readCertificate(files))
      log.info({ cert: files.cert }, 'reloaded the certificate')
    } catch (err) {
      // Certificate and key are replaced one after the other: the second change completes the pair.
      log.warn({ err }, 'failed to load the new certificate, keeping the one in use')
    }
  }
  const paths = [files.cert, files.key]
  for (const path of paths) watchFile(path, { interval: intervalMs, persistent: false }, reload)
  return () => {
    for (const path of paths) unwatchFile(path, reload)
  }
}
