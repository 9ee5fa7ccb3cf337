/** Combines answers into one, in request order. */
import type { Answer } from './answer.ts'

const LINES_TYPE = 'application/x-ndjson; charset=utf-8'

const lineOf = ({ status, body }: Answer, index: number): string =>
  `{"index":${index},"status":${status},"result":${body}}`

/** @param asLines NDJSON, one answer per line */
export const batchAnswer = (answers: readonly Answer[], outcome: string, asLines = false): Answer => {
  const lines = answers.map(lineOf)
  return asLines
    ? {
        status: 200,
        body: lines.map((line) => `${line}\n`).join(''),
        headers: { 'content-type': LINES_TYPE },
        outcome,
      }
    : { status: 200, body: `{"message":"Success","results":[${lines.join(',')}]}`, outcome }
}
