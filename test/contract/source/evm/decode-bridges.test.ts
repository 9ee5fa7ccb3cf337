import { concat, type Hex, numberToHex, pad } from 'viem'
import { expect, test } from 'vitest'
import { decodeBlock } from '../../../../indexer/source/evm/decode/index.ts'
import { touchedAddresses } from '../../../../schema/block.ts'
import { MESSAGE_BRIDGES } from '../../../../schema/registry/message-bridges.ts'
import { A, B, blockOf, encodeLog, rowsOf, SENDER, TOKEN } from './decode.helpers.ts'

const on = (bridge: string, role: string, network: 'ETH' | 'BASE' = 'ETH') =>
  [...MESSAGE_BRIDGES[network].values()].find((one) => one.bridge === bridge && one.role === role)!.address
const word = (address: string): Hex => pad(address as Hex, { size: 32 })
const crossings = (...logs: ReturnType<typeof encodeLog>[]) => {
  const { rows, malformed } = rowsOf('authority', logs)
  return {
    rows: rows.map(({ authority, event, subject, amount, detail }) => [authority, event, subject, amount, detail]),
    malformed,
  }
}

const DEPOSITED =
  'event FundsDeposited(bytes32, bytes32, uint256, uint256, uint256 indexed, uint256 indexed, uint32, uint32, uint32, bytes32 indexed, bytes32, bytes32, bytes)'
const V3_DEPOSITED =
  'event V3FundsDeposited(address, address, uint256, uint256, uint256 indexed, uint32 indexed, uint32, uint32, uint32, address indexed, address, address, bytes)'
const FILLED =
  'event FilledRelay(bytes32, bytes32, uint256, uint256, uint256, uint256 indexed, uint256 indexed, uint32, uint32, bytes32, bytes32 indexed, bytes32, bytes32, bytes32, (bytes32, bytes32, uint256, uint8))'
const V3_FILLED =
  'event FilledV3Relay(address, address, uint256, uint256, uint256, uint256 indexed, uint32 indexed, uint32, uint32, address, address indexed, address, address, bytes, (address, bytes, uint256, uint8))'
const NOBODY = `0x${'0'.repeat(40)}`
const HASH = `0x${'ab'.repeat(32)}`

test('reads network, number, token and received amount of Across deposits and fills, in both event formats', () => {
  const pool = on('across', 'pool')
  const out = `across ETH BASE 77 ${B.toLowerCase()} 990`
  const into = `across BASE ETH 78 ${B.toLowerCase()} 500`
  expect(
    crossings(
      encodeLog(pool, DEPOSITED, [
        word(A),
        word(B),
        1_000n,
        990n,
        8453n,
        77n,
        1,
        2,
        3,
        word(TOKEN),
        word(A),
        word(NOBODY),
        '0x',
      ]),
      encodeLog(pool, V3_DEPOSITED, [A, B, 1_000n, 990n, 8453n, 77, 1, 2, 3, TOKEN, A, NOBODY, '0x1234']),
      encodeLog(pool, FILLED, [
        word(A),
        word(B),
        510n,
        500n,
        1n,
        8453n,
        78n,
        2,
        3,
        word(NOBODY),
        word(TOKEN),
        word(TOKEN),
        word(A),
        HASH,
        [word(A), HASH, 480n, 1],
      ]),
      encodeLog(pool, V3_FILLED, [
        A,
        B,
        510n,
        500n,
        1n,
        8453n,
        78,
        2,
        3,
        NOBODY,
        TOKEN,
        TOKEN,
        A,
        `0x${'77'.repeat(40)}`,
        [A, '0x', 480n, 0],
      ]),
    ),
  ).toEqual({
    malformed: 0,
    rows: [
      [pool, 'bridge_out', A.toLowerCase(), '1000', out],
      [pool, 'bridge_out', A.toLowerCase(), '1000', out],
      [pool, 'bridge_in', A.toLowerCase(), '480', into],
      [pool, 'bridge_in', A.toLowerCase(), '480', into],
    ],
  })
})

