/** The SDKs, made from the OpenAPI document and used against a running API. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  canGeneratePython,
  generatePython,
  generateTypeScript,
  PYTHON_GENERATOR,
} from '../../../../deploy/docs/sdk/generate.ts'
import { ENTERPRISE_KEY, startApi, UNSEEN } from '../kit.ts'

type Ask = (path: string, init?: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>
/** What the generated client exports, as far as it is called here: its own types are tested by compiling a program. */
type Client = { createAssay: (options: object) => { GET: Ask; POST: Ask } }

const ROOT = join(import.meta.dirname, '../../../..')
const WALLET = `0xaa${'11'.repeat(19)}`
const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'assay-sdk-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let running: Awaited<ReturnType<typeof startApi>>
let baseUrl = ''
beforeAll(async () => {
  running = await startApi()
  baseUrl = (await running.api.start())[0] ?? ''
})
afterAll(() => running.close())

/** Compiles where the line above an error expects it, and not where it does not. */
const PROGRAM = `
import { createAssay, type Schemas } from './client.js'
const assay = createAssay({ baseUrl: 'https://assay.example', key: 'k' })
const { data, error } = await assay.POST('/fraud/check', { body: { network: 'ETH', walletAddress: '0x' } })
const status: 'Fraud' | 'Not Fraud' | 'New Address' | undefined = data?.status
const code: string | undefined = error?.error
const job: Schemas['ScreenJob'] | undefined = (await assay.GET('/screen/{id}', { params: { path: { id: 'x' } } })).data
// @ts-expect-error there is no such path
await assay.POST('/fraud/chek', {})
// @ts-expect-error the address is required
await assay.POST('/fraud/check', { body: { network: 'ETH' } })
// @ts-expect-error a probability is a text
const probability: number | undefined = data?.probabilityFraud
export { code, job, probability, status }
`

describe('the TypeScript client', () => {
  let client: Client
  beforeAll(async () => {
    await generateTypeScript(folder)
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    client = await import(pathToFileURL(join(folder, 'client.js')).href)
  })

  test('knows paths, bodies and answers as types', async () => {
    writeFileSync(join(folder, 'program.ts'), PROGRAM)
    const options = {
      strict: true,
      noEmit: true,
      module: 'NodeNext',
      target: 'ES2022',
      lib: ['ES2023', 'DOM'],
      types: [],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['program.ts'] }))
    const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc')
    const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch((error) => error)
    expect(stdout).toBe('')
  })

  test('is answered by the API, errors included', async () => {
    const assay = client.createAssay({ baseUrl, key: ENTERPRISE_KEY })
    const found = await assay.POST('/fraud/check', { body: { network: 'ETH', walletAddress: WALLET } })
    expect(found.data).toMatchObject({ walletAddress: WALLET, status: 'Not Fraud' })
    const missing = await assay.POST('/fraud/check', { body: { network: 'ETH', walletAddress: UNSEEN.evm } })
    expect([missing.response.status, missing.error]).toMatchObject([404, { error: 'NOT_FOUND' }])
    const unknown = client.createAssay({ baseUrl, key: 'unknown' })
    const refused = await unknown.POST('/users/credit-score', { body: { network: 'ETH', walletAddress: WALLET } })
    expect(refused.error).toMatchObject({ error: 'KEY_INVALID' })
    const { data } = await assay.GET('/health')
    expect(data).toEqual({ status: 'ok' })
  })

  test('retries refused requests as often and as late as the response asks, with the same body', async () => {
    const sent: unknown[] = []
    const fetch = async (request: Request): Promise<Response> => {
      sent.push(await request.json())
      const headers = { 'content-type': 'application/json', 'retry-after': '0' }
      return new Response('{"message":"","error":"RATE_LIMITED","details":[]}', { status: 429, headers })
    }
    const assay = client.createAssay({ baseUrl, fetch })
    const body = { network: 'ETH', walletAddress: WALLET } as const
    const { error } = await assay.POST('/fraud/check', { body })
    expect([error, sent]).toMatchObject([{ error: 'RATE_LIMITED' }, [body, body, body]])
    await client.createAssay({ baseUrl, fetch, maxRetryAfterSeconds: -1 }).POST('/fraud/check', { body })
    expect(sent).toHaveLength(4)
  })
})

const SCRIPT = `
import sys
from assay_client import AuthenticatedClient
from assay_client.api.enterprise import fraud_check
from assay_client.models import Error, FraudCheckRequest, FraudCheckRequestNetwork, WalletFraudRecord

client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2], prefix="", auth_header_name="x-api-key")
def check(address):
    return fraud_check.sync(client=client, body=FraudCheckRequest(network=FraudCheckRequestNetwork.ETH, wallet_address=address))
found, missing = check(sys.argv[3]), check(sys.argv[4])
assert isinstance(found, WalletFraudRecord) and isinstance(missing, Error)
print(found.status.value, found.forensic_details.mixer.value, missing.error)
`

const python = canGeneratePython()
test.skipIf(!python)(
  `the Python client is answered by the API${python ? '' : ` (skipped: no ${PYTHON_GENERATOR} here)`}`,
  async () => {
    generatePython(folder)
    const bin = dirname(PYTHON_GENERATOR)
    const program = bin === '.' ? 'python3' : join(bin, 'python3')
    const asked = ['-c', SCRIPT, baseUrl, ENTERPRISE_KEY, WALLET, UNSEEN.evm]
    const { stdout } = await run(program, asked, { cwd: join(folder, 'python') })
    expect(stdout).toBe('Not Fraud 0 NOT_FOUND\n')
  },
  60_000,
)
