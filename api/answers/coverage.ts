/** Coverage headers: which part of a network the server has indexed. */
import type { Network } from '../../schema/networks.ts'
import type { Coverage } from '../../schema/records/explained/coverage.ts'

/** Coverage of a network; `undefined` if unknown. Called for every answer, so it must be synchronous and cheap. */
export type CoverageOf = (network: Network) => Coverage | undefined

/** Value of `x-assay-coverage`: `from=19000000, to=19001000, authorities=complete` (RFC 8941, section 3.2). */
const printed = ({ firstBlock, storedBlock, authorities }: Coverage): string =>
  [
    ...(firstBlock === null ? [] : [`from=${firstBlock}`]),
    ...(storedBlock === null ? [] : [`to=${storedBlock}`]),
    `authorities=${authorities.complete ? 'complete' : 'incomplete'}`,
  ].join(', ')

/** Headers with the coverage of a record. `height` is the newest block that the record takes into account. */
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
