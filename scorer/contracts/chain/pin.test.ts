import { expect, test } from 'vitest'
import { pinOf } from './pin.ts'

const block = { number: '0x10', hash: `0x${'12'.repeat(32)}` }
const by = { hash: { blockHash: block.hash }, number: block.number }
const rpc = () => ({ request: () => Promise.reject(new Error('not asked')) })

/** The pin after a node's first answer, and after it answers normally. */
const pins = async (answer: () => Promise<unknown>) => {
  const requester = rpc()
  const first = await pinOf(requester, answer, block, () => 0)
  let asked = 0
  const fine = async () => {
    asked += 1
    return '0x0'
  }
  const later = await pinOf(requester, fine, block, () => 1)
  return { first, later, asked }
}

test('a node that answers about a hash is asked by hash from then on', async () => {
  expect(await pins(async () => '0x0')).toEqual({ first: by.hash, later: by.hash, asked: 0 })
})

// Error messages of nodes for eth_getBalance at a block or state they do not have, from the sources that `pin.ts`
// names.
test.each([
  // geth: eth/api_backend.go, trie/errors.go, triedb/pathdb
  'header for hash not found',
  'hash is not currently canonical',
  'header found, but block body is missing',
  'missing trie node 12 (path ) state 0x12 is not available',
  'historical state 12 is not available',
  "state histories haven't been fully indexed yet",
  // Besu: RpcErrorType.java
  'Block not found',
  'World state unavailable',
  // reth: rpc-eth-types/src/error/mod.rs; the last from a public node
  'block not found: hash 0x12',
  'pruned history unavailable',
  'state at block #49871645 is pruned',
  // Erigon: rpc/rpchelper/helper.go
  'block 12 not found',
  'block 16 is not executed (last executed: 15)',
  'hash 12 is not currently canonical',
  // Nethermind: BlockFinderExtensions.cs, now and before, and EthRpcModule.cs
  'header not found',
  `0x${'12'.repeat(32)} could not be found`,
  `No state available for block 16 (0x12...121212)`,
  // anvil, and viem's words for code -32001
  'unknown block',
  'Requested resource not found.',
])('a node that lacks the block (%s) is asked by hash, and nothing is cached', async (words) => {
  const lacking = () => Promise.reject(new Error(words))
  expect(await pins(lacking)).toEqual({ first: by.hash, later: by.hash, asked: 1 })
})

test.each([
  'invalid argument 1: json: cannot unmarshal object into Go value of type string',
  'invalid params: invalid type: map, expected a string',
  // Not about the state of the block.
  'state overrides are not available',
])('a node that refuses the form (%s) is asked by number from then on', async (words) => {
  const refusing = () => Promise.reject(new Error(words))
  expect(await pins(refusing)).toEqual({ first: by.number, later: by.number, asked: 0 })
})

test('nothing is cached about a node that does not answer in time', async () => {
  const late = () => Promise.reject(new Error('no answer within 5000 ms'))
  expect(await pins(late)).toEqual({ first: by.hash, later: by.hash, asked: 1 })
})
