/** A cluster of one shard in containers: Keeper, and replicated ClickHouse servers. Needs Docker. */
import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../free-port.ts'

const COMPOSE = join(import.meta.dirname, '../../../deploy/compose/clickhouse')
const VERSION = '26.7'
const START_MS = 120_000
const PASSWORD = randomBytes(12).toString('hex')

/** Reason why containers cannot be started here, else undefined. */
export const whyNoDocker = (): string | undefined =>
  spawnSync('docker', ['info'], { stdio: 'ignore', timeout: 10_000 }).status === 0
    ? undefined
    : 'Docker does not run here'

const docker = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)('docker', args, { maxBuffer: 2 ** 24 })).stdout.trim()

const configOf = (names: readonly string[], name: string) => `<clickhouse>
  <zookeeper><node><host>keeper</host><port>9181</port></node></zookeeper>
  <remote_servers><assay><shard><internal_replication>true</internal_replication>
    ${names.map((host) => `<replica><host>${host}</host><port>9000</port></replica>`).join('\n    ')}
  </shard></assay></remote_servers>
  <macros><shard>1</shard><replica>${name}</replica></macros>
  <distributed_ddl><path>/clickhouse/task_queue/ddl</path></distributed_ddl>
</clickhouse>`

export type ClickHouseReplica = {
  /** URL for Assay's user, with the rights in the guide; `admin` has all rights. */
  url: string
  admin: string
  stop: () => Promise<void>
  start: () => Promise<void>
}

/** Starts Keeper and replicas `r1`, `r2`, ... */
export const startClickHouseCluster = async (
  replicas: number,
): Promise<{ replicas: ClickHouseReplica[]; close: () => Promise<void> }> => {
  const id = `assay-${randomBytes(4).toString('hex')}`
  const folder = mkdtempSync(join(tmpdir(), `${id}-`))
  const names = Array.from({ length: replicas }, (_, index) => `r${index + 1}`)
  const containers = ['keeper', ...names].map((name) => `${id}-${name}`)
  const close = async () => {
    await docker('rm', '--force', '--volumes', ...containers).catch(() => undefined)
    await docker('network', 'rm', id).catch(() => undefined)
    rmSync(folder, { recursive: true, force: true })
  }
  const run = (name: string, image: string, ...args: string[]) =>
    docker(
      'run',
      '--detach',
      '--name',
      `${id}-${name}`,
      '--hostname',
      name,
      '--network',
      id,
      '--network-alias',
      name,
      ...args,
      image,
    )
  // Fixed, because Docker assigns another port when a container is started again.
  const ports = new Map<string, number>()
  for (const name of names) ports.set(name, await freePort())
  const hostOf = (name: string) => `127.0.0.1:${ports.get(name)}`
  const urlOf = (name: string, user: string) => `http://${user}:${PASSWORD}@${hostOf(name)}/assay`
  const answers = async (name: string) => {
    const end = Date.now() + START_MS
    for (;;) {
      const answer = await fetch(`http://${hostOf(name)}/ping`).catch(() => undefined)
      if (answer?.ok) return
      if (Date.now() > end)
        throw new Error(`${name} did not start: ${await docker('logs', '--tail', '40', `${id}-${name}`)}`)
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
  try {
    await docker('network', 'create', id)
    const keeper = `${COMPOSE}/keeper.xml:/etc/clickhouse-keeper/keeper_config.d/assay.xml:ro`
    await run('keeper', `clickhouse/clickhouse-keeper:${VERSION}`, '--volume', keeper)
    for (const name of names) {
      const config = join(folder, `${name}.xml`)
      writeFileSync(config, configOf(names, name))
      const users = join(folder, 'users.xml')
      const user = (called: string, more = '') =>
        `<${called}><password>${PASSWORD}</password><networks><ip>::/0</ip></networks>${more}</${called}>`
      writeFileSync(
        users,
        `<clickhouse><users>${user('admin', '<access_management>1</access_management>')}${user('assay')}</users></clickhouse>`,
      )
      const volumes = [
        `${config}:/etc/clickhouse-server/config.d/cluster.xml:ro`,
        `${users}:/etc/clickhouse-server/users.d/a-users.xml:ro`,
        `${COMPOSE}/grants.xml:/etc/clickhouse-server/users.d/b-grants.xml:ro`,
      ]
      const args = [
        ...volumes.flatMap((volume) => ['--volume', volume]),
        '--env',
        'CLICKHOUSE_DB=assay',
        '--env',
        'CLICKHOUSE_SKIP_USER_SETUP=1',
      ]
      await run(
        name,
        `clickhouse/clickhouse-server:${VERSION}`,
        '--publish',
        `${hostOf(name)}:8123`,
        '--ulimit',
        'nofile=262144:262144',
        ...args,
      )
    }
    for (const name of names) await answers(name)
  } catch (error) {
    await close()
    throw error
  }
  return {
    replicas: names.map((name) => ({
      url: urlOf(name, 'assay'),
      admin: urlOf(name, 'admin'),
      stop: async () => void (await docker('kill', `${id}-${name}`)),
      start: async () => {
        await docker('start', `${id}-${name}`)
        await answers(name)
      },
    })),
    close,
  }
}
