/** Texts for a changed verdict on a watched address. */
import { words } from '../base/format.js'

/** @typedef {import('../../../../schema/records/service/monitoring.ts').VerdictChange} Change */

/** @param {Change['after']} verdict */
export const verdictText = (verdict) =>
  verdict === null
    ? 'none'
    : [verdict.status, verdict.probability, verdict.riskStatus].filter((part) => part !== null).join(', ')

/** Why a verdict changed, as one text. @param {Pick<Change, 'flagsRaised' | 'flagsCleared' | 'cause'>} change */
export const causeText = ({ flagsRaised, flagsCleared, cause }) =>
  [
    ...flagsRaised.map((flag) => `raised: ${words(flag)}`),
    ...flagsCleared.map((flag) => `cleared: ${words(flag)}`),
    ...cause.reasons.map(({ change, title, code }) => `${change}: ${title || words(code)}`),
    ...(cause.modelChanged ? ['another model'] : []),
  ].join('; ')
