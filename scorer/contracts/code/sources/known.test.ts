import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { generateKnownCode } from './generate.ts'
import { createKnownCode, readKnownCode } from './known.ts'
import { createSourceRegistry } from './registry.ts'

const runtime = (path: string): string => {
  const parsed = JSON.parse(readFileSync(createRequire(import.meta.url).resolve(path), 'utf8'))
  return `0x${(parsed.evm?.deployedBytecode.object ?? parsed.deployedBytecode).replace(/^0x/, '')}`
}
const WETH9 = '@uniswap/v2-periphery/build/WETH9.json'
const known = createKnownCode()
const asked = (code: string) => ({ chainId: 1, address: '0x01', code })

test('the committed entries include all of the installed packages', () => {
  const committed = new Set(readKnownCode().map(({ hash }) => hash))
  const fresh = generateKnownCode([process.cwd()])
  expect(fresh.length).toBeGreaterThan(10)
  expect(fresh.filter(({ hash }) => !committed.has(hash))).toEqual([])
})

test('recognizes code with any metadata and any immutables', () => {
  expect(known(runtime(WETH9))).toMatch(/^WETH9 of @uniswap\/v2-periphery@/)
  const pool = runtime('@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json')
  const filled = pool.replaceAll(`7f${'00'.repeat(32)}`, `7f${'00'.repeat(12)}${'ab'.repeat(20)}`)
  expect(filled).not.toBe(pool)
  expect(known(filled)).toMatch(/^UniswapV3Pool of @uniswap\/v3-core@/)
})

test('does not recognize code with one changed byte', () => {
  const code = runtime(WETH9)
  expect(known(`${code.slice(0, 400)}${code[400] === '0' ? '1' : '0'}${code.slice(401)}`)).toBeUndefined()
  expect(known('0x')).toBeUndefined()
})

test('a contract of several codes is published if all of them are', async () => {
  const service = async () => ({ published: false, evidence: 'no' })
  const code = runtime(WETH9)
  const { lookup } = createSourceRegistry()
  expect((await lookup([asked(code)])).published).toBe(true)
  expect((await lookup([asked(code), asked('0x6001')])).published).toBeUndefined()
  expect((await lookup([])).published).toBeUndefined()
  expect(await createSourceRegistry(service).lookup([asked(code), asked('0x6001')])).toEqual(await service())
})
