/** Text of `docs/use/errors.md`, made from the table of error codes. */
import type { ErrorFamily } from '../../platform/error-codes/entry.ts'
import { ERRORS, type ErrorArea, type ErrorCode } from '../../platform/error-codes/table.ts'

const FAMILIES: Record<ErrorFamily, { meaning: string; exitCode: 75 | 1 | 70 }> = {
  retryable: {
    meaning: 'Something outside failed and may work again. A supervisor restarts the process.',
    exitCode: 75,
  },
  operator: { meaning: 'A person has to change something.', exitCode: 1 },
  bug: { meaning: 'An invariant of Assay does not hold. Please report it.', exitCode: 70 },
}

const SECTIONS: Record<ErrorArea, string> = {
  API: 'API',
  AUDIT: 'Audit log',
  BACKFILL: 'Backfill',
  BACKUP: 'Backups',
  BUS: 'Bus',
  CONFIG: 'Configuration',
  CONTRACT: 'Contract analysis',
  DEMO: 'Demonstration',
  EVAL: 'Evaluation',
  INDEXER: 'Indexer',
  INGEST: 'Ingest',
  KEYS: 'API keys',
  LABELS: 'Labels',
  MODEL: 'Model',
  PAYMENT: 'Payments',
  PROFILE: 'Profile',
  REBUILD: 'Rebuilds',
  REORG: 'Reorgs',
  RESTORE: 'Restoring backups',
  ROLE: 'Processes',
  RPC: 'Chain nodes',
  SCREEN: 'Screening lists',
  SOURCE: 'Chain sources',
  SQL: 'Statements of analysts (`assay sql`)',
  START: 'Checks before the start',
  STORE: 'Store',
  TOOL: 'Commands',
  VERIFY: 'Verification',
}

const HEAD = `# Errors

Generated from \`platform/error-codes\` by \`npm run docs\`; do not edit.

Every expected error of Assay has a code. The family of the code determines who has to act, and the exit code of a process
that ends with the error:

| family | meaning | exit code |
| --- | --- | --- |
${Object.entries(FAMILIES)
  .map(([family, { meaning, exitCode }]) => `| ${family} | ${meaning} | ${exitCode} |`)
  .join('\n')}

Bodies of HTTP errors have shorter codes (\`INVALID_REQUEST\`, \`KEY_MISSING\`, ...); \`docs/use/api.md\` lists them.
`

const FROM_SCRATCH = `## Index again from scratch

A network cannot be indexed again in place yet. To start over:

1. Stop every process.
2. With the embedded bus and store, set \`ASSAY_DATA\` to an empty folder. With Kafka and ClickHouse, delete all topics and
   consumer groups of Assay, and name an empty database in \`CLICKHOUSE_URL\`.
3. Start again. Import your lists with \`assay labels import\` and create your API keys with \`assay keys create\`.

\`<NETWORK>_START_BLOCK\` sets the first block to index.
`

const section = (area: ErrorArea): string => {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => code.startsWith(`ASSAY_${area}_`)).sort()
  const rows = codes.map((code) => {
    const { family, meaning, action } = ERRORS[code]
    return `| \`${code}\` | ${family} | ${meaning} | ${action} |`
  })
  return [
    `## ${SECTIONS[area]}`,
    '',
    '| code | family | what happened | what to do |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

/** The page: families, codes by area, and how to index again from scratch. */
export const describeErrors = (): string =>
  [HEAD, ...(Object.keys(SECTIONS) as ErrorArea[]).map(section), FROM_SCRATCH].join('\n')
