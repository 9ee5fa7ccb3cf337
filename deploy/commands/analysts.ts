/** `assay analysts`: the statements that give analysts a role on a ClickHouse server. */
import type { Config } from '../../platform/config/config.ts'
import { OperatorError } from '../../platform/errors.ts'
import { roleStatements } from '../../platform/store/analyst/role.ts'

/** The database that analysts read, and the cluster on which the statements run. */
export type AnalystsOptions = { database?: string; cluster?: string }

const databaseOf = (config: Config): string | undefined => {
  const url = config.CLICKHOUSE_URL?.reveal()
  return url === undefined ? undefined : new URL(url).pathname.slice(1) || 'default'
}

/** Prints SQL. Asks no server. */
export const analystsCommand = async (config: Config, options: AnalystsOptions): Promise<void> => {
  const database = options.database ?? databaseOf(config)
  if (database === undefined) {
    throw new OperatorError(
      'ASSAY_TOOL_OPTION',
      'No ClickHouse server is configured, and the embedded store needs no role: ask it with assay sql. Nothing was printed. Set CLICKHOUSE_URL, or name the database with --database.',
    )
  }
  const statements = roleStatements({ database, cluster: options.cluster ?? config.ASSAY_CLUSTER })
  const user = `-- Then, for each person:\n-- CREATE USER anna IDENTIFIED WITH sha256_password BY '...' DEFAULT ROLE ${database}_analyst\n`
  process.stdout.write(`${statements.map((statement) => `${statement};\n\n`).join('')}${user}`)
}
