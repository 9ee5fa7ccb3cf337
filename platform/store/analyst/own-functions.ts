/**
 * Our own SQL functions for analysts: addresses in the tables' notation, units, and positions in the chain. Each is an
 * expression of the engine's functions. Functions exist server-wide, so all names begin with `assay_`.
 *
 * Invalid arguments end the statement with an error: a misspelt address would otherwise find nothing, which looks like an
 * answer.
 */

type OwnFunction = {
  name: string
  parameters: readonly string[]
  /** Result, for docs/use/analysts.md. */
  result: string
  /** A call and its result as text. */
  example: readonly [call: string, result: string]
  body: string
}

/** First four bytes of the double SHA-256: the checksum of base58check. */
const checksum = (bytes: string) => `substring(SHA256(SHA256(${bytes})), 1, 4)`
const tron = (payload: string) => `base58Encode(concat(${payload}, ${checksum(payload)}))`

/** CRC-16/XMODEM of a text's bytes (TEP-2). */
const crc16 = (bytes: string) =>
  `arrayFold((crc, byte) -> arrayFold((c, bit) -> bitAnd(if(bitAnd(c, 32768) = 0, bitShiftLeft(c, 1), bitXor(bitShiftLeft(c, 1), 4129)), 65535), range(8), bitXor(crc, bitShiftLeft(byte, 8))), arrayMap(i -> toUInt32(reinterpretAsUInt8(substring(${bytes}, i, 1))), range(1, length(${bytes}) + 1)), toUInt32(0))`

const friendly = "tryBase64Decode(replaceAll(replaceAll(text, '-', '+'), '_', '/'))"
const tonBytes = `substring(${friendly}, 1, 34)`
/** Flags of bounceable and non-bounceable addresses (TEP-2). Addresses of test networks are other accounts. */
const TON_FLAGS = "('11', '51')"
const TON_WORKCHAINS = "('00', 'FF')"

/** Hex digits with the capitals of EIP-55; `digits` are forty in lower case. */
const eip55 = (digits: string) =>
  `arrayStringConcat(arrayMap((digit, i) -> if(substring(hex(keccak256(${digits})), i, 1) >= '8', upper(digit), digit), ngrams(${digits}, 1), range(1, 41)))`
const evmDigits = 'substring(text, 3)'
const isEvm = `(match(text, '^0x[0-9a-fA-F]{40}$') AND (match(text, '^0x([0-9a-f]+|[0-9A-F]+)$') OR ${evmDigits} = ${eip55(`lower(${evmDigits})`)}))`
const isTronHex = "match(text, '^41[0-9a-fA-F]{40}$')"
const tronBytes = 'tryBase58Decode(text)'
const isTron = `(match(text, '^T[1-9A-HJ-NP-Za-km-z]{33}$') AND length(${tronBytes}) = 25 AND substring(${tronBytes}, 22) = ${checksum(`substring(${tronBytes}, 1, 21)`)})`
const isTonRaw = "match(text, '^(0|-1):[0-9a-fA-F]{64}$')"
const isTon = `(match(text, '^[A-Za-z0-9+/_-]{48}$') AND hex(substring(${friendly}, 1, 1)) IN ${TON_FLAGS} AND hex(substring(${friendly}, 2, 1)) IN ${TON_WORKCHAINS} AND ${crc16(tonBytes)} = reinterpretAsUInt16(reverse(substring(${friendly}, 35, 2))))`
const isSolana = `(match(text, '^[1-9A-HJ-NP-Za-km-z]{32,44}$') AND length(${tronBytes}) = 32)`

const digits = "replaceOne(text, '.', '')"
const fraction = "if(position(text, '.') = 0, '', substring(text, position(text, '.') + 1))"

/** Base units of an amount in whole coins, as digits without leading zeros. */
const units = `replaceRegexpOne(concat(${digits}, repeat('0', greatest(toInt32(decimals) - toInt32(length(${fraction})), 0))), '^0+([0-9])', '\\\\1')`
const MAX_UINT256 = (2n ** 256n - 1n).toString()

const rawDigits = "replaceOne(toString(raw), '-', '')"
/** Digits of an amount, at least one before the decimal point. */
const padded = `leftPad(${rawDigits}, greatest(length(${rawDigits}), toUInt16(decimals) + 1), '0')`

