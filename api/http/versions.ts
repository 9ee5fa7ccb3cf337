/**
 * Versions of the API, each named by the date from which on it holds. A caller may hold itself to one with the header
 * `assay-version`; without it the newest answers. What is to go away says so beforehand (RFC 9745, RFC 8594).
 */
import { type Answer, errorAnswer } from '../answers/answer.ts'

/** A version, and how long it is served. */
export type Version = {
  /** Date from which on it holds. */
  version: string
  /** Days, as dates, from which on it is advised against, and from which on it is refused. */
  deprecated?: string
  sunset?: string
}

/** Newest first. A version is added when an answer changes in a way that a working client can notice (docs/use/api.md). */
export const VERSIONS: readonly [Version, ...Version[]] = [{ version: '2026-11-22' }]

/** Header by which callers choose a version, and answers state theirs. */
export const VERSION_HEADER = 'assay-version'
const PAGE = '</docs/versions>; rel="deprecation"; type="text/html"'

const msOf = (date: string): number => Date.parse(`${date}T00:00:00Z`)

/** Headers of what is deprecated. `since` and `sunset` are dates; `link` has the form of that header. */
export const deprecation = ({ since, sunset, link }: { since: string; sunset?: string | undefined; link: string }) => ({
  deprecation: `@${msOf(since) / 1_000}`,
  ...(sunset !== undefined && { sunset: new Date(msOf(sunset)).toUTCString() }),
  link,
})

/** Answers which version a request gets. */
export type Versions = (
  asked: string | string[] | undefined,
) => { headers: Record<string, string> } | { refused: Answer }

/** @param now milliseconds since the epoch */
export const createVersions = (now: () => number, versions: readonly [Version, ...Version[]] = VERSIONS): Versions => {
  const [newest] = versions
  const known = new Map(versions.map((version) => [version.version, version]))
  const headersOf = ({ version, deprecated, sunset }: Version): Record<string, string> => ({
    [VERSION_HEADER]: version,
    ...(deprecated !== undefined && deprecation({ since: deprecated, sunset, link: PAGE })),
  })
  const served = { headers: headersOf(newest) }
  return (asked) => {
    if (asked === undefined) return served
    const version = typeof asked === 'string' ? known.get(asked) : undefined
    if (version && (version.sunset === undefined || now() < msOf(version.sunset)))
      return { headers: headersOf(version) }
    const reason = `is ${version ? 'no longer' : 'not'} a version: send ${newest.version}, or leave the header out`
    return {
      refused: errorAnswer('INVALID_REQUEST', `The version is not known. ${VERSION_HEADER} ${reason}.`, [
        { field: VERSION_HEADER, reason },
      ]),
    }
  }
}
