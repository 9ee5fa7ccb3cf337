/**
 * Versions of the API, each named by the date it starts. A caller pins a version with the header `assay-version`; the default is
 * the newest. Deprecated versions announce their removal (RFC 9745, RFC 8594).
 */
import { type Answer, errorAnswer } from '../answers/answer.ts'

/** A version and its lifetime. */
export type Version = {
  /** Date on which it starts. */
  version: string
  /** Dates from which it is deprecated, and from which it is refused. */
  deprecated?: string
  sunset?: string
}

/** Newest first. A change that a working client can notice needs a new version (docs/use/api.md). */
export const VERSIONS: readonly [Version, ...Version[]] = [{ version: '2026-11-22' }]

/** Header with the version, in requests and responses. */
export const VERSION_HEADER = 'assay-version'
const PAGE = '</docs/versions>; rel="deprecation"; type="text/html"'

const msOf = (date: string): number => Date.parse(`${date}T00:00:00Z`)

/** Deprecation headers. `since` and `sunset` are dates; `link` is the value of the Link header. */
export const deprecation = ({ since, sunset, link }: { since: string; sunset?: string | undefined; link: string }) => ({
  deprecation: `@${msOf(since) / 1_000}`,
  ...(sunset !== undefined && { sunset: new Date(msOf(sunset)).toUTCString() }),
  link,
})

/** Resolves the version of a request. */
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
    const reason = `is ${version ? 'no longer' : 'not'} a version: send ${newest.version}, or omit the header`
    return {
      refused: errorAnswer('INVALID_REQUEST', `The API version is not supported. ${VERSION_HEADER} ${reason}.`, [
        { field: VERSION_HEADER, reason },
      ]),
    }
  }
}
