import { type Cursor, type LogReader, move, NO_TOKEN_ID } from '../cursor.ts'
import { addressAt, addressOfTopic, sizeAt, uintAt, WORD } from '../hex.ts'

/** Characters of one word as `0x`-hex: a topic, or data of one argument. */
export const ONE_WORD = 2 + WORD
const THREE_WORDS = 2 + 3 * WORD
const MAX_UINT256 = 2n ** 256n - 1n
/** Character offset of a data word. */
export const word = (index: number): number => 2 + index * WORD

/**
 * ERC-20 (three topics), ERC-721 (four topics), and tokens older than indexed arguments (one topic, three words), which are
 * fungible unless the registry lists them as NFTs.
 */
export const readTransfer: LogReader = (at, log, position) => {
  const { topics, data } = log
  const token = log.address
  if (topics.length === 1) {
    const from = addressAt(data, word(0))
    const to = addressAt(data, word(1))
    if (from === undefined || to === undefined || data.length !== THREE_WORDS) return false
    const amount = uintAt(data, word(2))
    if (at.registry.legacyNfts.has(token)) move(at, position, 'nft', from, to, token, amount, '1')
    else move(at, position, 'fungible', from, to, token, NO_TOKEN_ID, amount)
    return true
  }
  const from = addressOfTopic(topics[1])
  const to = addressOfTopic(topics[2])
  if (from === undefined || to === undefined) return false
  if (topics.length === 3) {
    if (data.length < ONE_WORD) return false
    move(at, position, 'fungible', from, to, token, NO_TOKEN_ID, uintAt(data, word(0)))
    return true
  }
  const id = topics[3]
  if (id?.length !== ONE_WORD) return false
  move(at, position, 'nft', from, to, token, uintAt(id, 2), '1')
  return true
}

/** ERC-1155, one id. */
export const readTransferSingle: LogReader = (at, log, position) => {
  const from = addressOfTopic(log.topics[2])
  const to = addressOfTopic(log.topics[3])
  if (from === undefined || to === undefined || log.data.length < word(2)) return false
  move(at, position, 'multi', from, to, log.address, uintAt(log.data, word(0)), uintAt(log.data, word(1)))
  return true
}

/** Character offset of an array's first element and its length; `undefined` when it does not fit the data. */
export const arrayAt = (data: string, pointer: number): { first: number; length: number } | undefined => {
  const offset = sizeAt(data, pointer)
  if (offset === undefined) return undefined
  const start = 2 + 2 * offset
  const length = sizeAt(data, start)
  if (length === undefined || data.length < start + (1 + length) * WORD) return undefined
  return { first: start + WORD, length }
}

/** ERC-1155, several ids. Movements of the same id are added up, so that rows stay distinct. */
export const readTransferBatch: LogReader = (at, log, position) => {
  const from = addressOfTopic(log.topics[2])
  const to = addressOfTopic(log.topics[3])
  const ids = arrayAt(log.data, word(0))
  const values = arrayAt(log.data, word(1))
  if (from === undefined || to === undefined || ids === undefined || ids.length !== values?.length) return false
  const sums = new Map<string, string>()
  for (let i = 0; i < ids.length; i += 1) {
    const id = uintAt(log.data, ids.first + i * WORD)
    const amount = uintAt(log.data, values.first + i * WORD)
    const sum = sums.get(id)
    const total = sum === undefined ? undefined : BigInt(sum) + BigInt(amount)
    if (total !== undefined && total > MAX_UINT256) return false
    sums.set(id, total?.toString() ?? amount)
  }
  for (const [id, amount] of sums) move(at, position, 'multi', from, to, log.address, id, amount)
  return true
}

/** Only the wrapped native coin: other vaults emit the same events for other assets. */
const wrapReader =
  (inward: boolean): LogReader =>
  (at: Cursor, log, position) => {
    if (log.address !== at.wrapped) return true
    const holder = addressOfTopic(log.topics[1])
    if (holder === undefined || log.data.length < ONE_WORD) return false
    const [from, to] = inward ? [log.address, holder] : [holder, log.address]
    move(at, position, 'wrap', from, to, log.address, NO_TOKEN_ID, uintAt(log.data, word(0)))
    return true
  }

/** `Deposit` of the wrapped coin: a movement from its contract to the holder. */
export const readWrapDeposit = wrapReader(true)
/** `Withdrawal` of the wrapped coin: a movement from the holder to its contract. */
export const readWrapWithdrawal = wrapReader(false)
