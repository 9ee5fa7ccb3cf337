/** The command tree: a subcommand for each role and tool. Each loads only the modules it needs. */
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { type Config, loadConfig } from '../platform/config/config.ts'
import type { Context } from '../platform/context/context.ts'
import { measureBuild, measureNode } from '../platform/context/metrics.ts'
import { apiCommands } from './command-line/api-commands.ts'
import { completionOf } from './command-line/completion.ts'
import { addHelp } from './command-line/usage.ts'
import { backupCommands } from './commands/backup/commands.ts'
import type { DemoOptions } from './commands/demo.ts'
import type { CreateKeyOptions } from './commands/keys.ts'
import { labelCommands } from './commands/labels/commands.ts'
import type { SqlOptions } from './commands/sql.ts'
import { streamCommands } from './commands/stream/commands.ts'
import { loadDemo } from './load-demo.ts'
import { createContext, runRole } from './process/process.ts'
import { traceProcess } from './process/tracing.ts'

const { version }: { version: string } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

const configured = (): Config => {
  // Without it Node exits with 13 if the event loop ends during the await of cli.ts.
  process.exitCode = 0
  return loadConfig()
}

/** Adds metrics of the build and of Node.js to a context, and traces its work if a collector is configured. */
const measured = async (context: Context, config: Config, role: string): Promise<Context> => {
  measureNode(context.metrics, { process: true })
  measureBuild(context.metrics, { version, revision: process.env.ASSAY_REVISION || 'unknown' })
  await traceProcess(context, config, `assay-${role}`)
  return context
}

const roleCommands = (program: Command) => {
  program
    .command('up', { isDefault: true })
    .description('run everything in one process; without an RPC endpoint it runs the demonstration')
    .action(async () => {
      const { startUp } = await import('./up.ts')
      const config = configured()
      const context = await measured(
        createContext({ ASSAY_LOG_LEVEL: process.env.ASSAY_LOG_LEVEL ? config.ASSAY_LOG_LEVEL : 'warn' }, 'up'),
        config,
        'up',
      )
      process.exit(await runRole(context, () => startUp(context, config)))
    })

  for (const role of ['indexer', 'scorer', 'api'] as const) {
    program
      .command(role)
      .description(`run only the ${role}, with Kafka and ClickHouse`)
      .action(async () => {
        const { startProcess } = await import('./roles/start.ts')
        const config = configured()
        const context = await measured(createContext(config, role), config, role)
        process.exit(await runRole(context, () => startProcess(role, context, config)))
      })
  }
}

const toolCommands = (program: Command) => {
  program
    .command('migrate')
    .description('update the ClickHouse schema and exit')
    .option('--take-over', 'on a cluster: make all processes use the replica of CLICKHOUSE_URL')
    .action(async (options: { takeOver?: boolean }) => {
      const { migrateStore } = await import('./commands/migrate.ts')
      await migrateStore(configured(), options)
    })

  program
    .command('check')
    .description('validate the configuration and print what it means')
    .option('--nodes', 'also check every endpoint, the data folder and ports')
    .option('--json', 'print JSON')
    .action(async (options: { nodes?: boolean; json?: boolean }) => {
      const { checkCommand } = await import('./commands/stream/plan.ts')
      await checkCommand(configured(), options)
    })

  program
    .command('completion <shell>')
    .description('print a shell completion script: bash, zsh or fish')
    .action((shell: string) => {
      process.stdout.write(completionOf(program, shell))
    })
}

const demoCommand = (program: Command) => {
  program
    .command('demo')
    .description('check the demonstration of npm start, or run one for each network')
    .option('--check', 'compare verdicts of the running API on every actor with the expected ones')
    .option('--networks <codes>', 'run a short scenario on a test node of each network, such as TRON,TON or all')
    .option('--url <url>', 'URL of the API', process.env.ASSAY_URL)
    .option('--key <key>', 'API key (default: the one saved by the demonstration)')
    .action(async (options: DemoOptions) => {
      const { networksToPlay } = await import('./commands/demo.ts')
      const networks = networksToPlay(options)
      if (!networks) {
        const { checkDemo } = await loadDemo(() => import('./demo/check-command.ts'))
        process.exitCode = await checkDemo(configured(), options)
        return
      }
      const { playNetworks } = await loadDemo(() => import('./demo/networks/play.ts'))
      const context = createContext({ ASSAY_LOG_LEVEL: 'error' }, 'demo')
      let differing = 0
      const play = async () => {
        differing = (await playNetworks(context, networks, (line = '') => process.stdout.write(`${line}\n`))).length
      }
      process.exit((await runRole(context, async () => ({ done: play() }))) || Math.min(differing, 1))
    })
}

const sqlCommands = (program: Command) => {
  program
    .command('analysts')
    .description('print SQL that creates a read-only role for analysts on a ClickHouse server')
    .option('--database <name>', 'database of the tables (default: that of CLICKHOUSE_URL)')
    .option('--cluster <name>', 'cluster on which to create the role (default: ASSAY_CLUSTER)')
    .action(async (options: { database?: string; cluster?: string }) => {
      const { analystsCommand } = await import('./commands/analysts.ts')
      await analystsCommand(configured(), options)
    })

  program
    .command('sql [statement]')
    .description('query the embedded store with one read-only SELECT, WITH, DESCRIBE, SHOW TABLES or EXPLAIN')
    .option('--file <file>', 'read the statement from a file (default: the argument, else standard input)')
    .option('--format <format>', 'table, csv, json, ndjson or parquet (default: table in a terminal, else csv)')
    .option('--output <file>', 'write the result to a file; its extension selects the format')
    .action(async (statement: string | undefined, options: SqlOptions) => {
      const { sqlCommand } = await import('./commands/sql.ts')
      await sqlCommand(configured(), statement, options)
    })
}

