/** `assay analysts`: prints the SQL that creates a role for analysts on a ClickHouse server. */
import type { Config } from '../../platform/config/config.ts'
import { OperatorError } from '../../platform/errors.ts'
import { roleStatements } from '../../platform/store/analyst/role.ts'

/** Database that analysts read, and cluster on which the statements run. */
export type AnalystsOptions = { database?: string; cluster?: string }

const databaseOf = (config: Config): string | undefined => {
  const url = config.CLICKHOUSE_URL?.reveal()
  return url === undefined ? undefined : new URL(url).pathname.slice(1) || 'default'
}

/** Prints SQL. Connects to no server. */
export const analystsCommand = async (config: Config, options: AnalystsOptions): Promise<void> => {
  const database = options.database ?? databaseOf(config)
  if (database === undefined) {
    throw new OperatorError(
      'ASSAY_TOOL_OPTION',
      'No ClickHouse server is configured. Set CLICKHOUSE_URL, or name the database with --database. The embedded store needs no role: query it with assay sql.',
    )
  }
  const statements = roleStatements({ database, cluster: options.cluster ?? config.ASSAY_CLUSTER })
  const user = `-- Then, for each user:\n-- CREATE USER anna IDENTIFIED WITH sha256_password BY '...' DEFAULT ROLE ${database}_analyst\n`
  process.stdout.write(`${statements.map((statement) => `${statement};\n\n`).join('')}${user}`)
}
