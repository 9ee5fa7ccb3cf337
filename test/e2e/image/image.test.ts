/** The image, built from its Dockerfile and asked a question. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../kit/free-port.ts'
import { startClickHouseFront } from '../../kit/processes/front-process.ts'
import { until } from '../../kit/until.ts'
import { createBuilder, type Image, whyNoImage } from './builder.ts'

const BUILD_MS = 900_000
const REMOVE_MS = 300_000
const MOST_BYTES = 500_000_000
const KEY = 'a-key-for-the-image-test'
const WALLET = '0x00000000219ab540356cbb839cbe05303d7705fa'

const reason = whyNoImage()

describe.skipIf(reason)(reason ? `the image (skipped: ${reason})` : 'the image', () => {
  let builder: Awaited<ReturnType<typeof createBuilder>> | undefined
  let image: Image
  beforeAll(async () => {
    builder = await createBuilder()
    image = await builder.build('deploy/image/Dockerfile', { VERSION: '0.2.0', REVISION: 'abc' })
  }, BUILD_MS)
  afterAll(() => builder?.close(), REMOVE_MS)

  test('is small, has a version label, and runs as an unprivileged user', () => {
    expect(image.size).toBeLessThan(MOST_BYTES)
    expect(image.config).toMatchObject({
      User: '1000:1000',
      Labels: { 'org.opencontainers.image.version': '0.2.0', 'org.opencontainers.image.revision': 'abc' },
      Healthcheck: { Test: ['CMD', 'node', 'deploy/image/health.js'] },
    })
  })

  test('contains no build tools, package manager or demonstration, and only its data folder is writable', async () => {
    const looked = await image.run([
      'sh',
      '-c',
      `for tool in npm npx corepack gcc make python3 curl wget; do command -v $tool; done
       find /app -path /app/node_modules -prune -o -name '*.test.ts' -print
       ls -d deploy/demo test node_modules/tsx node_modules/esbuild node_modules/typescript node_modules/vitest 2>/dev/null
       find / -xdev -writable -not -type l -not -path '/proc/*' -not -path '/sys/*' -not -path '/dev/*' 2>/dev/null; true`,
    ])
    expect(
      looked.output
        .split('\n')
        .filter((line) => line !== '')
        .toSorted(),
    ).toEqual(['/data', '/run/lock', '/tmp', '/var/tmp'])
  })

  test('lists its content, and every native module loads', async () => {
    const listed = await image.run(['cat', 'sbom.cdx.json'])
    const names = JSON.parse(listed.output).components.map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['fastify', 'lmdb', '@ethereumjs/evm']))
    expect(names).not.toEqual(expect.arrayContaining(['vitest']))
    const loaded = await image.run([
      'node',
      '--eval',
      `const { open } = require('lmdb')
       const db = open({ path: '/data/trial' })
       db.putSync('a', 1)
       import('@ethereumjs/evm').then(({ createEVM }) => console.log(db.get('a'), typeof createEVM))`,
    ])
    expect(loaded).toEqual({ code: 0, output: '1 function\n' })
  })

  test('answers a request, is healthy while it runs, and stops on request', async () => {
    const front = await startClickHouseFront()
    const port = String(await freePort())
    const env = {
      CLICKHOUSE_URL: front.url,
      ASSAY_HOST: '127.0.0.1',
      ASSAY_PORT: port,
      ASSAY_OPS_PORT: '1',
      ASSAY_PLAIN_HTTP: 'true',
      ASSAY_NETWORKS: 'ETH',
      ASSAY_BOOTSTRAP_KEYS: `business:${KEY}`,
    }
    const url = `http://127.0.0.1:${port}`
    const api = image.start(['node', 'deploy/assay.js', 'api'], env)
    try {
      const answers = () =>
        fetch(`${url}/health`)
          .then(({ ok }) => ok)
          .catch(() => false)
      await until('the API answers', answers).catch((error) => {
        throw new Error(`${error}: ${api.output()}`)
      })
      expect(await image.run(['node', 'deploy/image/health.js'], env)).toMatchObject({ code: 0 })
      const response = await fetch(`${url}/fraud/check`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': KEY },
        body: JSON.stringify({ network: 'ETH', walletAddress: WALLET, calculate: true }),
      })
      const answer = await response.json()
      // Nobody indexes here: the key was accepted, the tables were asked, and what they lack is not called clean.
      expect({ status: response.status, answer }).toMatchObject({ status: 503, answer: { error: 'CATCHING_UP' } })
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    } finally {
      expect(await api.stop()).toBe(0)
      await front.close()
    }
    expect(await image.run(['node', 'deploy/image/health.js'], env)).toMatchObject({ code: 1 })
  }, 300_000)
})
