/** Parsing of options of stream commands. Every failure is ASSAY_TOOL_OPTION and changes nothing. */
import { optionError } from '../options.ts'

/** Block numbers, both inclusive. */
export type BlockRange = { from: number; to: number }

const heightOption = (name: string, text: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw optionError(`${name} ${text} is not a block number.`)
}

/** Parses `--from` and `--to`, which must be given together. */
export const rangeOption = ({ from, to }: { from?: string; to?: string }): BlockRange | undefined => {
  if (from === undefined && to === undefined) return undefined
  if (from === undefined || to === undefined) throw optionError('--from and --to must be given together.')
  const range = { from: heightOption('--from', from), to: heightOption('--to', to) }
  if (range.from > range.to) throw optionError(`--from ${from} is above --to ${to}.`)
  return range
}

/** Parses an integer of at least 1. */
export const countOption = (name: string, text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw optionError(`${name} ${text} is not a positive integer.`)
}