test('ignores crossings of other contracts, to other networks or address kinds, and with a changed receiver', () => {
  const pool = on('across', 'pool')
  const deposit = (emitter: string, chain: bigint, receiver: string) =>
    encodeLog(emitter, DEPOSITED, [word(A), word(B), 1n, 1n, chain, 1n, 1, 2, 3, word(A), receiver, word(NOBODY), '0x'])
  const fill = (paidTo: string) =>
    encodeLog(pool, FILLED, [
      word(A),
      word(B),
      5n,
      5n,
      1n,
      8453n,
      78n,
      2,
      3,
      word(NOBODY),
      word(A),
      word(A),
      word(A),
      HASH,
      [word(paidTo), HASH, 5n, 1],
    ])
  expect(
    crossings(
      deposit(TOKEN, 8453n, word(A)),
      deposit(pool, 42_161n, word(A)),
      deposit(pool, 2n ** 200n, word(A)),
      deposit(pool, 8453n, HASH),
      fill(B),
    ),
  ).toEqual({ malformed: 0, rows: [] })
})

const BURNT =
  'event DepositForBurn(uint64 indexed, address indexed, uint256, address indexed, bytes32, uint32, bytes32, bytes32)'
const V2_BURNT =
  'event DepositForBurn(address indexed, uint256, address indexed, bytes32, uint32, bytes32, bytes32, uint256, uint32 indexed, bytes)'
const RECEIVED = 'event MessageReceived(address indexed, uint32, uint64 indexed, bytes32, bytes)'
const V2_RECEIVED = 'event MessageReceived(address indexed, uint32, bytes32 indexed, bytes32, uint32 indexed, bytes)'
const words = (...numbers: bigint[]) => numbers.map((number) => numberToHex(number, { size: 32 }))
/** Version, token, receiver, amount, sender, and what the second version adds. */
const body = (receiver: string, amount: bigint, sender: string, ...more: Hex[]) =>
  concat([numberToHex(0, { size: 4 }), word(TOKEN), word(receiver), ...words(amount), word(sender), ...more])

test('matches burns of CCTP with their receipts by nonce, or by burner and amount', () => {
  const [messenger, transmitter] = [on('cctp', 'messenger'), on('cctp', 'transmitter')]
  const [messenger2, transmitter2] = [on('cctp-v2', 'messenger'), on('cctp-v2', 'transmitter')]
  const far = word(on('cctp', 'messenger', 'BASE'))
  const far2 = word(on('cctp-v2', 'messenger', 'BASE'))
  const fees = words(9n, 3n, 100n)
  expect(
    crossings(
      encodeLog(messenger, BURNT, [12n, TOKEN, 700n, A, word(B), 6, far, HASH]),
      encodeLog(messenger2, V2_BURNT, [TOKEN, 700n, A, word(B), 6, far2, HASH, 9n, 1000, '0x77']),
      encodeLog(transmitter, RECEIVED, [A, 6, 13n, far, body(B, 800n, A)]),
      encodeLog(transmitter2, V2_RECEIVED, [A, 6, HASH, far2, 2000, body(B, 800n, A, ...fees, '0x1234')]),
    ),
  ).toEqual({
    malformed: 0,
    rows: [
      [messenger, 'bridge_out', B.toLowerCase(), '700', 'cctp ETH BASE 12 700'],
      [messenger2, 'bridge_out', B.toLowerCase(), '700', `cctp-v2 ETH BASE ${A.toLowerCase()} 700`],
      [transmitter, 'bridge_in', B.toLowerCase(), '800', 'cctp BASE ETH 13 800'],
      [transmitter2, 'bridge_in', B.toLowerCase(), '797', `cctp-v2 BASE ETH ${A.toLowerCase()} 800`],
    ],
  })
})

test('the receiver on the other network is not scored on this one', () => {
  const burn = encodeLog(on('cctp', 'messenger'), BURNT, [12n, TOKEN, 700n, A, word(B), 6, word(A), HASH])
  const touched = touchedAddresses([decodeBlock('ETH', blockOf([burn]))])
  expect(touched).toContain(SENDER)
  expect(touched).not.toContain(B.toLowerCase())
})

test('ignores a burn message from another contract than the messenger', () => {
  const transmitter = on('cctp', 'transmitter')
  const far = word(on('cctp', 'messenger', 'BASE'))
  expect(
    crossings(
      encodeLog(transmitter, RECEIVED, [A, 6, 13n, word(A), body(B, 800n, A)]),
      // The messenger of another network.
      encodeLog(transmitter, RECEIVED, [A, 7, 13n, far, body(B, 800n, A)]),
      encodeLog(transmitter, RECEIVED, [A, 99, 13n, far, body(B, 800n, A)]),
      encodeLog(TOKEN, RECEIVED, [A, 6, 13n, far, body(B, 800n, A)]),
    ),
  ).toEqual({ malformed: 0, rows: [] })
  expect(crossings(encodeLog(transmitter, RECEIVED, [A, 6, 13n, far, '0x1234'])).malformed).toBe(1)
})
