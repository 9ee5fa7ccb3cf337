import type { Framing } from '../../../schema/records/operations.ts'

/** The current time in whole seconds, UTC. The text is cached for a second. */
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

/** Builds an answer from a stored body: inserts the fields that vary per answer before its text. */
export type Frame = (body: string, spelling: string, checkedTimes: number, stamp: string) => string

/** Needs no escaping: spellings are valid addresses and `stamp` is a time. */
export const createFrame = ({ addressField, counted, wrapped }: Framing): Frame => {
  const open = `${wrapped ? '{"message":"Success","creditData":' : ''}{"${addressField}":"`
  const close = wrapped ? '}' : ''
  return (body, spelling, checkedTimes, stamp) => {
    const fields = counted ? `${spelling}","checked_times":${checkedTimes},"updatedAt":"${stamp}",` : `${spelling}",`
    return `${open}${fields}${body.slice(1)}${close}`
  }
}
