import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { detectorDocs } from './detector-docs.ts'

test.each([...detectorDocs()])('%s matches the detectors and the flag table (run `npm run docs`)', (path, text) => {
  expect(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')).toBe(text)
})
