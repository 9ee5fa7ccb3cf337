import { expect, test } from 'vitest'
import { createVersions, VERSIONS } from './versions.ts'

const NOW = Date.parse('2027-06-01T00:00:00Z')
const versions = createVersions(
  () => NOW,
  [
    { version: '2027-05-01' },
    { version: '2026-12-01', deprecated: '2027-05-01', sunset: '2027-06-02' },
    { version: '2026-11-22', deprecated: '2026-12-01', sunset: '2027-06-01' },
  ],
)

test('answers with the newest version, or the requested one until its sunset', () => {
  expect(versions(undefined)).toEqual({ headers: { 'assay-version': '2027-05-01' } })
  expect(versions('2026-12-01')).toEqual({
    headers: {
      'assay-version': '2026-12-01',
      deprecation: '@1809129600',
      sunset: 'Wed, 02 Jun 2027 00:00:00 GMT',
      link: '</docs/versions>; rel="deprecation"; type="text/html"',
    },
  })
})

test.each([['2026-11-22'], ['2026-11-23'], ['1.0.2'], [''], [['2027-05-01', '2027-05-01']], ['__proto__']])(
  'refuses version %j and names the one to send',
  (asked) => {
    expect(versions(asked)).toMatchObject({
      refused: { status: 400, body: expect.stringContaining('send 2027-05-01') },
    })
  },
)

test('versions are dates, newest first, and each older one has a sunset', () => {
  const dates = VERSIONS.map(({ version }) => version)
  expect(dates).toEqual(dates.toSorted().reverse())
  expect(dates.every((date) => /^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(Date.parse(date)))).toBe(true)
  for (const { deprecated, sunset } of VERSIONS.slice(1)) expect([deprecated, sunset]).not.toContain(undefined)
})
