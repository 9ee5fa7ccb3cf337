import type { Framing } from '../../schema/records/operations.ts'

/** Whole seconds, UTC, spelt once a second. */
export const createStamp = (now: () => number): (() => string) => {
  let second = -1
  let text = ''
  return () => {
    const current = Math.floor(now() / 1_000)
    if (current !== second) {
      second = current
      text = new Date(current * 1_000).toISOString()
    }
    return text
  }
}

/** Makes an answer of a stored body: sets the fields that differ from answer to answer in front of its bytes. */
export type Frame = (body: Buffer, spelling: string, checkedTimes: number, stamp: string) => Buffer

/** Spellings are valid addresses, `stamp` is ASCII, so that the prefix is ASCII and its length its byte length. */
export const createFrame = ({ addressField, counted, wrapped }: Framing): Frame => {
  const open = `${wrapped ? '{"message":"Success","creditData":' : ''}{"${addressField}":"`
  const close = wrapped ? '}' : ''
  return (body, spelling, checkedTimes, stamp) => {
    const prefix = counted
      ? `${open}${spelling}","checked_times":${checkedTimes},"updatedAt":"${stamp}",`
      : `${open}${spelling}",`
    const out = Buffer.allocUnsafe(prefix.length + body.length - 1 + close.length)
    out.write(prefix, 0, 'latin1')
    body.copy(out, prefix.length, 1)
    if (close) out.write(close, out.length - close.length, 'latin1')
    return out
  }
}
