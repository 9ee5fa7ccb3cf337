import { keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { codeIdentity, stripMetadata } from './code-hash.ts'

// solc 0.8.19's trailer: {"ipfs": <34 bytes>, "solc": 0x000813}, length 0x0033.
const trailer = (hash: string) => `a2646970667358221220${hash}64736f6c63430008130033`
const CODE = '0x6080604052600080fd'

test('builds that differ only in metadata have the same code hash', () => {
  const [one, two] = ['11', '22'].map((byte) => codeIdentity(CODE + trailer(byte.repeat(32))))
  expect(one).toEqual({ hash: keccak256(CODE), size: 9 + 53 })
  expect(two).toEqual(one)
})

test('hashes the whole code without a valid metadata trailer', () => {
  for (const code of [
    '0x',
    '0x00',
    '0x0000',
    CODE,
    `${CODE}0033`,
    `${CODE}${'ff'.repeat(60)}0033`,
    `0x${'f'.repeat(64)}`,
  ])
    expect(stripMetadata(code)).toBe(code)
  expect(codeIdentity('0x')).toEqual({ hash: keccak256('0x'), size: 0 })
})

test('finds older and experimental trailers by their keys', () => {
  const bzzr0 = `a165627a7a72305820${'33'.repeat(32)}0029`
  const experimental = `a26c6578706572696d656e74616cf564736f6c634300050b0018`
  expect(stripMetadata(CODE + bzzr0)).toBe(CODE)
  expect(stripMetadata(CODE + experimental)).toBe(CODE)
})
