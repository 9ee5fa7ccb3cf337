/** Documentation made from the detectors and the flag table: `docs/verdicts/flags.md` and a README in each detector's folder. */
import { writeFileSync } from 'node:fs'
import { COVERAGE } from '../../scorer/detection/coverage.ts'
import { DETECTORS, type Detector, type DetectorId, detectorOf, networksOf } from '../../scorer/detection/index.ts'
import { CONTRACT_COUNT, FLAGS, type Flag } from '../../scorer/scoring/flags.ts'

const ROOT = new URL('../../', import.meta.url)
const INFRASTRUCTURE: Record<Detector['infrastructure'], string> = {
  exempt: 'not judged',
  unknown: 'a finding is reported as unknown',
  judged: 'judged as everybody else',
}

const listOf = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')
const codes = (items: readonly string[]): string => items.map((item) => `\`${item}\``).join(', ')
const folderOf = ({ family, id }: Pick<Detector, 'family' | 'id'>): string => `scorer/detection/${family}/${id}`
/** Links from `docs/verdicts/` to the pages of detectors. */
const linksTo = (ids: readonly DetectorId[]): string =>
  ids.map((id) => `[\`${id}\`](../../${folderOf(detectorOf(id))}/README.md)`).join(', ')

const confidences = ({ confidence }: Detector): string => {
  const grades = Object.entries(confidence)
  const shown = (value: number) => String(Math.round(value * 100) / 100)
  const [only, ...more] = grades
  if (only && more.length === 0) return shown(only[1])
  return grades.map(([grade, value]) => `${shown(value)} (${grade.replaceAll('-', ' ')})`).join(', ')
}

const bodyOf = (detector: Detector): string => {
  const { doc, exclusions, needs, infrastructure } = detector
  return [
    doc.summary,
    '## What it takes',
    listOf(doc.takes),
    '## What looks alike',
    ['| who | why it is left alone |', '|---|---|', ...exclusions.map(({ who, why }) => `| ${who} | ${why} |`)].join(
      '\n',
    ),
    '## What it needs to see',
    listOf(needs.map((need) => COVERAGE[need].what)),
    '## What it cannot see',
    listOf(doc.cannotSee),
    '## Facts',
    listOf([
      `Confidence: ${confidences(detector)}.`,
      `Networks: ${networksOf(detector).join(', ')}.`,
      `Public infrastructure: ${INFRASTRUCTURE[infrastructure]}.`,
    ]),
  ].join('\n\n')
}

const GENERATED = 'Made by `npm run docs`; do not edit.'

/** The README of a detector's folder. */
export const detectorReadme = (detector: Detector): string =>
  `<!-- ${GENERATED} Source: detector.ts -->\n\n# ${detector.offence} (\`${detector.id}\`)\n\n${bodyOf(detector)}\n`

const flagSection = (name: string, flag: Flag): string => {
  const sources = flag.sources.map(({ detector, grades, only }) => {
    const how = [...(grades ? [grades.join(', ')] : []), ...(only ? [`mode \`${only.mixer}\``] : [])]
    return how.length === 0 ? linksTo([detector]) : `${linksTo([detector])} (${how.join('; ')})`
  })
  return [
    `### \`${name}\``,
    flag.summary,
    listOf([
      ...(sources.length === 0 ? [] : [`Detectors: ${sources.join(', ')}.`]),
      ...(flag.combination ? [`Or findings for ${flag.combination.least} of ${codes(flag.combination.of)}.`] : []),
      `Labels on the address: ${codes(flag.labels)}.`,
      ...(flag.madeContracts.length === 0 ? [] : [`Labels on contracts it made: ${codes(flag.madeContracts)}.`]),
      ...(flag.partial === undefined ? [] : [`Partly evaluated: ${flag.partial}.`]),
      `What removes it: ${flag.change}`,
    ]),
  ].join('\n\n')
}

/** `docs/verdicts/flags.md`. */
export const flagsPage = (): string => {
  return `${[
    `<!-- ${GENERATED} Sources: scorer/scoring/flags.ts and the detectors in scorer/detection -->`,
    '# The flags of a wallet record',
    'A flag is 1 when a label or a finding of sufficient confidence raises it. One raised flag makes the wallet `Fraud`. What could not be evaluated is shown as 0 and named in `unknowns`. The principles behind the rules are in [detection.md](detection.md).',
    listOf([
      `Findings and labels count from a confidence of ${CONTRACT_COUNT.from}.`,
      'Only authorities flag public infrastructure.',
      'Victims are never flagged.',
    ]),
    '## Overview',
    [
      '| flag | meaning |',
      '|---|---|',
      ...Object.entries(FLAGS).map(([name, { summary }]) => `| [\`${name}\`](#${name}) | ${summary} |`),
      `| \`${CONTRACT_COUNT.field}\` | ${CONTRACT_COUNT.summary} |`,
    ].join('\n'),
    [
      '| detector | finds | networks |',
      '|---|---|---|',
      ...DETECTORS.map(
        (detector) => `| ${linksTo([detector.id])} | ${detector.doc.summary} | ${networksOf(detector).join(', ')} |`,
      ),
    ].join('\n'),
    '## Flags',
    ...Object.entries(FLAGS).map(([name, flag]) => flagSection(name, flag)),
    `### \`${CONTRACT_COUNT.field}\``,
    CONTRACT_COUNT.summary,
    listOf([
      `Detectors: ${linksTo(CONTRACT_COUNT.sources)}.`,
      'Contracts of the wallet that carry a malicious label count too.',
      `What removes it: ${CONTRACT_COUNT.change}`,
    ]),
  ].join('\n\n')}\n`
}

/** Every generated file by its path from the root of the repository. */
export const detectorDocs = (): Map<string, string> =>
  new Map([
    ['docs/verdicts/flags.md', flagsPage()],
    ...DETECTORS.map((detector): [string, string] => [`${folderOf(detector)}/README.md`, detectorReadme(detector)]),
  ])

/** Writes all of it. */
export const writeDetectorDocs = (): void => {
  for (const [path, text] of detectorDocs()) writeFileSync(new URL(path, ROOT), text)
}
