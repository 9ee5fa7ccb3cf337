/** Recognizes contracts that serve every caller alike, such as Permit2. */
import type { ChainReader } from '../../chain/chain.ts'
import type { FunctionFacts } from '../../code/abstract/facts.ts'
import { isAccountCode } from '../../code/bytecode.ts'
import type { CodeReader } from '../../code/reader.ts'

/**
 * Those of the addresses that are contracts without a privileged caller and without delegated code. If a token obeys such a
 * contract, any account can use that right through the contract's functions.
 */
export const permissionlessContracts = async (
  chain: ChainReader,
  reader: CodeReader,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> => {
  const codes = await Promise.all(addresses.map((address) => chain.code(address)))
  const found = new Set<string>()
  for (const [i, code] of codes.entries()) {
    const address = addresses[i] ?? ''
    // An account that delegates (EIP-7702) is controlled by its key.
    if (code.length <= 2 || isAccountCode(code)) continue
    const { facts } = await reader.read(code)
    const checksCaller = ({
      callerSlots,
      callerConstants,
      callerMaps,
      callerRows,
      byOrigin,
      byUnknown,
    }: FunctionFacts) =>
      byOrigin || byUnknown || callerSlots.length + callerConstants.length + callerMaps.length + callerRows.length > 0
    // Metadata may contain any byte: DELEGATECALL counts only in code that is reachable.
    const isPrivileged = facts.functions.some((one) => one.delegates || checksCaller(one))
    if (facts.complete && facts.functions.length > 0 && !isPrivileged) found.add(address)
  }
  return found
}