const keyCommands = (program: Command) => {
  const keys = program.command('keys').description('manage API keys')
  keys
    .command('create')
    .description('create a key; it is shown once')
    .requiredOption('--tier <tier>', 'business or enterprise')
    .requiredOption('--name <name>', 'owner of the key')
    .option('--expires <when>', 'expiry: 90d, 12h, or a date such as 2027-01-31 (default: never)')
    .option('--operations <names>', 'allowed operations, such as fraud_check,rug_pull (default: all of the tier)')
    .option('--networks <codes>', 'allowed networks, such as ETH,BASE (default: all)')
    .option('--ip <ranges>', 'allowed IP addresses and CIDR ranges (default: all)')
    .option('--test', 'test key: answers only for demonstration addresses and does not count calls')
    .option('--json', 'print JSON')
    .action(async (options: CreateKeyOptions) => {
      const { createKeyCommand } = await import('./commands/keys.ts')
      await createKeyCommand(configured(), options)
    })
  keys
    .command('list')
    .description('list ids, tiers, restrictions and states of keys')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { listKeysCommand } = await import('./commands/keys.ts')
      await listKeysCommand(configured(), options)
    })
  keys
    .command('revoke <id>')
    .description('revoke a key permanently')
    .action(async (id: string) => {
      const { revokeKeyCommand } = await import('./commands/keys.ts')
      await revokeKeyCommand(configured(), id)
    })
  keys
    .command('rotate <id>')
    .description('replace a key with a new one of the same name, tier and terms')
    .option('--grace <duration>', 'how long the old key stays valid, such as 12h or 7d; 0h ends it', '24h')
    .option('--json', 'print JSON')
    .action(async (id: string, options: { grace: string; json?: boolean }) => {
      const { rotateKeyCommand } = await import('./commands/keys.ts')
      await rotateKeyCommand(configured(), id, options)
    })
}

const auditCommands = (program: Command) => {
  const audit = program.command('audit').description('verify, export and erase the audit log of requests and answers')
  audit
    .command('verify')
    .description('find entries that were changed, removed or inserted')
    .option('--heads <file>', 'compare with the chain heads of the last verification, then save the current ones')
    .option('--json', 'print JSON')
    .action(async (options: { heads?: string; json?: boolean }) => {
      const { verifyAuditCommand } = await import('./commands/audit.ts')
      await verifyAuditCommand(configured(), options)
    })
  audit
    .command('export')
    .description('print entries as NDJSON')
    .option('--from <time>', 'answered at or after this time, such as 2026-11-22 or 2026-11-22T12:00:00Z')
    .option('--to <time>', 'answered before this time')
    .option('--key <ids>', 'only these keys or paying accounts, comma-separated')
    .action(async (options: { from?: string; to?: string; key?: string }) => {
      const { exportAuditCommand } = await import('./commands/audit.ts')
      await exportAuditCommand(configured(), options)
    })
  audit
    .command('erase <key>')
    .description('make the addresses that a key or paying account asked about permanently unreadable')
    .action(async (key: string) => {
      const { eraseAuditCommand } = await import('./commands/audit.ts')
      await eraseAuditCommand(configured(), key)
    })
}

const monitoringCommands = (program: Command) => {
  program
    .command('monitoring')
    .description('manage watch lists and webhooks')
    .command('erase <key>')
    .description('erase watch list, alerts, endpoints and deliveries of a key and of keys it was rotated from or to')
    .action(async (key: string) => {
      const { eraseMonitoringCommand } = await import('./commands/monitoring.ts')
      await eraseMonitoringCommand(configured(), key)
    })
}

const paymentCommands = (program: Command) => {
  const payments = program.command('payments').description('show payments per call and plan refunds')
  payments
    .command('list')
    .description('list payments, oldest first')
    .option('--state <state>', 'only payments in this state, such as settled')
    .option('--json', 'print JSON')
    .action(async (options: { state?: string; json?: boolean }) => {
      const { listPaymentsCommand } = await import('./commands/payments.ts')
      await listPaymentsCommand(configured(), options)
    })
  payments
    .command('show <key>')
    .description('show every attempt of a payment')
    .action(async (key: string) => {
      const { showPaymentCommand } = await import('./commands/payments.ts')
      await showPaymentCommand(configured(), key)
    })
  payments
    .command('refund-plan')
    .description('print refunds for payers who were charged and got no response; sends nothing')
    .option('--hours <hours>', 'only payments charged at least this many hours ago', '24')
    .action(async (options: { hours: string }) => {
      const { refundPlanCommand } = await import('./commands/payments.ts')
      await refundPlanCommand(configured(), Math.max(0, Number(options.hours) || 0))
    })
  payments
    .command('refunded <key>')
    .description('record a refund that you sent')
    .requiredOption('--transaction <hash>', 'transaction of the refund')
    .action(async (key: string, options: { transaction: string }) => {
      const { refundedCommand } = await import('./commands/payments.ts')
      await refundedCommand(configured(), key, options.transaction)
    })
}

/** Creates the program with all commands. Nothing runs until it parses arguments. */
export const createProgram = (): Command => {
  const program = new Command('assay')
    .description('Scores blockchain wallets and contracts from on-chain data alone.')
    .version(version)
  roleCommands(program)
  toolCommands(program)
  apiCommands(program, configured)
  demoCommand(program)
  sqlCommands(program)
  keyCommands(program)
  auditCommands(program)
  monitoringCommands(program)
  paymentCommands(program)
  labelCommands(program, configured)
  streamCommands(program, configured)
  backupCommands(program, configured, version)
  addHelp(program)
  return program
}
