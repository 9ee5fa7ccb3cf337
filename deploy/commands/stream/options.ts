/** Options of the commands on the stream, read and checked. Every failure is ASSAY_TOOL_OPTION and nothing happened. */
import { optionError } from '../options.ts'

/** Block numbers, both inclusive. */
export type BlockRange = { from: number; to: number }

const heightOption = (name: string, text: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw optionError(`${name} ${text} is not a block number.`)
}

/** `--from` and `--to`: both or none. */
export const rangeOption = ({ from, to }: { from?: string; to?: string }): BlockRange | undefined => {
  if (from === undefined && to === undefined) return undefined
  if (from === undefined || to === undefined)
    throw optionError('--from and --to belong together, and only one is given.')
  const range = { from: heightOption('--from', from), to: heightOption('--to', to) }
  if (range.from > range.to) throw optionError(`--from ${from} is above --to ${to}.`)
  return range
}

/** A count of at least one. */
export const countOption = (name: string, text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw optionError(`${name} ${text} is no count.`)
}
