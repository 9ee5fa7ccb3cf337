import { realpathSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { type Database, open, type RootDatabase } from 'lmdb'
import { messageOf, OperatorError, RetryableError } from '../../errors.ts'

/** A stored topic. `id` numbers topics in creation order. Messages are kept for ever where a limit is undefined. */
export type TopicState = {
  id: number
  partitions: number
  compacted: boolean
  retentionMs: number | undefined
  retentionBytes: number | undefined
}
/** `first` and `next` are offsets, `bytes` the size of the records between them. */
export type PartitionState = { first: number; next: number; bytes: number }
type MemberState = {
  topics: string[]
  process: string
  /** Milliseconds since the epoch until which the member counts as alive. */
  until: number
}

/** The tables of the embedded bus, in one LMDB environment, so that one transaction spans them all. */
export type BusDatabase = {
  path: string
  topics: Database<TopicState, string>
  partitions: Database<PartitionState, [topicId: number, partition: number]>
  /** Keys and values: `frame.ts`. */
  records: Database<Buffer, Buffer>
  /** Compacted topics: offset of the newest record of each (hashed) key. */
  newest: Database<number, [topicId: number, partition: number, key: string]>
  /** Epoch of each transactional id. */
  producers: Database<number, string>
  committed: Database<number, [group: string, topicId: number, partition: number]>
  members: Database<MemberState, [group: string, member: string]>
  /** Member that owns each partition of a group. */
  owners: Database<string, [group: string, topicId: number, partition: number]>
  /** Runs `work` in one write transaction. It must not throw after its first write. Durable once resolved. */
  write: <T>(work: () => T) => Promise<T>
  /** Makes commits of other threads visible to later reads. */
  refresh: () => void
  close: () => Promise<void>
}

type Environment = {
  tables: Omit<BusDatabase, 'close'>
  idle: () => Promise<void>
  close: () => Promise<void>
  holders: number
}

/**
 * Environments that this thread has open, by path. One per path: opening takes LMDB's write lock, so a second one would
 * block this thread until a writer has finished, which may itself wait for this thread.
 */
const environments = new Map<string, Environment>()

/**
 * Opens the folder, or shares the environment this thread has open; the last close closes the files.
 * @throws OperatorError ASSAY_BUS_PATH when the folder cannot be created or opened.
 */
export const openDatabase = async (folder: string): Promise<BusDatabase> => {
  const path = await makeFolder(folder)
  const environment = environments.get(path) ?? openEnvironment(path)
  environments.set(path, environment)
  environment.holders += 1
  return {
    ...environment.tables,
    close: async () => {
      environment.holders -= 1
      await environment.idle()
      if (environment.holders > 0 || environments.get(path) !== environment) return
      environments.delete(path)
      await environment.close()
    },
  }
}

const openEnvironment = (path: string): Environment => {
  const root = openRoot(path)
  let writing: Promise<unknown> = Promise.resolve()
  const tables = {
    path,
    topics: root.openDB({ name: 'topics' }),
    partitions: root.openDB({ name: 'partitions' }),
    records: root.openDB({ name: 'records', keyEncoding: 'binary', encoding: 'binary' }),
    newest: root.openDB({ name: 'newest' }),
    producers: root.openDB({ name: 'producers' }),
    committed: root.openDB({ name: 'committed' }),
    members: root.openDB({ name: 'members' }),
    owners: root.openDB({ name: 'owners' }),
    write: async <T>(work: () => T): Promise<T> => {
      const written = root.transaction(work)
      writing = written.catch(() => {})
      try {
        const result = await written
        await root.flushed
        return result
      } catch (error) {
        throw await refused(path, error)
      }
    },
    refresh: () => root.resetReadTxn(),
  } satisfies Omit<BusDatabase, 'close'>
  return {
    tables,
    idle: async () => {
      await writing
      await root.flushed
    },
    close: () => root.close(),
    holders: 0,
  }
}

/** A failed write. The reason comes as a separate promise, whose rejection would end the process if nobody handled it. */
const refused = async (path: string, error: unknown): Promise<RetryableError> => {
  const reasoned = error instanceof Error && 'commitError' in error ? error.commitError : Promise.reject(error)
  const cause = await Promise.resolve(reasoned).then(
    () => error,
    (reason: unknown) => reason,
  )
  return new RetryableError(
    'ASSAY_BUS_UNAVAILABLE',
    `The bus could not write to ${path}: ${messageOf(cause)}. Nothing was stored. Writing resumes by itself once the disk works and has free space.`,
    { cause },
  )
}

const unusable = (path: string, cause: unknown) =>
  new OperatorError(
    'ASSAY_BUS_PATH',
    `The bus could not open its folder ${path}. Check that it exists, is writable and contains no other files.`,
    { cause },
  )

const makeFolder = async (path: string): Promise<string> => {
  try {
    await mkdir(path, { recursive: true })
    return realpathSync(path)
  } catch (error) {
    throw unusable(path, error)
  }
}

const openRoot = (path: string): RootDatabase => {
  try {
    // Each write is its own transaction: a failed batch of an event loop turn rejects a promise that nobody can handle.
    return open({ path, noSubdir: false, maxDbs: 12, maxReaders: 256, eventTurnBatching: false })
  } catch (error) {
    throw unusable(path, error)
  }
}
