/** Decodes return data of contracts: words and texts. */
import { beginningOf } from '../../../schema/text.ts'
import { bytesOf } from '../code/bytecode.ts'

/** A word of return data; `undefined` when there is none. */
export const wordAt = (data: string | undefined, index: number): bigint | undefined => {
  const text = data?.slice(2 + index * 64, 66 + index * 64)
  return text && text.length === 64 ? BigInt(`0x${text}`) : undefined
}

/** A `string` or `bytes32` of return data without unprintable characters; empty when there is none. */
export const textOf = (answer: string | undefined): string => {
  if (!answer || answer.length < 66) return ''
  const bytes = bytesOf(answer)
  const at = (offset: number) =>
    Number(BigInt(`0x${Buffer.from(bytes.subarray(offset, offset + 32)).toString('hex') || '0'}`))
  const raw =
    bytes.length >= 96 && at(0) === 32 ? bytes.subarray(64, 64 + Math.min(at(32), 128)) : bytes.subarray(0, 32)
  const shown = Buffer.from(raw)
    .toString('utf8')
    .replace(/\0+$/, '')
    .replace(/[^\p{L}\p{N}\p{P}\p{S}\p{Zs}]/gu, '')
  return beginningOf(shown, 100)
}
