/** Reads certificate files, and reloads them when they change. */
import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import { createSecureContext, type Server } from 'node:tls'
import type { Logger } from '../../../platform/context/log.ts'
import { OperatorError } from '../../../platform/errors.ts'

/** Paths of PEM files. */
export type TlsFiles = { cert: string; key: string }

/** @throws OperatorError ASSAY_API_CERTIFICATE if the files cannot be read or do not belong together */
export const readCertificate = ({ cert, key }: TlsFiles): { cert: Buffer; key: Buffer } => {
  try {
    const pair = { cert: readFileSync(cert), key: readFileSync(key) }
    createSecureContext(pair)
    return pair
  } catch (cause) {
    throw new OperatorError(
      'ASSAY_API_CERTIFICATE',
      `The certificate ${cert} and its key cannot be used, so no new connection uses them. Check that both files are readable and belong together.`,
      { cause },
    )
  }
}

/** Checks the files every `intervalMs`. New connections get the new certificate. Returns a function that stops it. */
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
