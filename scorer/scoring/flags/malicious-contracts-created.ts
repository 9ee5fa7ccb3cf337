import { drained } from './drained.ts'
import { RAISE_AT, type Raised, type Wallet } from './flag.ts'

/**
 * Distinct malicious contracts that go back to the wallet: labelled ones, and those history alone convicts (tokens of
 * rugs and honeypots, contracts that drained, counterfeits, forgers of events, tokens that mint with their callers' gas).
 * Public infrastructure (launchpads, factories' owners) does not answer for what others make with it.
 */
export const maliciousContractsCreated = (wallet: Wallet): { count: number; by: Raised[] } => {
  const { contracts = [], rugs = [], honeypots = [], drains = [] } = wallet.evidence
  const { counterfeits = [], forged = [], gasAbuses = [] } = wallet.evidence
  const found = new Map<string, Raised>()
  const add = (contract: string, detector: string, confidence: number, label: string) => {
    if (!found.has(contract) && contract !== wallet.address)
      found.set(contract, { detector, confidence, evidence: { contract, label } })
  }
  if (!wallet.service) {
    for (const { contract, detector, confidence, label } of contracts) add(contract, detector, confidence, label)
    for (const rug of rugs) add(rug.token, 'rug-executed', 0.95, 'rug_executed')
    for (const honeypot of honeypots) add(honeypot.token, 'honeypot-history', 0.95, 'honeypot')
    for (const { contract } of counterfeits) add(contract, 'counterfeit-token', 0.95, 'fake_token')
    for (const { contract } of forged) add(contract, 'forged-events', 0.95, 'fake_standard_interface')
    for (const { contract } of gasAbuses) add(contract, 'gas-minting', 0.95, 'gas_abuse')
    const convicted = drained(wallet).some((raised) => raised.confidence >= RAISE_AT)
    const spenders = new Set(drains.map((drain) => drain.spender))
    if (convicted) for (const spender of spenders) add(spender, 'approval-drain', 0.9, 'drainer')
  }
  const by = [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, raised]) => raised)
  return { count: by.length, by }
}
