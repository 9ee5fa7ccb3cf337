import { realpathSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { type Database, open, type RootDatabase } from 'lmdb'
import { OperatorError } from '../../errors.ts'
import { unavailable } from '../errors.ts'

export type TopicState = {
  id: number
  partitions: number
  compacted: boolean
  retentionMs: number | undefined
  retentionBytes: number | undefined
}
/** `first` and `next` are offsets, `bytes` the size of the records between them. */
export type PartitionState = { first: number; next: number; bytes: number }
export type MemberState = {
  topics: string[]
  process: string
  /** Milliseconds since the epoch until which the member counts as alive. */
  until: number
}

/** The tables of the embedded bus, all in one LMDB environment, so that one transaction spans them. */
export type BusDatabase = {
  path: string
  topics: Database<TopicState, string>
  partitions: Database<PartitionState, [topicId: number, partition: number]>
  /** Keys and values: `frame.ts`. */
  records: Database<Buffer, Buffer>
  /** Compacted topics: the offset of the newest record of a key (hashed). */
  newest: Database<number, [topicId: number, partition: number, key: string]>
  /** Epoch of each transactional id. */
  producers: Database<number, string>
  committed: Database<number, [group: string, topicId: number, partition: number]>
  members: Database<MemberState, [group: string, member: string]>
  /** Member that works on a partition of a group. */
  owners: Database<string, [group: string, topicId: number, partition: number]>
  /** Runs `work` in one write transaction. It must not throw after its first write. Durable once resolved. */
  write: <T>(work: () => T) => Promise<T>
  /** Makes later reads see what other threads have committed meanwhile. */
  refresh: () => void
  close: () => Promise<void>
}

/** @throws OperatorError ASSAY_BUS_PATH when the folder can not be made or opened. */
export const openDatabase = async (path: string): Promise<BusDatabase> => {
  const root = await openRoot(path)
  let writing: Promise<unknown> = Promise.resolve()
  return {
    path: realpathSync(path),
    topics: root.openDB({ name: 'topics' }),
    partitions: root.openDB({ name: 'partitions' }),
    records: root.openDB({ name: 'records', keyEncoding: 'binary', encoding: 'binary' }),
    newest: root.openDB({ name: 'newest' }),
    producers: root.openDB({ name: 'producers' }),
    committed: root.openDB({ name: 'committed' }),
    members: root.openDB({ name: 'members' }),
    owners: root.openDB({ name: 'owners' }),
    write: async (work) => {
      const written = root.transaction(work)
      writing = written.catch(() => {})
      try {
        const result = await written
        await root.flushed
        return result
      } catch (error) {
        throw unavailable('write to its disk', error)
      }
    },
    refresh: () => root.resetReadTxn(),
    close: async () => {
      await writing
      await root.flushed
      await root.close()
    },
  }
}

const openRoot = async (path: string): Promise<RootDatabase> => {
  try {
    await mkdir(path, { recursive: true })
    return open({ path, noSubdir: false, maxDbs: 12, maxReaders: 256 })
  } catch (error) {
    throw new OperatorError(
      'ASSAY_BUS_PATH',
      `The bus could not open its folder ${path}. Check that it exists, is writable and holds no foreign files.`,
      { cause: error },
    )
  }
}
