import { type Flag, RAISE_AT } from './flag.ts'

/** Extortion by message. */
export const blackmailActivities: Flag = {
  name: 'blackmail_activities',
  networks: 'all',
  threshold: RAISE_AT,
  labels: ['blackmail', 'extortion', 'ransomware'],
  pending: 'extortion messages are not detected yet; follows labels',
}
