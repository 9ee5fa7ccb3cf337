/** Decides whether the source of running code is published: first by known code, then by a source service if one is configured. */
import { createKnownCode } from './known.ts'

/** Runtime code (0x-hex) and the address it runs at. */
export type RunningCode = { chainId: number; address: string; code: string }
/** Whether source is published; `undefined` if unknown. */
export type Published = {
  published: boolean | undefined
  /** Where the answer comes from, or why there is none. */
  evidence: string
  /** Name of the contract in its source. */
  name?: string
}

/** Answers `is_open_source` of a contract. */
export type SourceRegistry = {
  /** Whether the source of all code that runs for one contract is published: a proxy's implementation, every facet of a diamond. */
  lookup: (codes: readonly RunningCode[]) => Promise<Published>
}

/** Queries a source service about one contract. */
export type VerifiedSources = (asked: RunningCode) => Promise<Published>

const UNKNOWN: Published = { published: undefined, evidence: 'no registry of published sources knows this code' }

/** Creates the registry. A contract is published if all its code is, and not published if any of its code is known not to be. */
export const createSourceRegistry = (verified?: VerifiedSources): SourceRegistry => {
  const known = createKnownCode()
  const one = async (asked: RunningCode): Promise<Published> => {
    const source = known(asked.code)
    if (source) return { published: true, evidence: source }
    return verified ? verified(asked) : UNKNOWN
  }
  return {
    lookup: async (codes) => {
      const found = await Promise.all(codes.map(one))
      const missing = found.find(({ published }) => published === false) ?? found.find(({ published }) => !published)
      return missing ?? found[0] ?? UNKNOWN
    },
  }
}
