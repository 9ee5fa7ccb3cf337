import { afterAll, expect, test } from 'vitest'
import type { ChainReader } from '../../chain/chain.ts'
import { createCodeReader } from '../../code/reader.ts'
import { permissionlessContracts } from './permissionless.ts'

const reader = createCodeReader()
afterAll(() => reader.close())

/** One function that stops, or borrows code, and metadata of four bytes. */
const codeOf = (body: string, metadata: string) =>
  `0x60003560e01c63aabbccdd14601357600080fd5b${body}fea1${metadata}0005`
const TOOL = `0x${'11'.repeat(20)}`

test.each([
  ['00', '00000000', 1],
  // A byte of metadata that would be DELEGATECALL if it were ever reached.
  ['00', '00f45bf4', 1],
  ['6000808080335af400', '00000000', 0],
])('a contract with function body %s and metadata %s is permissionless: %i', async (body, metadata, tools) => {
  const chain = { code: async () => codeOf(body, metadata) } as unknown as ChainReader
  expect((await permissionlessContracts(chain, reader, [TOOL])).size).toBe(tools)
})
