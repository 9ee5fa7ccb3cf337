import { blackmailActivities } from './blackmail-activities.ts'
import { exploited } from './exploited.ts'
import { evaluateFlag, type Flag, type FlagPolicy, RAISE_AT, type Raised, type Wallet } from './flag.ts'
import { maliciousMiningActivities } from './malicious-mining-activities.ts'
import { phishingActivities } from './phishing-activities.ts'
import { sharedLoot } from './shared-loot.ts'
import { stealingAttack } from './stealing-attack.ts'
import { swept } from './swept.ts'

/** Attacks on others; two of them together make a criminal (semantics row 1 d). */
const ATTACKS = [phishingActivities, stealingAttack, blackmailActivities, maliciousMiningActivities]
const MIN_ATTACKS = 2

/** Two or more kinds of attack that detectors found; what lists merely assert is not counted. */
const attacks = (wallet: Wallet, policy: FlagPolicy): Raised[] => {
  const found = ATTACKS.flatMap((flag) => {
    const outcome = evaluateFlag(flag, wallet, policy)
    const by = outcome.kind === 'raised' ? outcome.by.filter(({ evidence }) => evidence.class !== 'asserted') : []
    const [strongest] = by
    return strongest ? [{ flag: flag.name, detector: strongest.detector, confidence: strongest.confidence }] : []
  })
  if (found.length < MIN_ATTACKS) return []
  const detectors = [...new Set(found.map(({ detector }) => detector))]
  const confidence = Math.min(...found.map(({ confidence }) => confidence))
  return detectors.map((detector) => ({ detector, confidence, evidence: { attacks: found } }))
}

/** Technical attacks: operators of sweepers and drainers, and whoever attacks in more than one way. */
export const cybercrime: Flag = {
  name: 'cybercrime',
  networks: ['ETH', 'BNB', 'POLYGON', 'BASE', 'HAQQ', 'TRON'],
  threshold: RAISE_AT,
  labels: ['cybercrime', 'exploiter', 'sweeper', 'drainer_operator'],
  detect: (wallet, policy) => [
    ...swept(wallet, ['delegate']),
    ...sharedLoot(wallet, ['operator']),
    ...exploited(wallet),
    ...attacks(wallet, policy),
  ],
  pending:
    'sweeper and drainer operators, exploits with borrowed money and multiple attackers are evaluated; other exploits are not',
}
