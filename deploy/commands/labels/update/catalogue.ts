/** Lists that `assay labels update` can fetch: built-in ones and those of the operator's catalogue. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Config } from '../../../../platform/config/config.ts'
import { messageOf, OperatorError } from '../../../../platform/errors.ts'
import { LABEL_LISTS, type LabelList, LIST_FORMATS } from '../../../../schema/facts/compliance/label-lists.ts'
import { parseLabelNetwork } from '../../../../schema/networks.ts'
import { LABELS } from '../../../../scorer/ledger/labels/vocabulary.ts'
import { optionError } from '../../options.ts'

const label = z.string().refine((text) => LABELS.includes(text), 'a label of docs/labels.md')

/** Over plain HTTP a list could be changed in transit, so only loopback hosts may use it. */
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/
const safeUrl = z.url({ protocol: /^https?$/ }).refine((text) => {
  const { protocol, hostname, username, password } = new URL(text)
  return (protocol === 'https:' || LOOPBACK.test(hostname)) && username === '' && password === ''
}, 'expected an https URL without credentials (http only for this machine)')

const entry = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._:/-]{0,79}$/, 'letters, digits and . _ : / -'),
  title: z.string().default(''),
  licence: z.string().min(1),
  use: z.string().default('as its licence allows'),
  format: z.enum(LIST_FORMATS).default('list'),
  documents: z
    .array(
      z.strictObject({
        url: safeUrl,
        network: z
          .string()
          .refine((text) => parseLabelNetwork(text) !== undefined, 'a network')
          .optional(),
      }),
    )
    .min(1)
    .max(50),
  hosts: z.array(z.string()).optional(),
  label: label.optional(),
  labels: z.array(label).min(1),
  class: z.enum(['asserted', 'reported']).default('reported'),
  confidence: z.number().min(0).max(1).optional(),
  addressColumn: z.string().optional(),
  complete: z.boolean().default(true),
  maxAgeHours: z.number().int().min(1).default(168),
  maxBytes: z.number().int().min(1).max(2_000_000_000).default(100_000_000),
})

const ownLists = (path: string | undefined): LabelList[] => {
  if (path === undefined) return []
  try {
    return z.array(entry).parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    const why =
      error instanceof z.ZodError
        ? error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
        : messageOf(error)
    throw new OperatorError(
      'ASSAY_LABELS_CATALOGUE',
      `The catalogue ${path} is invalid: ${why}. Nothing was fetched. Correct the file set in ASSAY_LABELS_CATALOGUE.`,
      { cause: error },
    )
  }
}

/** All lists by name. The operator's entries replace built-in ones of the same name, such as to use a mirror. */
export const catalogueOf = (config: Pick<Config, 'ASSAY_LABELS_CATALOGUE'>): ReadonlyMap<string, LabelList> =>
  new Map([...LABEL_LISTS, ...ownLists(config.ASSAY_LABELS_CATALOGUE)].map((list) => [list.name, list]))

/** @throws OperatorError ASSAY_TOOL_OPTION for an unknown list */
export const listsNamed = (catalogue: ReadonlyMap<string, LabelList>, names: readonly string[]): LabelList[] =>
  [...new Set(names)].map((name) => {
    const list = catalogue.get(name)
    if (list) return list
    throw optionError(`There is no list ${name}. Lists: ${[...catalogue.keys()].join(', ')}.`)
  })
