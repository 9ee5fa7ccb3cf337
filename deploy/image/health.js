// The health check of the image: exit code 0 when the role of this container answers /health. The API listens on ASSAY_PORT,
// with TLS where it has a certificate; indexer and scorer on ASSAY_OPS_PORT.
import http from 'node:http'
import https from 'node:https'

const DEADLINE_MS = 4_000
const { ASSAY_HOST = '127.0.0.1', ASSAY_PORT = '8080', ASSAY_OPS_PORT = '9464', ASSAY_TLS_CERT } = process.env
const host = ['0.0.0.0', '::', ''].includes(ASSAY_HOST) ? '127.0.0.1' : ASSAY_HOST

const answers = (module, port) =>
  new Promise((resolve) => {
    // The certificate is for the public name, not for this address.
    const options = { host, port, path: '/health', timeout: DEADLINE_MS, rejectUnauthorized: false }
    module
      .get(options, (response) => {
        response.resume()
        resolve(response.statusCode === 200)
      })
      .once('timeout', () => resolve(false))
      .once('error', () => resolve(false))
  })

const answered = await Promise.all([answers(ASSAY_TLS_CERT ? https : http, ASSAY_PORT), answers(http, ASSAY_OPS_PORT)])
process.exit(answered.includes(true) ? 0 : 1)
