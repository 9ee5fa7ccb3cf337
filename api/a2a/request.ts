/**
 * Reads the request of a message. A2A 0.3.0 has no field that selects a skill; the card documents one form, a data part
 * `{"skill": "fraud_check", "network": "ETH", "walletAddress": "0x..."}`. Also accepted: the same JSON in a text part, the skill in
 * the message's metadata, the input nested under `input`, and unambiguous plain text.
 */
import { isDeepStrictEqual } from 'node:util'
import { type Operation, parseNetwork } from '../../schema/networks.ts'
import type { Message } from './protocol.ts'

/** Reply to an ambiguous message. */
export const HELP =
  'Send one data part such as {"skill": "fraud_check", "network": "ETH", "walletAddress": "0x..."}. Skills: fraud_check, fraud_audit, wallet_segment, rug_pull, credit_score. Plain text works if it names the skill, the network and exactly one address.'

/** An operation and its unvalidated input. */
export type SkillRequest = { skill: Operation; input: Record<string, unknown> }

const SKILLS = new Set<string>(['fraud_check', 'fraud_audit', 'rug_pull', 'wallet_segment', 'credit_score'])
const isSkill = (name: unknown): name is Operation => typeof name === 'string' && SKILLS.has(name)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const jsonOf = (text: string): Record<string, unknown> | undefined => {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

const fromData = (data: Record<string, unknown>, metadata: Record<string, unknown> = {}): SkillRequest | undefined => {
  const { skill: named, skillId, input, ...rest } = data
  const skill = [named, skillId, metadata.skillId, metadata.skill].find(isSkill)
  return skill && { skill, input: isRecord(input) ? input : rest }
}

/** Patterns of skills, specific before general: the first match wins. */
const WORDS: [RegExp, Operation][] = [
  [/\bsegment/i, 'wallet_segment'],
  [/\bcredit|\btrust score|\bborrow/i, 'credit_score'],
  [/\brug|\bhoneypot|\bcontract\b|\btoken\b|\bpool\b/i, 'rug_pull'],
  [/\baudit|\bbehaviou?r|\bintent/i, 'fraud_audit'],
  [/\bfraud|\bscam|\bsafe\b|\brisk|\bscreen|\bcheck/i, 'fraud_check'],
]
const ADDRESS =
  /\b(0x[0-9a-fA-F]{40}|haqq1[0-9a-z]{38}|T[1-9A-HJ-NP-Za-km-z]{33}|[EUk0]Q[A-Za-z0-9_-]{46}|-?[01]:[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{43,44})\b/g

const fromProse = (text: string): SkillRequest | undefined => {
  const addresses = [...new Set(text.match(ADDRESS) ?? [])]
  const words = text.replace(ADDRESS, ' ')
  const networks = [...new Set((words.match(/[A-Za-z]+/g) ?? []).flatMap((word) => parseNetwork(word) ?? []))]
  const skill = WORDS.find(([pattern]) => pattern.test(words))?.[1]
  const [walletAddress] = addresses
  const [network] = networks
  if (!skill || !walletAddress || addresses.length > 1 || networks.length > 1) return undefined
  if (!network && skill !== 'credit_score') return undefined
  const calculate = /\brecalculat|\bcalculate\b|\bfresh\b/i.test(words) ? { calculate: true } : {}
  return { skill, input: { walletAddress, ...(network ? { network } : {}), ...calculate } }
}

/** The request that a part holds as JSON. */
const fromPart = (part: Message['parts'][number], metadata: Message['metadata']): SkillRequest | undefined => {
  const data = part.kind === 'data' ? part.data : part.kind === 'text' ? jsonOf(part.text) : undefined
  return data && fromData(data, metadata)
}

/** The request of a message; `undefined` if the message is ambiguous, such as with several different requests. */
export const requestOf = (message: Message): SkillRequest | undefined => {
  const requests = message.parts.flatMap((part) => fromPart(part, message.metadata) ?? [])
  const [request, ...others] = requests
  if (request) return others.every((other) => isDeepStrictEqual(other, request)) ? request : undefined
  return fromProse(message.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n'))
}
