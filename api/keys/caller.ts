import type { Tier } from '../../schema/records/operations.ts'

/** Who is asking, once a key or a payment has been accepted. */
export type Caller = {
  kind: 'key' | 'payment'
  tier: Tier
  /** Key id or paying account; never the key. */
  id: string
  /** Operations and networks that its key is held to; all without them. */
  operations?: ReadonlySet<string>
  networks?: ReadonlySet<string>
  /** Its key is for tests: it is answered about demonstration addresses, and nothing is counted. */
  test?: true
}