/** All functions. docs/use/analysts.md lists them with their examples, which a test runs. */
export const OWN_FUNCTIONS: readonly OwnFunction[] = [
  {
    name: 'assay_address',
    parameters: ['text'],
    result: 'an address of any network as the tables spell it',
    example: [
      "assay_address('0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B')",
      '0xab5801a7d398351b8be11c439e05c5b3259aec9b',
    ],
    body: `multiIf(
  throwIf(NOT (${[isEvm, isTonRaw, isTronHex, isTron, isTon, isSolana].join(' OR ')}), 'assay_address: the text is no address, or its checksum is wrong') != 0, '',
  ${isEvm} OR ${isTonRaw}, lower(text),
  ${isTronHex}, ${tron('unhex(text)')},
  ${isTon}, concat(if(hex(substring(${friendly}, 2, 1)) = 'FF', '-1:', '0:'), lower(hex(substring(${friendly}, 3, 32)))),
  text)`,
  },
  {
    name: 'assay_checksum',
    parameters: ['address'],
    result: 'an EVM address with its checksum in capitals (EIP-55); others as they are',
    example: [
      "assay_checksum('0xab5801a7d398351b8be11c439e05c5b3259aec9b')",
      '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B',
    ],
    body: `if(match(address, '^0x[0-9a-f]{40}$'), concat('0x', ${eip55('substring(address, 3)')}), address)`,
  },
  {
    name: 'assay_tron',
    parameters: ['evm'],
    result: 'the TRON address of the same key as an EVM address',
    example: ["assay_tron('0xa614f803b6fd780986a42c78ec9c7f77e6ded13c')", 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
    body: `if(throwIf(NOT match(evm, '^0x[0-9a-f]{40}$'), 'assay_tron: the text is no EVM address as the tables spell it') != 0, '', ${tron("concat('A', unhex(substring(evm, 3)))")})`,
  },
  {
    name: 'assay_amount',
    parameters: ['raw', 'decimals'],
    result: 'base units as whole coins, rounded to what a Float64 holds',
    example: ['assay_amount(1500000, 6)', '1.5'],
    body: 'toFloat64(raw) / pow(10, decimals)',
  },
  {
    name: 'assay_exact',
    parameters: ['raw', 'decimals'],
    result: 'base units as whole coins, every digit, as text',
    example: ["assay_exact(toUInt256('123456789012345678901'), 18)", '123.456789012345678901'],
    body: `concat(if(startsWith(toString(raw), '-'), '-', ''), substring(${padded}, 1, length(${padded}) - decimals), if(decimals = 0, '', concat('.', substring(${padded}, length(${padded}) - decimals + 1))))`,
  },
  {
    name: 'assay_raw',
    parameters: ['text', 'decimals'],
    result: 'whole coins, as text, in base units (UInt256)',
    example: ["assay_raw('1.5', 6)", '1500000'],
    body: `toUInt256(if(throwIf(NOT (match(text, '^[0-9]{1,78}([.][0-9]+)?$') AND length(${fraction}) <= decimals AND (length(${units}) < 78 OR (length(${units}) = 78 AND ${units} <= '${MAX_UINT256}'))), 'assay_raw: the text is no amount with so many decimals, or more than an amount can be') != 0, '0', ${units}))`,
  },
  {
    name: 'assay_block',
    parameters: ['position'],
    result: 'the block of a position',
    example: ['assay_block(340282366920938)', '19807'],
    body: 'bitShiftRight(position, 34)',
  },
  {
    name: 'assay_transaction',
    parameters: ['position'],
    result: 'the index of its transaction in the block',
    example: ['assay_transaction(1048576)', '2'],
    body: 'bitAnd(bitShiftRight(position, 19), 32767)',
  },
  {
    name: 'assay_event',
    parameters: ['position'],
    result: 'its place in the transaction: 0 the transaction, then calls; logs from 262144 on',
    example: ['assay_event(524293)', '5'],
    body: 'bitAnd(position, 524287)',
  },
]

/** Statements that create or update the functions. Repeatable. */
export const functionStatements = (cluster?: string): string[] =>
  OWN_FUNCTIONS.map(
    ({ name, parameters, body }) =>
      `CREATE OR REPLACE FUNCTION ${name}${cluster === undefined ? '' : ` ON CLUSTER '${cluster}'`} AS (${parameters.join(', ')}) -> ${body}`,
  )
