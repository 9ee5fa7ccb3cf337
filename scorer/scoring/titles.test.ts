import { expect, test } from 'vitest'
import { ACCUSATIONS } from '../ledger/labels/vocabulary.ts'
import { combinationTitle, contractTitle, labelTitle } from './titles.ts'

test('titles of labels name the source and how it knows', () => {
  expect(labelTitle({ class: 'reported', label: 'phishing', detector: 'scam-list' })).toBe(
    'Reported as a phishing address by scam-list',
  )
  expect(labelTitle({ class: 'asserted', label: 'sanctioned', detector: 'ofac' })).toBe('Listed as sanctioned by ofac')
  expect(contractTitle('0xab', 'honeypot', 'honeypot-simulation')).toBe(
    'Created the contract 0xab, identified as a honeypot by honeypot-simulation',
  )
  expect(combinationTitle(['phishing_activities', 'stealing_attack'])).toBe(
    'Attacked in 2 ways: phishing activities, stealing attack',
  )
})

test('no title shows a label in its stored spelling', () => {
  for (const label of Object.keys(ACCUSATIONS))
    expect(labelTitle({ class: 'detected', label, detector: 'x' })).not.toContain('_')
})
