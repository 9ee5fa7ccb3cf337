/**
 * Settings whose name is wrong. `ASSAY_*` is ours: every name there that is no setting is an error. Other names (`ETH_*`, `KAFKA_*`)
 * may belong to other programs, so only those are errors that are a slip away from a setting that is not set.
 */
import { nearest } from './nearest.ts'

/** Names variables of other programs that look like settings, with commas between. */
export const IGNORED = 'ASSAY_IGNORED_VARIABLES'

/** What the tests of this project read. */
const OF_TESTS = /^ASSAY_(TEST_|MUTANT$|FUZZ_)/
/** What Kubernetes sets in every container for a service whose name begins with `assay`; `ASSAY_PORT` may be one of them. */
const OF_KUBERNETES = /^ASSAY_(\w+_)?(SERVICE_(HOST|PORT)(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/
const KUBERNETES_PORT = /^(tcp|udp|sctp):\/\//

/** Shorter names are a slip away from too many others. */
const SHORTEST = 8
const SLIP = 1

/** Whether somebody else set an `ASSAY_*` variable. */
export const isForeign = (name: string, value: string): boolean =>
  OF_TESTS.test(name) || OF_KUBERNETES.test(name) || (name.endsWith('_PORT') && KUBERNETES_PORT.test(value))

/** Names between commas that `ASSAY_IGNORED_VARIABLES` has. */
export const ignoredIn = (env: NodeJS.ProcessEnv): ReadonlySet<string> =>
  new Set((env[IGNORED] ?? '').split(',').map((name) => name.trim()))

/** Variables beside `ASSAY_*` that look like a setting which is not set. */
export const slipsIn = (env: NodeJS.ProcessEnv, names: readonly string[]): { name: string; meant: string }[] => {
  const ignored = ignoredIn(env)
  const others = names.filter((name) => !name.startsWith('ASSAY_') && name.length >= SHORTEST)
  const known = new Set(names)
  return Object.entries(env).flatMap(([name, value]) => {
    if (!value || known.has(name) || name.startsWith('ASSAY_') || ignored.has(name)) return []
    const meant = nearest(name, others, SLIP)
    return meant === undefined || env[meant] ? [] : [{ name, meant }]
  })
}
