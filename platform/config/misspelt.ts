/**
 * Detects misspelt settings. The prefix `ASSAY_` is ours: any such name that is not a setting is an error. Variables with
 * other prefixes (`ETH_*`, `KAFKA_*`) may belong to other programs, so they are errors only if they differ in one letter from
 * a setting that is not set.
 */
import { nearest } from './nearest.ts'

/** Lists other programs' variables that look like settings, separated by commas. */
export const IGNORED = 'ASSAY_IGNORED_VARIABLES'

/** Variables of this project's tests. */
const TEST_VARIABLE = /^ASSAY_(TEST_|MUTANT$|FUZZ_)/
/** Variables that Kubernetes sets in every container for a service named `assay*`; `ASSAY_PORT` may be one of them. */
const KUBERNETES_VARIABLE = /^ASSAY_(\w+_)?(SERVICE_(HOST|PORT)(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/
const KUBERNETES_PORT = /^(tcp|udp|sctp):\/\//

/** Shorter names are one letter away from too many others. */
const MIN_LENGTH = 8
const MAX_DISTANCE = 1

/** Whether an `ASSAY_*` variable belongs to tests or Kubernetes. */
export const isForeign = (name: string, value: string): boolean =>
  TEST_VARIABLE.test(name) || KUBERNETES_VARIABLE.test(name) || (name.endsWith('_PORT') && KUBERNETES_PORT.test(value))

/** Names listed in `ASSAY_IGNORED_VARIABLES`. */
export const ignoredIn = (env: NodeJS.ProcessEnv): ReadonlySet<string> =>
  new Set((env[IGNORED] ?? '').split(',').map((name) => name.trim()))

/** Variables without the prefix `ASSAY_` that look like an unset setting. */
export const misspeltIn = (
  env: NodeJS.ProcessEnv,
  names: readonly string[],
): { name: string; suggestion: string }[] => {
  const ignored = ignoredIn(env)
  const others = names.filter((name) => !name.startsWith('ASSAY_') && name.length >= MIN_LENGTH)
  const known = new Set(names)
  return Object.entries(env).flatMap(([name, value]) => {
    if (!value || known.has(name) || name.startsWith('ASSAY_') || ignored.has(name)) return []
    const suggestion = nearest(name, others, MAX_DISTANCE)
    return suggestion === undefined || env[suggestion] ? [] : [{ name, suggestion }]
  })
}
