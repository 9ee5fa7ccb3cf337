/** Lures by message: invitations to a web page, sent to many strangers with tiny payments. */
import { convicted, defineDetector } from '../../detector.ts'
import { counted } from '../../wording.ts'
import { MIN_LURED } from '../airdrop-phish/lures.ts'
import { loadMessageLures, type MessageLure } from './lures.ts'

const TOO_MANY = 'too many receivers to determine how many of them are strangers'

/** Convicts writers from fifty strangers on. Unlike `airdrop-phish` it needs no token: the text accompanies a tiny payment. */
export const lureMessage = defineDetector({
  id: 'lure-message',
  version: 2,
  family: 'deceit',
  offence: 'Lure by message',
  // Earlier payments distinguish customers from strangers.
  needs: ['messages', 'own-acts', 'own-flows'],
  after: [],
  infrastructure: 'exempt',
  load: loadMessageLures,
  judge: (found: MessageLure | undefined) => {
    if (found && found.receivers < MIN_LURED) return { kind: 'unknown', why: TOO_MANY, uncovered: true }
    return convicted(
      found
        ? [
            {
              grade: 'many',
              title: `Invited ${counted(found.receivers, 'stranger', 'strangers')} to a web page by messages attached to tiny payments`,
              evidence: { ...found },
            },
          ]
        : [],
    )
  },
  exclusions: [
    { who: 'Services that write to their customers', why: 'The customers have sent them something.' },
    { who: 'Payouts with a comment', why: 'They pay more than a tiny amount.' },
    { who: 'Pools that pay rewards of less than a cent', why: 'Their comments ask the receiver for nothing.' },
    { who: 'Messages with only a web site, or only a reward', why: 'A lure has both a web address and an invitation.' },
    { who: 'Inscriptions', why: 'They are data, and mostly sent to the own address.' },
  ],
  confidence: { many: 0.92 },
  doc: {
    summary: 'The wallet sent many strangers messages that lure them to a web page.',
    takes: [
      'It sent messages to fifty receivers that never sent it anything.',
      'Each message contains both a web address and an invitation (claim, visit, reward, voucher and the like).',
      'The amount sent with it is worth less than a cent.',
    ],
    cannotSee: [
      'Lures in languages other than English.',
      'Messages of fewer than 20 characters, and encrypted ones.',
      'Lures to fifty strangers before the newest 2,000 receivers, if the newer receivers paid the wallet something: the result is unknown, not clear.',
    ],
  },
})
