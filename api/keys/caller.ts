import type { Tier } from '../../schema/records/operations.ts'

/** The caller of a request, identified by a key or a payment. */
export type Caller = {
  kind: 'key' | 'payment'
  tier: Tier
  /** Key id or paying account; never the key. */
  id: string
  /** Operations and networks that its key is restricted to. Absent: all. */
  operations?: ReadonlySet<string>
  networks?: ReadonlySet<string>
  /** A test key gets demonstration records only, and nothing is counted. */
  test?: true
}
