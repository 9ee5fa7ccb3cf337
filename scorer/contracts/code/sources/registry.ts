/** Whether the source of running code is published: known code first, a service of verified sources where one is set. */
import { createKnownCode } from './known.ts'

/** The code that is asked about, with the address it runs at, which services of verified sources know contracts by. */
export type RunningCode = { chainId: number; address: string /** Runtime code, 0x-hex. */; code: string }
/** `published` is `undefined` when nobody could tell; `evidence` says who told, or why not. */
export type Published = {
  published: boolean | undefined
  evidence: string /** Of the contract in its source. */
  name?: string
}

/** Answers `is_open_source` of a contract. */
export type SourceRegistry = {
  /** Of code that runs for one contract: what a proxy delegates to, every facet of a diamond. */
  lookup: (codes: readonly RunningCode[]) => Promise<Published>
}

/** Asks a service about one contract. */
export type VerifiedSources = (asked: RunningCode) => Promise<Published>

const UNKNOWN: Published = { published: undefined, evidence: 'no registry of published sources knows this code' }

/** Published when all code is; not published when some is known not to be. */
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
      const decisive = found.find(({ published }) => published === false) ?? found.find(({ published }) => !published)
      return decisive ?? found[0] ?? UNKNOWN
    },
  }
}
