/** What an installation has seen of a network, beside every answer that rests on it. */
import type { Network } from '../../schema/networks.ts'
import type { Coverage } from '../../schema/records/explained/coverage.ts'

/** Coverage of a network; `undefined` while nothing is known. Asked for every answer, so it must not wait for anything. */
export type CoverageOf = (network: Network) => Coverage | undefined

/** As header `x-assay-coverage`: `from=19000000, to=19001000, authorities=complete` (RFC 8941, section 3.2). */
const printed = ({ firstBlock, storedBlock, authorities }: Coverage): string =>
  [
    ...(firstBlock === null ? [] : [`from=${firstBlock}`]),
    ...(storedBlock === null ? [] : [`to=${storedBlock}`]),
    `authorities=${authorities.complete ? 'complete' : 'incomplete'}`,
  ].join(', ')

/** Headers that state what a record rests on. `height` is the newest block it knows. */
export const createCoverageHeaders = (coverageOf: CoverageOf) => {
  const spelt = new Map<Network, { coverage: Coverage; text: string }>()
  const textOf = (network: Network): string | undefined => {
    const coverage = coverageOf(network)
    if (!coverage) return undefined
    const known = spelt.get(network)
    if (known?.coverage === coverage) return known.text
    const text = printed(coverage)
    spelt.set(network, { coverage, text })
    return text
  }
  return (network: Network, height: number | undefined): Record<string, string> | undefined => {
    const text = textOf(network)
    if (height === undefined && text === undefined) return undefined
    return {
      ...(height !== undefined && { 'x-assay-data-height': String(height) }),
      ...(text !== undefined && { 'x-assay-coverage': text }),
    }
  }
}
