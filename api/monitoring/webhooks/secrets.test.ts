import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { secret } from '../../../platform/config/config.ts'
import { createSeals, newSecret, signatureOf } from './secrets.ts'

const OLD = secret('an old key of thirty-two characters')
const NEW = secret('a new key of thirty-two characters!')

const headersOf = (secrets: readonly string[], body: string, timestamp = Math.floor(Date.now() / 1_000)) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signatureOf(secrets, 'msg_1', timestamp, body),
})

test('a public library verifies signatures, also during a rotation of the secret', () => {
  const [before, after] = [newSecret(), newSecret()]
  const body = '{"type":"ping","note":"ü"}'
  for (const known of [before, after]) {
    expect(new Webhook(known).verify(body, headersOf([after, before], body))).toEqual(JSON.parse(body))
  }
  const refused: [string, Record<string, string>][] = [
    [`${body} `, headersOf([after], body)],
    [body, headersOf([newSecret()], body)],
    [body, headersOf([after], body, Math.floor(Date.now() / 1_000) - 600)],
    [body, { ...headersOf([after], body), 'webhook-id': 'msg_2' }],
  ]
  for (const [text, headers] of refused) {
    expect(() => new Webhook(after).verify(text, headers)).toThrow(WebhookVerificationError)
  }
})

test('a sealed secret opens only for its endpoint and with its key', () => {
  const text = newSecret()
  const sealed = createSeals([OLD]).seal(text, 'key_a/hook_1')
  expect(sealed).not.toContain(text.slice(6, 20))
  expect(createSeals([NEW, OLD]).open(sealed, 'key_a/hook_1')).toBe(text)
  expect(createSeals([OLD]).open(sealed, 'key_a/hook_2')).toBeUndefined()
  expect(createSeals([NEW]).open(sealed, 'key_a/hook_1')).toBeUndefined()
  const bent = `${sealed.slice(0, -6)}${sealed.at(-6) === 'A' ? 'B' : 'A'}${sealed.slice(-5)}`
  for (const wrong of [bent, '', 'x', sealed.slice(0, 20)]) {
    expect(createSeals([OLD]).open(wrong, 'key_a/hook_1')).toBeUndefined()
  }
  expect(createSeals([OLD]).seal(text, 'key_a/hook_1')).not.toBe(sealed)
})
