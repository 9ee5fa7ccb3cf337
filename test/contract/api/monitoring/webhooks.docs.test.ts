/** The samples of docs/use/webhooks.md, run as they are printed. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newSecret, signatureOf } from '../../../../api/monitoring/webhooks/secrets.ts'
import { verdictChanged } from '../../../../schema/records/service/monitoring.ts'

const page = readFileSync(new URL('../../../../docs/use/webhooks.md', import.meta.url), 'utf8')
const sample = (language: string): string => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? ''

const secret = newSecret()
const body = '{"type":"ping","data":{"endpoint":"ü"}}'
const headersOf = (signed: string) => {
  const timestamp = Math.floor(Date.now() / 1_000)
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf([newSecret(), secret], 'msg_1', timestamp, signed),
  }
}

test('the TypeScript sample accepts exactly what is signed', async () => {
  process.env.WEBHOOK_SECRET = secret
  const source = sample('ts').replace('headers: Record<string, string>, body: string', 'headers, body')
  const library = import.meta.resolve('standardwebhooks')
  const text = source.replace("'standardwebhooks'", JSON.stringify(library))
  const { receive } = await import(`data:text/javascript,${encodeURIComponent(text)}`)
  expect(receive(headersOf(body), body)).toEqual({ id: 'msg_1', event: JSON.parse(body) })
  expect(() => receive(headersOf(`${body} `), body)).toThrow()
})

const hasPython = spawnSync('python3', ['--version']).status === 0

test.skipIf(!hasPython)('the Python sample accepts exactly what is signed', () => {
  const run = (signed: string) =>
    execFileSync(
      'python3',
      [
        '-c',
        `${sample('python')}\nimport sys\nprint(receive(json.loads(sys.argv[1]), sys.argv[2].encode()))`,
        JSON.stringify(headersOf(signed)),
        body,
      ],
      {
        env: { ...process.env, WEBHOOK_SECRET: secret, PYTHONIOENCODING: 'utf8' },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    ).toString()
  expect(run(body)).toBe("('msg_1', {'type': 'ping', 'data': {'endpoint': 'ü'}})\n")
  expect(() => run(`${body} `)).toThrow()
})

test('the event in the documentation is valid', () => {
  expect(() => verdictChanged.parse(JSON.parse(sample('json')))).not.toThrow()
})
