import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formattedJson } from '../../formatted-json.ts'
import { THOROUGH } from '../../thorough.ts'
import { ARTIFACTS, digestOfSimulator } from './artifacts.ts'

const committed = (file: URL) => JSON.parse(readFileSync(file, 'utf8'))

/** The simulator takes eight seconds to compile, and is compiled at night. By day its digest shows a change of sources, settings or code. */
const COMPILED = Object.entries(ARTIFACTS).filter(([name]) => THOROUGH || name !== 'simulator')

test.each(COMPILED)(
  'the committed artifact of the %s is what its sources compile to',
  (_, artifact) => {
    expect(readFileSync(artifact.file, 'utf8')).toBe(formattedJson(artifact.compile()))
  },
  60_000,
)

test('the committed artifact of the simulator was compiled from the sources of now', () => {
  const { digest, ...codes } = committed(ARTIFACTS.simulator.file)
  expect(digest, 'run test/kit/contracts/solidity/artifacts.main.ts').toBe(digestOfSimulator(codes))
})
