import { expect, test } from 'vitest'
import { loadConfig } from '../../platform/config/config.ts'
import { createContext } from '../process/process.ts'
import { startApi } from './api.ts'

test.each([
  ['an address that others reach', { ASSAY_HOST: '0.0.0.0' }],
  ['an agent surface that others reach', { ASSAY_AGENT_PORT: '8081', ASSAY_AGENT_HOST: '::' }],
  ['a proxy', { ASSAY_TRUST_PROXY: '127.0.0.1' }],
  ['TLS', { ASSAY_TLS_CERT: 'cert.pem', ASSAY_TLS_KEY: 'key.pem' }],
])('behind %s the API requires its public URL', async (_, env) => {
  const context = createContext({ ASSAY_LOG_LEVEL: 'silent' }, 'test')
  await expect(startApi(context, loadConfig(env))).rejects.toMatchObject({ code: 'ASSAY_API_PUBLIC_URL', exitCode: 1 })
  await context.lifecycle.close()
})
