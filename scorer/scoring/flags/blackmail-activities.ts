import { type Extortion, MIN_RECEIVERS } from '../../detection/deceit/extortion-message/extortion.ts'
import { type Flag, RAISE_AT, type Raised } from './flag.ts'

const extorted = (found: Extortion): Raised => ({
  detector: 'extortion-message',
  confidence: found.receivers >= MIN_RECEIVERS ? 0.92 : 0.5,
  evidence: { ...found },
})

/** Extortion by messages in calldata to three receivers or more. Who was threatened, and who pays, is not flagged. */
export const blackmailActivities: Flag = {
  name: 'blackmail_activities',
  networks: ['ETH', 'BNB', 'POLYGON', 'BASE', 'HAQQ'],
  threshold: RAISE_AT,
  labels: ['blackmail', 'extortion', 'ransomware'],
  detect: (wallet) => (wallet.evidence.extortion ? [extorted(wallet.evidence.extortion)] : []),
  pending: 'English messages are evaluated, of who wrote them; payees that are only named in them are not',
}
