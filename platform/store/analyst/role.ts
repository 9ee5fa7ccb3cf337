/**
 * The role of analysts on a ClickHouse server, as statements for its administrator: the same tables and limits as `assay sql`
 * on the embedded store. Assay's own user must not be able to create users, so Assay only prints them.
 */
import { readFileSync } from 'node:fs'
import { OperatorError } from '../../errors.ts'
import { boundsOf, LIMITS } from './limits.ts'
import { functionStatements } from './own-functions.ts'

const USERS = new URL('../chdb/chdb-users.xml', import.meta.url)
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
const CLUSTER = /^[A-Za-z0-9_-]+$/

/** Hourly quota of a user. */
const HOURLY = { queries: 1_000, execution_time: 1_800 }
const STATEMENTS_AT_ONCE = 4

/** Tables that role `analyst` of the embedded store may read; servers use the same list. */
export const openTables = (xml: string = readFileSync(USERS, 'utf8')): string[] => {
  const role = /<analyst>\s*<grants>(.*?)<\/grants>/s.exec(xml)?.[1] ?? ''
  const grants = [...role.matchAll(/<query>(.*?)<\/query>/gs)].map(([, text = '']) => text)
  return grants.map((grant) => {
    const [, table] = /^GRANT SELECT ON default\.(\w+)$/.exec(grant) ?? []
    if (table === undefined) throw new RangeError(`not a grant to read one table: ${grant}`)
    return table
  })
}

/** Numbers may be lowered but not raised, nor set to 0, which means "no limit". */
const setting = ([name, value]: [string, string | number]): string =>
  typeof value === 'number' ? `${name} = ${value} MIN 1 MAX ${value}` : `${name} = '${value}' CONST`

type RoleOptions = {
  database: string
  /** Cluster to create the role on; a single server if absent. */
  cluster?: string | undefined
}

/**
 * Statements that create or update the role. Repeatable.
 * @throws OperatorError ASSAY_TOOL_OPTION for a name that cannot be used in a statement
 */
export const roleStatements = ({ database, cluster }: RoleOptions): string[] => {
  if (!NAME.test(database) || (cluster !== undefined && !CLUSTER.test(cluster))) {
    throw new OperatorError(
      'ASSAY_TOOL_OPTION',
      'Names of databases and clusters may contain only letters, digits and _ (clusters also -). Nothing was printed. Correct the name.',
    )
  }
  const role = `${database}_analyst`
  const on = cluster === undefined ? '' : ` ON CLUSTER '${cluster}'`
  const settings = [
    // 2 lets drivers choose formats; the limits still cannot be raised.
    'readonly = 2 CONST',
    'allow_ddl = 0 CONST',
    'allow_introspection_functions = 0 CONST',
    ...Object.entries(boundsOf(LIMITS)).map(setting),
    `max_concurrent_queries_for_user = ${STATEMENTS_AT_ONCE} CONST`,
  ]
  const hourly = Object.entries(HOURLY).map(([what, max]) => `${what} = ${max}`)
  const grants = openTables().map((table) => `SELECT ON ${database}.${table}`)
  return [
    `CREATE ROLE IF NOT EXISTS ${role}${on}`,
    `CREATE SETTINGS PROFILE OR REPLACE ${role}${on} SETTINGS\n  ${settings.join(',\n  ')}\n  TO ${role}`,
    `CREATE QUOTA OR REPLACE ${role}${on} KEYED BY user_name FOR INTERVAL 1 hour MAX ${hourly.join(', ')} TO ${role}`,
    // One statement revokes removed tables at once, without a moment in which all are revoked.
    `GRANT${on}\n  ${grants.join(',\n  ')}\n  TO ${role} WITH REPLACE OPTION`,
    ...functionStatements(cluster),
  ]
}
