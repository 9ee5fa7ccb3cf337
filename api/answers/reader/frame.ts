import type { Framing } from '../../../schema/records/operations.ts'

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

/** Makes an answer of a stored body: sets the fields that differ from answer to answer in front of its text. */
export type Frame = (body: string, spelling: string, checkedTimes: number, stamp: string) => string

/** Spellings are valid addresses and `stamp` is a time, so that nothing of them has to be escaped. */
export const createFrame = ({ addressField, counted, wrapped }: Framing): Frame => {
  const open = `${wrapped ? '{"message":"Success","creditData":' : ''}{"${addressField}":"`
  const close = wrapped ? '}' : ''
  return (body, spelling, checkedTimes, stamp) => {
    const fields = counted ? `${spelling}","checked_times":${checkedTimes},"updatedAt":"${stamp}",` : `${spelling}",`
    return `${open}${fields}${body.slice(1)}${close}`
  }
}
