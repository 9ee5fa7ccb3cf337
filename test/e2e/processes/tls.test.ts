/** An API with a certificate of its own: what is for machines of the installation is on a port of its own. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createContext } from '../../../deploy/process/process.ts'
import { startApi } from '../../../deploy/roles/api.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import { freePort } from '../../kit/free-port.ts'

const CERTIFICATE = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost'

const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'])
    return true
  } catch {
    return false
  }
})()

const statusOf = (url: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(url, { rejectUnauthorized: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })

test.skipIf(!hasOpenssl)(
  'behind TLS, metrics and error texts are only on the operator port (needs openssl)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-tls-role-'))
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    execFileSync('openssl', [...CERTIFICATE.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' })
    const [port, ops] = [await freePort(), await freePort()]
    const context = createContext({ ASSAY_LOG_LEVEL: 'silent' }, 'api')
    const config = loadConfig({
      ASSAY_DATA: folder,
      ASSAY_NETWORKS: 'ETH',
      ASSAY_HOST: '127.0.0.1',
      ASSAY_PORT: String(port),
      ASSAY_OPS_PORT: String(ops),
      ASSAY_TLS_CERT: cert,
      ASSAY_TLS_KEY: key,
      ASSAY_PUBLIC_URL: 'https://assay.example',
    })
    try {
      const { urls } = await startApi(context, config)
      expect(urls).toEqual([`https://127.0.0.1:${port}`])
      expect(await statusOf(`${urls[0]}/health`)).toBe(200)
      expect(await statusOf(`${urls[0]}/metrics`)).toBe(404)
      const metrics = await fetch(`http://127.0.0.1:${ops}/metrics`)
      expect([metrics.status, await metrics.text()]).toEqual([200, expect.stringContaining('assay_http_seconds')])
      expect((await fetch(`http://127.0.0.1:${ops}/status`)).status).toBe(200)
    } finally {
      await context.lifecycle.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
